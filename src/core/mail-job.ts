import { forPeople } from './text.js';
import { mailJob, notificationJob, type Closed, type ValidationError } from './job-validators.js';

/**
 * The job that is handed to a sender of notifications: `contracts/mail-job.schema.json` for `open-seat`, and for every
 * other template `contracts/notification-job.schema.json`, which has the same shape.
 */
export const JOB_VERSION = '1.0';
export const OPEN_SEAT = 'open-seat';
/** What the contract asks of it; a shorter lease is a matter of tests. */
const SHORTEST_LOCK_SECONDS = 30;

export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'paused', 'suppressed', 'unsubscribed'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface JobPreferences {
  readonly notifyOn?: readonly string[];
  readonly maxNotifications?: number;
  readonly deliveryWindow?: { readonly startMinutes?: number; readonly endMinutes?: number };
  readonly snoozeUntil?: string;
}

type Values = Readonly<Record<string, unknown>>;

export interface NotificationJob {
  readonly version: typeof JOB_VERSION;
  readonly notificationId: number;
  readonly openEventId: number;
  readonly subscriptionId: number;
  readonly dedupeKey: string;
  readonly traceId?: string;
  readonly locale: string;
  readonly recipient: { readonly email: string; readonly name?: string };
  readonly template: { readonly id: string; readonly version?: string; readonly variables: Values };
  readonly event: Values & { readonly eventAt: string };
  readonly subscription?: Values & {
    readonly status: SubscriptionStatus;
    readonly contactType: 'email';
    readonly contactValue?: string;
    readonly preferences?: JobPreferences;
  };
  readonly links: { readonly manageUrl?: string; readonly unsubscribeUrl?: string };
  readonly deliveryPolicy?: {
    readonly maxAttempts?: number;
    readonly lockTtlSeconds?: number;
    readonly retryScheduleMs?: readonly number[];
  };
}

/** A notification about a seat that is open. */
export interface MailJob extends NotificationJob {
  readonly template: NotificationJob['template'] & {
    readonly id: typeof OPEN_SEAT;
    readonly variables: Values & {
      readonly courseTitle: string;
      readonly courseString: string;
      readonly sectionIndex: string;
      readonly sectionNumber: string;
      readonly meetingSummary: string;
      readonly manageUrl: string;
    };
  };
  readonly event: NotificationJob['event'] & {
    readonly termId: string;
    readonly campusCode: string;
    readonly indexNumber: string;
    readonly statusAfter: string;
  };
}

/** An event as its jobs tell of it. One for all of its recipients: what they share is rendered once. */
export interface JobEvent {
  /** Its serial: the contract wants integers. */
  readonly number: number;
  readonly dedupeKey: string;
  readonly traceId: string | null;
  readonly template: { readonly id: string; readonly version: string | null };
  readonly eventAt: string;
  readonly payload: Values;
  /** What templates see of it, whoever reads them. */
  readonly variables: Values;
}

export interface JobEventFacts extends Omit<JobEvent, 'variables' | 'dedupeKey' | 'eventAt'> {
  readonly eventAt: number;
  /** None: every event is its own. */
  readonly dedupeKey: string | null;
}

/** What belongs to the recipient, whatever a payload says. */
const OWN = ['manageUrl', 'unsubscribeUrl'];

export function jobEventOf(facts: JobEventFacts): JobEvent {
  const { number, dedupeKey, traceId, template, payload } = facts;
  const eventAt = new Date(facts.eventAt).toISOString();
  const sectionIndex = payload['sectionIndex'] ?? payload['indexNumber'];
  const said = Object.entries(payload).filter(([name]) => !OWN.includes(name));
  const variables = {
    eventDetectedAt: eventAt,
    ...Object.fromEntries(said),
    ...(sectionIndex !== undefined && { sectionIndex }),
  };
  const key = dedupeKey ?? `event:${number}`;
  return { number, dedupeKey: key, traceId, template, eventAt, payload, variables };
}

export interface JobSubscription {
  readonly number: number;
  readonly status: SubscriptionStatus;
  /** The address as it was given. */
  readonly email: string;
  readonly name: string | null;
  readonly preferences: JobPreferences;
}

export interface JobFacts {
  /** The serial of the message. */
  readonly message: number;
  readonly event: JobEvent;
  readonly subscription: JobSubscription;
  /** The subscription's, else the workspace's. */
  readonly locale: string;
  readonly links: { readonly manageUrl: string; readonly unsubscribeUrl: string };
  readonly policy: { readonly maxAttempts: number; readonly delaysSeconds: readonly number[] };
  readonly leaseSeconds: number;
}

