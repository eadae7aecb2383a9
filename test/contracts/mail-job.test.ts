import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formats } from '#pillarbox/core/job-formats';
import { jobFault, readMailJob, type NotificationJob } from '#pillarbox/core/mail-job';
import { changed, eventOf, jobOf, PAYLOAD } from './jobs.js';

const good = jobOf();
const faultOf = (given: unknown) => {
  const read = readMailJob(given);
  return 'fault' in read ? read.fault : undefined;
};

describe('a job that we build', () => {
  test('is the contract’s, word for word', () => {
    expect(good).toEqual({
      ...{ version: '1.0', notificationId: 5, openEventId: 17, subscriptionId: 3, locale: 'en' },
      ...{ dedupeKey: '20269:NB:09214:Open', traceId: 'trace-1' },
      recipient: { email: 'reader.3@example.org', name: 'Reader 3' },
      template: {
        ...{ id: 'open-seat', version: 'v1' },
        variables: {
          ...PAYLOAD,
          ...{ sectionIndex: '09214', eventDetectedAt: '2026-11-16T14:00:00.000Z' },
          manageUrl: 'https://mail.example.org/m/3',
          unsubscribeUrl: 'https://mail.example.org/u/3',
        },
      },
      event: { ...PAYLOAD, eventAt: '2026-11-16T14:00:00.000Z' },
      subscription: {
        ...{ status: 'active', contactType: 'email', contactValue: 'reader.3@example.org' },
        preferences: { notifyOn: ['Open'], maxNotifications: 5 },
      },
      links: {
        manageUrl: 'https://mail.example.org/m/3',
        unsubscribeUrl: 'https://mail.example.org/u/3',
      },
      deliveryPolicy: { maxAttempts: 3, lockTtlSeconds: 120, retryScheduleMs: [0, 2000, 7000] },
    });
    expect(jobFault(good)).toBeUndefined();
    expect(readMailJob(good)).toEqual({ job: good });
  });

  test('takes a section’s index from the payload, and links from nobody', () => {
    const { template } = jobOf(eventOf({ ...PAYLOAD, sectionIndex: '1', manageUrl: 'https://evil.example' }));
    expect(template.variables).toMatchObject({
      sectionIndex: '1',
      manageUrl: 'https://mail.example.org/m/3',
    });
  });

  test('without what its template must be told is a variable that is missing', () => {
    const without = (name: string) => changed(PAYLOAD, name, undefined) as typeof PAYLOAD;
    expect(jobFault(jobOf(eventOf(without('meetingSummary'))))).toEqual({
      code: 'template_missing_variable',
      path: '/template/variables/meetingSummary',
      message: '/template/variables/meetingSummary is missing',
    });
    expect(jobFault(jobOf(eventOf(without('termId'))))).toMatchObject({
      code: 'mail_job_invalid',
      path: '/event/termId',
    });
  });

  test('of any other template may say what it likes', () => {
    const job = jobOf(eventOf({ room: 4, guests: ['Ada'] }, { id: 'booked', version: 'v2' }));
    expect(job.template).toMatchObject({ id: 'booked', version: 'v2', variables: { room: 4 } });
    expect(jobFault(job)).toBeUndefined();
    const bad = changed(job, 'recipient.email', 'nobody') as NotificationJob;
    expect(jobFault(bad)).toMatchObject({ path: '/recipient/email' });
  });

  test('of an event that has no key has one all the same, its own', () => {
    const event = { ...eventOf(), dedupeKey: 'event:17' };
    expect(jobFault(jobOf(event))).toBeUndefined();
  });
});

