import { buildJob, jobEventOf, type JobEvent, type JobFacts } from '#pillarbox/core/mail-job';
import { RETRY_POLICIES } from '#pillarbox/core/retry';

export const PAYLOAD = {
  ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionNumber: '05', campus: 'NB' },
  ...{ meetingSummary: 'Mon, Thu 10:20-11:40, HLL 116', termId: '20269', campusCode: 'NB' },
  ...{ indexNumber: '09214', statusBefore: 'Closed', statusAfter: 'Open', sectionId: 4711 },
};

/** One event to be told of, and one who is told. */
export const eventOf = (
  payload: Readonly<Record<string, unknown>> = PAYLOAD,
  template: JobEvent['template'] = { id: 'open-seat', version: 'v1' },
): JobEvent =>
  jobEventOf({
    ...{ number: 17, dedupeKey: '20269:NB:09214:Open', traceId: 'trace-1', template, payload },
    eventAt: Date.UTC(2026, 10, 16, 14),
  });

export const factsOf = (event = eventOf(), number = 3): JobFacts => ({
  ...{ message: 5, event, locale: 'en', leaseSeconds: 120, policy: RETRY_POLICIES.notification },
  subscription: {
    ...{ number, status: 'active', email: `reader.${number}@example.org`, name: `Reader ${number}` },
    preferences: { notifyOn: ['Open'], maxNotifications: 5 },
  },
  links: {
    manageUrl: `https://mail.example.org/m/${number}`,
    unsubscribeUrl: `https://mail.example.org/u/${number}`,
  },
});

export const jobOf = (event = eventOf(), number = 3) => buildJob(factsOf(event, number));

/** A copy with one value changed, by its dotted path; undefined takes it out. */
export function changed(job: object, path: string, value: unknown): unknown {
  const copy = structuredClone(job) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}
