import { formatId, formatMessageId } from '../../core/ids.js';
import { notificationKey } from '../../core/key.js';
import { domainOf } from '../../core/address.js';
import { rescheduleReason } from '../../core/explain.js';
import { explainGuard, type GuardExplanation } from '../../core/explain-guard.js';
import { leavesAt, waitingState } from '../../core/lifecycle.js';
import type { Attempt, DeadReason, Message } from '../../core/message.js';
import { plannedAttempts, readRetryPolicy } from '../../core/retry.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readGuardStanding } from './guard-standing.js';
import { Question } from './question.js';

/**
 * Messages as people see them, in the order of the ids; unknown ones, and other workspaces', are left out. Without
 * `now` nothing is said about cool-downs.
 */
export function* readMessages(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
  now = Infinity,
): Script<readonly Message[]> {
  if (ids.length === 0) return [];
  const rows = yield* ask(
    store.db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .leftJoin('due as d', 'd.message_id', 'm.id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .selectAll('m')
      .select([
        'c.account_id',
        'c.paused_at',
        'c.guarded',
        'a.cooldown_until',
        'c.blocked_until',
        'd.due_at',
        'd.queued_at',
        'd.tried',
        'o.state',
        'o.reason',
        'o.attempts as final_attempts',
        'o.finished_at',
      ])
      .where('m.workspace_id', '=', workspaceId)
      .where((eb) => among(store, eb.ref('m.id'), ids)),
  );
  const leases = yield* leasesOf(
    store,
    rows.filter((row) => row.state === null && row.due_at === null).map((row) => row.id),
  );
  const slots = yield* slotsOf(
    store,
    rows.filter((row) => row.guarded === 1 && row.due_at !== null).map((row) => row.channel_id),
    now,
  );
  const messages = new Map(
    rows.map((row): [number, Message] => {
      const slot = slots.get(row.channel_id);
      const state =
        row.state ?? (row.due_at === null ? 'sending' : waitingState(row.tried === 1, row.queued_at));
      const lease = leases.get(row.id);
      const leaves = row.due_at === null ? null : leavesAt(row.due_at, row.queued_at);
      return [
        row.id,
        {
          id: formatId('message', row.id),
          number: row.id,
          workspaceId: formatId('workspace', row.workspace_id),
          lane: row.lane,
          action: row.action,
          accountId: formatId('account', row.account_id),
          to: { email: row.recipient_given ?? row.recipient, name: row.recipient_name },
          subject: row.subject,
          state,
          idempotencyKey: shownKey(row),
          dedupeKey: shownKey(row) ?? formatId('message', row.id),
          messageId: formatMessageId(row.id, store.installation, domainOf(row.sender)),
          scheduledFor: row.scheduled_for,
          queuedAt: row.queued_at,
          nextAttemptAt: leaves === null ? null : Math.max(leaves, slot?.until ?? 0),
          attempts: row.final_attempts ?? row.attempts,
          maxAttempts: readRetryPolicy(row.retry_policy).maxAttempts,
          leaseLosses: row.lease_losses,
          lastError:
            row.error_class === null || state === 'sent'
              ? null
              : { class: row.error_class, code: row.error_code ?? '', message: row.error ?? '' },
          deadReason: state === 'dead' ? (row.reason as DeadReason) : null,
          reason: row.reason,
          rescheduleReason:
            leaves === null
              ? null
              : (rescheduleReason({
                  now,
                  dueAt: leaves,
                  pausedAt: row.paused_at,
                  blockedUntil: row.guarded === 1 ? row.cooldown_until : row.blocked_until,
                }) ?? (slot && (slot.until ?? Infinity) > leaves ? slot.reason : null)),
          expiresAt: row.expires_at,
          traceId: row.trace_id,
          threadId: row.thread_id,
          campaignId: row.campaign_id === null ? null : formatId('campaign', row.campaign_id),
          contactId: row.contact_id === null ? null : formatId('contact', row.contact_id),
          sequenceId: row.sequence_id === null ? null : formatId('sequence', row.sequence_id),
          stepNumber: row.step_number,
          eventId: row.event_id === null ? null : formatId('event', row.event_id),
          subscriptionId: row.subscription_id === null ? null : formatId('subscription', row.subscription_id),
          lockedBy: lease?.owner ?? null,
          lockedUntil: lease?.until ?? null,
          sentAt: state === 'sent' ? row.finished_at : null,
          createdAt: row.created_at,
          updatedAt: row.finished_at ?? row.created_at,
        },
      ];
    }),
  );
  return ids.flatMap((id) => messages.get(id) ?? []);
}

/** Of a notification it is its event and its subscription. */
const shownKey = (row: {
  readonly idempotency_key: string | null;
  readonly event_id: number | null;
  readonly subscription_id: number | null;
}): string | null =>
  row.event_id === null || row.subscription_id === null
    ? row.idempotency_key
    : notificationKey(row.event_id, row.subscription_id);

/** When the first of each guarded channel may leave, and what keeps it; a channel that is open is not among them. */
function* slotsOf(
  store: Store,
  channelIds: readonly number[],
  now: number,
): Script<ReadonlyMap<number, GuardExplanation>> {
  const slots = new Map<number, GuardExplanation>();
  // Without a time nothing is said about what time decides.
  if (now === Infinity) return slots;
  for (const channelId of new Set(channelIds)) {
    const standing = yield* readGuardStanding(store, channelId, 'first', now);
    const slot = standing && explainGuard(standing);
    if (slot) slots.set(channelId, slot);
  }
  return slots;
}

interface Holder {
  readonly owner: string;
  readonly until: number;
  readonly handed: boolean;
}

/** Which lease holds each of these messages. */
export function* leasesOf(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, Holder>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; owner: string; until: number; handed: boolean | number }>(
    store.dialect === 'postgres'
      ? `select leased.id, l.owner, l.until, leased.id = any(l.handed) as handed
         from ${store.at('leases')} l cross join lateral unnest(l.ids) as leased(id)
         where ${question.among('leased.id', ids)}`
      : `select leased.value as id, l.owner, l.until,
           exists (select 1 from json_each(l.handed) h where h.value = leased.value) as handed
         from leases l, json_each(l.ids) leased where ${question.among('leased.value', ids)}`,
  );
  return new Map(
    rows.map(({ id, owner, until, handed }) => [
      id,
      { owner, until: store.timeOfDay(until), handed: Boolean(handed) },
    ]),
  );
}