/** Each with the path that is told. */
const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ['nothing', null, ''],
  ['a list', [], ''],
  ['no version', changed(good, 'version', undefined), '/version'],
  ['a version that is a number', changed(good, 'version', 1), '/version'],
  ['a version that is none', changed(good, 'version', '1'), '/version'],
  ['id 0', changed(good, 'notificationId', 0), '/notificationId'],
  ['an id that is a text', changed(good, 'notificationId', '5'), '/notificationId'],
  ['an id between two', changed(good, 'openEventId', 1.5), '/openEventId'],
  ['no address', changed(good, 'recipient.email', 'nobody'), '/recipient/email'],
  ['an address with a name', changed(good, 'recipient.email', 'A <a@b.c>'), '/recipient/email'],
  ['a long address', changed(good, 'recipient.email', `${'a'.repeat(1e6)}@b.c`), '/recipient/email'],
  ['a field that nobody knows', changed(good, 'recipient.phone', '1'), '/recipient/phone'],
  ['such a field at the top', changed(good, 'a/b~c', 1), '/a~1b~0c'],
  ['another template', changed(good, 'template.id', 'x'), '/template/id'],
  [
    'a missing variable',
    changed(good, 'template.variables.courseTitle', undefined),
    '/template/variables/courseTitle',
  ],
  ['a bad link', changed(good, 'template.variables.manageUrl', 'not a uri'), '/template/variables/manageUrl'],
  ['a link without a host', changed(good, 'links.manageUrl', '/m/x'), '/links/manageUrl'],
  ['a day that there is not', changed(good, 'event.eventAt', '2026-02-31T00:00:00Z'), '/event/eventAt'],
  ['an instant without a zone', changed(good, 'event.eventAt', '2026-02-01T00:00:00'), '/event/eventAt'],
  ['another status', changed(good, 'subscription.status', 'gone'), '/subscription/status'],
  ['another channel', changed(good, 'subscription.contactType', 'sms'), '/subscription/contactType'],
  [
    'a snooze that is a word',
    changed(good, 'subscription.preferences.snoozeUntil', 'soon'),
    '/subscription/preferences/snoozeUntil',
  ],
  [
    'a wait before now',
    changed(good, 'deliveryPolicy.retryScheduleMs', [0, -1]),
    '/deliveryPolicy/retryScheduleMs/1',
  ],
  ['a short lock', changed(good, 'deliveryPolicy.lockTtlSeconds', 5), '/deliveryPolicy/lockTtlSeconds'],
  ['no links', changed(good, 'links', undefined), '/links'],
];
const TAKEN: readonly (readonly [string, unknown])[] = [
  ['one more variable', changed(good, 'template.variables.more', { a: 1 })],
  ['one more fact of the event', changed(good, 'event.more', [1])],
  ['an address outside of ASCII', changed(good, 'recipient.email', 'jõ@jõ.ee')],
  ['an instant with an offset', changed(good, 'event.eventAt', '2026-11-16T09:00:00-05:00')],
  ['no policy', changed(good, 'deliveryPolicy', undefined)],
  ['no subscription', changed(good, 'subscription', undefined)],
];

describe('a job that is handed in', () => {
  test.each(REFUSED)('is refused for %s', (_what, job, path) => {
    expect(faultOf(job)?.path).toBe(path);
  });

  test.each(TAKEN)('may have %s', (_what, job) => {
    expect(readMailJob(job)).toEqual({ job });
  });

  test('is judged as the schema’s own library would', () => {
    const schema = JSON.parse(readFileSync('contracts/mail-job.schema.json', 'utf8')) as object;
    const judge = new Ajv.default({ formats }).compile(schema);
    for (const [, job] of [...REFUSED, ...TAKEN]) expect(faultOf(job) === undefined).toBe(judge(job));
  });
});

describe('the version of a job', () => {
  const newer = {
    ...{ ...good, version: '1.7', priority: 'high' },
    recipient: { ...good.recipient, pronoun: 'she' },
    links: { ...good.links, webUrl: 'https://a.example' },
  };

  test('that is newer by a minor: what is unknown is dropped, what is open stays', () => {
    expect(readMailJob(changed(newer, 'event.seats', 2))).toEqual({
      job: changed(good, 'event.seats', 2),
    });
  });

  test('that is newer by a minor still has to keep what it promises', () => {
    expect(faultOf(changed(newer, 'recipient.email', undefined))).toMatchObject({ path: '/recipient/email' });
    expect(faultOf({ version: '1.1', ...JSON.parse('{"__proto__":{"links":1}}') })).toBeDefined();
  });

  test('that is another major is refused before anything is read', () => {
    for (const version of ['2.0', '0.9', '10.1'])
      expect(faultOf({ version })).toMatchObject({ code: 'mail_job_version', path: '/version' });
  });

  test('1.0 knows its fields and no others', () => {
    expect(faultOf(changed(newer, 'version', '1.0'))).toMatchObject({ code: 'mail_job_invalid' });
  });
});

test('what runs holds no validator library and makes no code of texts', () => {
  const compiled = readFileSync('dist/core/job-validators.js', 'utf8');
  expect(compiled).not.toMatch(/require\(|new Function|\beval\(|from 'ajv/);
});
