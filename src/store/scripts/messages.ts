import { formatId, formatMessageId } from '../../core/ids.js';
import { domainOf } from '../../core/address.js';
import { rescheduleReason } from '../../core/explain.js';
import { waitingState } from '../../core/lifecycle.js';
import type { Attempt, DeadReason, Message } from '../../core/message.js';
import { plannedAttempts, readRetryPolicy } from '../../core/retry.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

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
      .leftJoin('due as d', 'd.message_id', 'm.id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .selectAll('m')
      .select([
        'c.account_id',
        'c.paused_at',
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
      .where('m.id', 'in', ids),
  );
  const leases = yield* leasesOf(
    store,
    rows.filter((row) => row.state === null && row.due_at === null).map((row) => row.id),
  );
  const messages = new Map(
    rows.map((row): [number, Message] => {
      const state =
        row.state ?? (row.due_at === null ? 'sending' : waitingState(row.tried === 1, row.queued_at));
      const lease = leases.get(row.id);
      return [
        row.id,
        {
          id: formatId('message', row.id),
          number: row.id,
          lane: row.lane,
          action: row.action,
          accountId: formatId('account', row.account_id),
          to: { email: row.recipient, name: row.recipient_name },
          subject: row.subject,
          state,
          idempotencyKey: row.idempotency_key,
          dedupeKey: row.idempotency_key ?? formatId('message', row.id),
          messageId: formatMessageId(row.id, store.installation, domainOf(row.sender)),
          scheduledFor: row.scheduled_for,
          nextAttemptAt: row.due_at,
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
            row.due_at === null
              ? null
              : rescheduleReason({
                  now,
                  dueAt: row.due_at,
                  pausedAt: row.paused_at,
                  blockedUntil: row.blocked_until,
                }),
          expiresAt: row.expires_at,
          traceId: row.trace_id,
          threadId: row.thread_id,
          campaignId: null,
          contactId: null,
          sequenceId: null,
          stepNumber: null,
          eventId: null,
          subscriptionId: null,
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

interface Holder {
  readonly owner: string;
  readonly until: number;
  readonly handed: boolean;
}

/** Which lease holds each of these messages. */
export function* leasesOf(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, Holder>> {
  if (ids.length === 0) return new Map();
  const rows = yield* askCompiled<{ id: number; owner: string; until: number; handed: boolean | number }>({
    sql:
      store.dialect === 'postgres'
        ? `select held.id, l.owner, l.until, held.id = any(l.handed) as handed
           from ${store.at('leases')} l cross join lateral unnest(l.ids) as held(id)
           where held.id in (select value::bigint from json_array_elements_text($1::json))`
        : `select held.value as id, l.owner, l.until,
             exists (select 1 from json_each(l.handed) h where h.value = held.value) as handed
           from leases l, json_each(l.ids) held where held.value in (select value from json_each(?1))`,
    parameters: [JSON.stringify(ids)],
  });
  return new Map(rows.map(({ id, owner, until, handed }) => [id, { owner, until, handed: Boolean(handed) }]));
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
      .innerJoin('due as d', 'd.message_id', 'm.id')
      .select(['m.retry_policy', 'm.attempts', 'd.due_at', 'c.paused_at', 'c.blocked_until'])
      .where('m.workspace_id', '=', workspaceId)
      .where('m.id', '=', id),
  );
  if (row?.paused_at !== null) return [];
  const nextAt = Math.max(now, row.due_at, row.blocked_until);
  return plannedAttempts(readRetryPolicy(row.retry_policy), row.attempts, nextAt);
}

/** The frozen mail as it was stored; undefined once retention has removed it. */
export function* readContent({ db }: Store, id: number): Script<string | undefined> {
  const [row] = yield* ask(db.selectFrom('contents').select('mail').where('message_id', '=', id));
  return row?.mail;
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
