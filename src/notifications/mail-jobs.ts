import { hash } from 'node:crypto';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import type { LaneDelivery } from '../core/delivery-settings.js';
import { PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import { readMailJob, type MailJob } from '../core/mail-job.js';
import { RETRY_LIMITS, writeRetryPolicy } from '../core/retry.js';
import { plainCopy } from '../shapes/plain.js';
import type { Account } from '../store/scripts/accounts.js';
import { readMessages } from '../store/scripts/messages.js';
import { INLINE_CONTENT_BYTES, type Enqueued, type NewMessage, type Store } from '../store/store.js';
import { notificationChannel } from './events.js';
import type { PassDoor } from './subscriptions.js';

export type HandedIn =
  | { readonly id: string; readonly state: State }
  /** It was handed in before: nobody is told twice. */
  | { readonly id: string; readonly duplicate: true };

const LONGEST_KEY = 255;
/** Characters: of what is larger no more is looked at. */
const LARGEST_JOB = INLINE_CONTENT_BYTES;

/** Jobs by the mail job contract that other producers hand in. Their numbers are their own. */
export class MailJobs {
  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly lane: () => Promise<LaneDelivery>,
    private readonly door: PassDoor,
  ) {}

  /** Throws `mail_job_invalid` with the path of what is wrong, or `mail_job_version`; then nothing was stored. */
  async handIn(given: unknown): Promise<HandedIn> {
    const plain = plainCopy(given, LARGEST_JOB);
    if ('fault' in plain)
      throw wrong(plain.fault.path.map((part) => `/${String(part)}`).join(''), plain.fault.text);
    const read = readMailJob(plain.value);
    if ('fault' in read) {
      const { code, message, path } = read.fault;
      throw new PillarboxError(code === 'mail_job_version' ? code : 'mail_job_invalid', message, {
        field: path,
      });
    }
    const { store, account } = this;
    const { job } = read;
    const lane = await this.lane();
    const channelId = await store.transaction(() => notificationChannel(store, account.id, lane.guarded));
    const message = messageOf(job, account, channelId, lane);
    await this.door([message.recipient], (script) => store.transaction(script));
    const [enqueued] = await store.enqueue([message]);
    const { id: number, duplicate } = enqueued as Enqueued;
    const id = formatId('message', number);
    if (duplicate) return { id, duplicate };
    const [stored] = await store.read(readMessages(store, account.workspaceId, [number]));
    return { id, state: stored?.state ?? 'scheduled' };
  }
}

const wrong = (path: string, text: string): PillarboxError =>
  new PillarboxError('mail_job_invalid', `${path || 'the job'} ${text}`, { field: path });

function messageOf(job: MailJob, account: Account, channelId: number, lane: LaneDelivery): NewMessage {
  const mail = JSON.stringify({ job });
  if (Buffer.byteLength(mail) > INLINE_CONTENT_BYTES)
    throw wrong('', `is larger than ${String(INLINE_CONTENT_BYTES / 1_024)} KB`);
  const idempotencyKey = `job:${job.dedupeKey}:${String(job.subscriptionId)}`;
  if (idempotencyKey.length > LONGEST_KEY) throw wrong('/dedupeKey', 'is too long');
  const address = parseAddress(job.recipient.email);
  if ('fault' in address) throw wrong('/recipient/email', ADDRESS_FAULT_TEXT[address.fault]);
  const { expirySeconds } = lane;
  return {
    ...{ workspaceId: account.workspaceId, channelId, lane: 'notification', action: 'email' },
    ...{ idempotencyKey, bodyHash: hash('sha256', mail, 'base64url').slice(0, 22) },
    recipient: address.address,
    recipientName: job.recipient.name ?? null,
    sender: account.emailAddress,
    subject: null,
    dueAt: null,
    expiresAt: expirySeconds === null ? null : Date.parse(job.event.eventAt) + expirySeconds * 1_000,
    retryPolicy: policyOf(job, lane),
    doubtPolicy: lane.onDoubt,
    transactional: false,
    traceId: job.traceId ?? null,
    mail,
  };
}

/** The producer's own, within what anybody may ask for; what he does not say is the lane's. */
function policyOf({ deliveryPolicy }: MailJob, lane: LaneDelivery): string {
  const { maxAttempts, retryScheduleMs } = deliveryPolicy ?? {};
  if (maxAttempts === undefined && retryScheduleMs === undefined) return writeRetryPolicy(lane.retryPolicy);
  const delays = (retryScheduleMs ?? DEFAULT_SCHEDULE_MS).map((ms) =>
    Math.min(ms / 1_000, RETRY_LIMITS.delaySeconds),
  );
  return writeRetryPolicy({
    maxAttempts: Math.min(maxAttempts ?? 3, RETRY_LIMITS.maxAttempts),
    delaysSeconds: delays.length === 0 ? [0] : delays.slice(0, RETRY_LIMITS.maxAttempts),
  });
}

/** As the contract says where a job does not. */
const DEFAULT_SCHEDULE_MS = [0, 2_000, 7_000];