/** Everything that a sender may know of one notification. Whether it keeps the contract says `jobFault`. */
export function buildJob(facts: JobFacts): NotificationJob {
  const { message, event, subscription, locale, links, policy, leaseSeconds } = facts;
  const { email, name, status, preferences } = subscription;
  const { id, version } = event.template;
  return {
    version: JOB_VERSION,
    ...{ notificationId: message, openEventId: event.number, subscriptionId: subscription.number },
    dedupeKey: event.dedupeKey,
    ...(event.traceId !== null && { traceId: event.traceId }),
    locale,
    recipient: { email, ...(name !== null && name !== '' && { name }) },
    template: { id, ...(version !== null && { version }), variables: { ...event.variables, ...links } },
    event: { ...event.payload, eventAt: event.eventAt },
    subscription: { status, contactType: 'email', contactValue: email, preferences },
    links,
    deliveryPolicy: {
      maxAttempts: policy.maxAttempts,
      lockTtlSeconds: Math.max(SHORTEST_LOCK_SECONDS, Math.round(leaseSeconds)),
      retryScheduleMs: policy.delaysSeconds.map((seconds) => Math.round(seconds * 1_000)),
    },
  };
}

/** Of which a message dies, or a job that was handed in is refused. */
export interface JobFault {
  readonly code: 'template_missing_variable' | 'mail_job_invalid' | 'mail_job_version';
  /** A JSON pointer to what is wrong or missing: `/template/variables/courseTitle`. */
  readonly path: string;
  /** For people: a whole sentence. */
  readonly message: string;
}

/** What is wrong with a job by the contract of its template; undefined: nothing. */
export function jobFault(job: NotificationJob): JobFault | undefined {
  const { validate } = job.template.id === OPEN_SEAT ? mailJob : notificationJob;
  return validate(job) ? undefined : faultOf(validate.errors?.[0]);
}

/**
 * A job that another producer hands in. Version 1.0 is taken as it is; of a newer 1.x the fields that 1.0 does not know
 * are dropped first, because a minor version only adds what may be missing; another major is refused.
 */
export function readMailJob(given: unknown): { readonly job: MailJob } | { readonly fault: JobFault } {
  const version = (given as { version?: unknown } | null | undefined)?.version;
  const [, major, minor] = (typeof version === 'string' ? VERSION.exec(version) : null) ?? [];
  if (major !== undefined && major !== '1') {
    const message = `jobs of version ${version as string} are not known here; the newest is ${JOB_VERSION}`;
    return { fault: { code: 'mail_job_version', path: '/version', message } };
  }
  const isNewer = minor !== undefined && Number(minor) > 0;
  const job = isNewer ? { ...(known(given, mailJob.closed) as object), version: JOB_VERSION } : given;
  const { validate } = mailJob;
  return validate(job) ? { job: whole(job as MailJob) } : { fault: faultOf(validate.errors?.[0]) };
}

/** As the contract fills it in. */
const whole = (job: MailJob): MailJob => ({
  ...job,
  template: { ...job.template, version: job.template.version ?? 'v1' },
});

const VERSION = /^(\d{1,4})\.(\d{1,4})$/;

/** Without what its closed objects do not know; what they are made of is not looked at. */
function known(given: unknown, { fields, below = {} }: Closed): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const kept = Object.entries(given)
    .filter(([name]) => fields === undefined || fields.includes(name))
    .map(([name, value]) => {
      const closed = Object.hasOwn(below, name) ? below[name] : undefined;
      return [name, closed ? known(value, closed) : value] as const;
    });
  return Object.fromEntries(kept);
}

const LONGEST_PATH = 300;

function faultOf(error: ValidationError | undefined): JobFault {
  const { instancePath = '', keyword, params = {}, message = 'is malformed' } = error ?? {};
  const name = params['missingProperty'] ?? params['additionalProperty'];
  const path = typeof name === 'string' ? `${instancePath}/${pointed(name)}` : instancePath;
  const shown = forPeople(path, LONGEST_PATH);
  const isVariable = keyword === 'required' && instancePath === '/template/variables';
  return {
    code: isVariable ? 'template_missing_variable' : 'mail_job_invalid',
    path: shown,
    message: `${shown === '' ? 'the job' : shown} ${wordsFor(keyword, message, params)}`,
  };
}

const pointed = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function wordsFor(keyword: string | undefined, message: string, params: Values): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not known';
  const allowed = params['allowedValues'];
  if (Array.isArray(allowed)) return `must be ${allowed.map((each) => `“${String(each)}”`).join(' or ')}`;
  if (keyword === 'const') return `must be “${String(params['allowedValue'])}”`;
  if (keyword === 'format') return `is not what the format “${String(params['format'])}” asks for`;
  return message;
}
