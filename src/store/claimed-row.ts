import { firstValue, MESSAGE_COLUMNS, type MessagesTable } from './message-columns.js';
import {
  INLINE_CONTENT_BYTES,
  type Claim,
  type ClaimedMessage,
  type Enqueued,
  type NewMessage,
} from './store.js';

/** What a claim finds beside the row in `messages`. */
interface Beside {
  readonly suppressed: boolean | number;
  readonly bytes: number | null;
  /** Null if it is large. */
  readonly mail: string | null;
  readonly guarded: boolean | number;
  /** What `readPlanned` takes, as a JSON array; null if nothing of it is there. */
  readonly planned: string | null;
}

type ClaimedRow = MessagesTable & Beside;
type Take = <Name extends keyof ClaimedRow>(name: Name) => ClaimedRow[Name];

/** What campaigns and notifications alone have. One column for all of it: most messages have none of it to pay for. */
const readPlanned = (take: Take) => ({
  campaignId: take('campaign_id'),
  contactId: take('contact_id'),
  sequenceId: take('sequence_id'),
  sequenceVersion: take('sequence_version'),
  stepNumber: take('step_number'),
  closesAt: take('closes_at'),
  eventId: take('event_id'),
  subscriptionId: take('subscription_id'),
});

const PLANNED = namesIn(readPlanned);
const NOT_PLANNED = readPlanned(() => null as never);

const plannedOf = (text: string | null): ReturnType<typeof readPlanned> =>
  text === null ? NOT_PLANNED : readPlanned(inTurn(JSON.parse(text) as readonly unknown[]));

/**
 * What a worker must know of a message, and where it stands. Each name is taken once, and always: their order here is
 * the order of the columns. A literal, because V8 makes an object from a loop over names ten times as slowly.
 */
const read = (take: Take): ClaimedMessage => {
  const {
    campaignId,
    contactId,
    sequenceId,
    sequenceVersion,
    stepNumber,
    closesAt,
    eventId,
    subscriptionId,
  } = plannedOf(take('planned'));
  return {
    id: take('id'),
    workspaceId: take('workspace_id'),
    channelId: take('channel_id'),
    lane: take('lane'),
    action: take('action'),
    idempotencyKey: take('idempotency_key'),
    recipient: take('recipient'),
    sender: take('sender'),
    expiresAt: take('expires_at'),
    retryPolicy: take('retry_policy'),
    doubtPolicy: take('doubt_policy'),
    transactional: take('transactional') === 1,
    threadId: take('thread_id'),
    attempts: take('attempts'),
    doubts: take('doubts'),
    loneLosses: take('lone_losses'),
    leaseLosses: take('lease_losses'),
    datedAt: take('dated_at'),
    suppressed: Boolean(take('suppressed')),
    bytes: take('bytes') ?? 0,
    mail: take('mail'),
    scheduledFor: take('scheduled_for'),
    guarded: Boolean(take('guarded')),
    campaignId,
    contactId,
    sequenceId,
    sequenceVersion,
    stepNumber,
    closesAt,
    eventId,
    subscriptionId,
  };
};

const NAMES = namesIn(read);

/** In the order in which they are taken. */
function namesIn(reader: (take: Take) => unknown): readonly (keyof ClaimedRow)[] {
  const names: (keyof ClaimedRow)[] = [];
  reader((name) => {
    names.push(name);
    return null as never;
  });
  return names;
}

/** From an array: making five hundred objects only to copy them costs as much as the look-ups. */
function inTurn(row: readonly unknown[]): Take {
  let next = 0;
  return () => row[next++] as never;
}

const isColumn = (name: keyof ClaimedRow): name is keyof MessagesTable => name in MESSAGE_COLUMNS;

/** How many columns of a claim are the message's; what a statement adds stands behind them. */
export const CLAIMED_COLUMNS = NAMES.length;

/** What differs between databases and claims. */
interface Expressions {
  readonly suppressed: string;
  readonly guarded: string;
  /** The function that makes a JSON array of columns. */
  readonly array: 'json_build_array' | 'json_array';
}

/** `m` is the row in `messages`, `x` that in `contents`. */
export const claimedColumns = ({ suppressed, guarded, array }: Expressions): string => {
  const planned = PLANNED.map((name) => `m.${name}`).join(', ');
  const beside: Record<keyof Beside, string> = {
    suppressed,
    guarded,
    planned: `case when coalesce(${planned}) is not null then cast(${array}(${planned}) as text) end`,
    bytes: 'x.bytes',
    mail: `case when x.bytes <= ${String(INLINE_CONTENT_BYTES)} then x.mail end`,
  };
  return NAMES.map((name) => (isColumn(name) ? `m.${name}` : beside[name])).join(', ');
};

export const toClaimedMessage = (row: readonly unknown[]): ClaimedMessage => read(inTurn(row));

/** What of these was just stored, in the hands of who stored it. */
export const freshClaim = (
  messages: readonly NewMessage[],
  enqueued: readonly Enqueued[],
  lease: number,
  claimedAt: number,
): Claim => ({
  lease,
  claimedAt,
  alone: false,
  inline: true,
  messages: messages.flatMap((message, n) => {
    const { id, duplicate } = enqueued[n] as Enqueued;
    return duplicate ? [] : [toClaimedMessage(freshRow(message, id, claimedAt))];
  }),
});

/** As it would be read. Whether it is suppressed is for the gate to say. */
const freshRow = (message: NewMessage, id: number, now: number): readonly unknown[] => {
  const { mail } = message;
  const first = (name: keyof MessagesTable) => firstValue(MESSAGE_COLUMNS[name], message, now);
  const planned = JSON.stringify(PLANNED.filter(isColumn).map(first));
  const beside: Beside = { suppressed: false, bytes: mail?.length ?? 0, mail, guarded: false, planned };
  return NAMES.map((name) => {
    if (name === 'id') return id;
    return isColumn(name) ? first(name) : beside[name];
  });
};