/** The engine's tries, oldest first; or the caller's own, of which there is at most one. */
export function* readAttempts(
  { db }: Store,
  workspaceId: number,
  id: number,
  { inline }: { readonly inline: boolean } = { inline: false },
): Script<readonly Attempt[]> {
  const rows = yield* ask(
    db
      .selectFrom('attempts as a')
      .innerJoin('messages as m', 'm.id', 'a.message_id')
      .selectAll('a')
      .where('a.message_id', '=', id)
      .where('m.workspace_id', '=', workspaceId)
      .where('a.inline', '=', inline ? 1 : 0)
      .orderBy('a.lease_id'),
  );
  return rows.map((row, index) => ({
    number: index + 1,
    startedAt: row.started_at,
    handedOverAt: row.handed_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    errorClass: row.error_class,
    errorCode: row.error_code,
    errorMessage: row.error,
    providerMessageId: row.provider_message_id,
    workerId: row.worker,
  }));
}

/** When the tries that are left would begin; none while its account is paused, or when it does not wait. */
export function* readPlannedAttempts(
  { db }: Store,
  workspaceId: number,
  id: number,
  now: number,
): Script<readonly number[]> {
  const row = yield* askOne(
    db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .innerJoin('due as d', 'd.message_id', 'm.id')
      .select([
        'm.retry_policy',
        'm.attempts',
        'd.due_at',
        'd.queued_at',
        'c.paused_at',
        'c.blocked_until',
        'c.guarded',
        'a.cooldown_until',
      ])
      .where('m.workspace_id', '=', workspaceId)
      .where('m.id', '=', id),
  );
  if (row?.paused_at !== null) return [];
  const nextAt = Math.max(
    now,
    leavesAt(row.due_at, row.queued_at),
    row.guarded === 1 ? row.cooldown_until : row.blocked_until,
  );
  return plannedAttempts(readRetryPolicy(row.retry_policy), row.attempts, nextAt);
}

/** The frozen mail as it was stored; undefined once retention has removed it. */
export function* readContent({ db }: Store, id: number): Script<string | undefined> {
  const [row] = yield* ask(db.selectFrom('contents').select('mail').where('message_id', '=', id));
  return row?.mail;
}

/** The jobs among these that were handed in and of which no mail was made yet, as JSON. */
export function* readHandedIn(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('contents')
      .select(['message_id', 'mail'])
      .where((eb) => among(store, eb.ref('message_id'), ids))
      .where('mail', 'like', '{"job":%'),
  );
  return new Map(rows.map((row) => [row.message_id, row.mail]));
}

/** What was made to be sent and may have left; what is stored already was first, and stays. */
export function* keepContent({ db }: Store, id: number, mail: string): Script<void> {
  yield* ask(
    db
      .insertInto('contents')
      .values({ message_id: id, bytes: Buffer.byteLength(mail), mail })
      // A job is what it was made of: from here on the mail itself is kept.
      .onConflict((conflict) =>
        conflict
          .column('message_id')
          .doUpdateSet((eb) => ({ mail: eb.ref('excluded.mail'), bytes: eb.ref('excluded.bytes') }))
          .where('contents.mail', 'like', '{"job":%'),
      ),
  );
}

/** The Date of its first try, which all others repeat; undefined before that. */
export function* readDate({ db }: Store, id: number): Script<number | undefined> {
  const [message] = yield* ask(db.selectFrom('messages').select('dated_at').where('id', '=', id));
  if (message?.dated_at != null) return message.dated_at;
  const [first] = yield* ask(
    db.selectFrom('attempts').select('claimed_at').where('message_id', '=', id).orderBy('lease_id').limit(1),
  );
  return first?.claimed_at;
}

/** Whether there is any, in whatever workspace. */
export function* hasMessages({ db }: Store): Script<boolean> {
  return (yield* askOne(db.selectFrom('messages').select('id').limit(1))) !== undefined;
}
