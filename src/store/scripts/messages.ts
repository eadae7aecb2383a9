import { formatId, formatMessageId } from '../../core/ids.js';
import { domainOf } from '../../core/address.js';
import { STATES, waitingState, type FinishedState, type State } from '../../core/lifecycle.js';
import type { Attempt, DeadReason, Lane, Message } from '../../core/message.js';
import { readRetryPolicy } from '../../core/retry.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface MessageFilter {
  readonly states?: readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  readonly to?: string | undefined;
  /** Only ids below this one: the keyset of the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. First the ids, from the place where such messages are, then the rows: a page costs a page. */
export function* listMessages(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
): Script<readonly Message[]> {
  const ids = yield* pageOfIds(store, workspaceId, filter);
  return yield* readMessages(store, workspaceId, ids);
}

function* pageOfIds(store: Store, workspaceId: number, filter: MessageFilter): Script<readonly number[]> {
  if (!filter.states) return yield* idsOfAll(store, workspaceId, filter);
  const places = new Set(filter.states.map((state) => STATES[state].place));
  const ids: number[] = [];
  if (places.has('due')) ids.push(...(yield* idsInDue(store, workspaceId, filter, filter.states)));
  if (places.has('lease')) ids.push(...(yield* idsInLeases(store, workspaceId, filter)));
  if (places.has('outcome')) {
    // State by state: each is one stretch of one index.
    for (const state of filter.states.filter((each) => STATES[each].place === 'outcome')) {
      ids.push(...(yield* idsInOutcomes(store, workspaceId, filter, state as FinishedState)));
    }
  }
  return ids.sort((a, b) => b - a).slice(0, filter.limit);
}

const NO_BOUND = Number.MAX_SAFE_INTEGER;

function* idsOfAll({ db }: Store, workspaceId: number, filter: MessageFilter): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '<', filter.before ?? NO_BOUND)
      .$if(filter.lane !== undefined, (query) => query.where('lane', '=', filter.lane as Lane))
      .$if(filter.to !== undefined, (query) => query.where('recipient', '=', filter.to as string))
      .orderBy('id', 'desc')
      .limit(filter.limit),
  );
  return rows.map((row) => row.id);
}

function* idsInDue(
  { db }: Store,
  workspaceId: number,
  filter: MessageFilter,
  states: readonly State[],
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('due')
      .innerJoin('messages', 'messages.id', 'due.message_id')
      .select('due.message_id as id')
      .where('due.workspace_id', '=', workspaceId)
      .where('due.message_id', '<', filter.before ?? NO_BOUND)
      .where((eb) =>
        eb.or([
          ...(states.includes('queued') ? [eb('due.queued_at', 'is not', null)] : []),
          ...(states.includes('scheduled')
            ? [eb.and([eb('due.queued_at', 'is', null), eb('due.tried', '=', 0)])]
            : []),
          ...(states.includes('retry_scheduled')
            ? [eb.and([eb('due.queued_at', 'is', null), eb('due.tried', '=', 1)])]
            : []),
        ]),
      )
      .$if(filter.lane !== undefined, (query) => query.where('messages.lane', '=', filter.lane as Lane))
      .$if(filter.to !== undefined, (query) => query.where('messages.recipient', '=', filter.to as string))
      .orderBy('due.message_id', 'desc')
      .limit(filter.limit),
  );
  return rows.map((row) => row.id);
}

function* idsInOutcomes(
  { db }: Store,
  workspaceId: number,
  filter: MessageFilter,
  state: FinishedState,
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('outcomes')
      .innerJoin('messages', 'messages.id', 'outcomes.message_id')
      .select('outcomes.message_id as id')
      .where('outcomes.workspace_id', '=', workspaceId)
      .where('outcomes.state', '=', state)
      .where('outcomes.message_id', '<', filter.before ?? NO_BOUND)
      .$if(filter.lane !== undefined, (query) => query.where('messages.lane', '=', filter.lane as Lane))
      .$if(filter.to !== undefined, (query) => query.where('messages.recipient', '=', filter.to as string))
      .orderBy('outcomes.message_id', 'desc')
      .limit(filter.limit),
  );
  return rows.map((row) => row.id);
}

/** What is in flight is at most a few batches: unpacked here, filtered by the rows' own look-up. */
function* idsInLeases(store: Store, workspaceId: number, filter: MessageFilter): Script<readonly number[]> {
  const rows = yield* askCompiled<{ id: number }>({
    sql:
      store.dialect === 'postgres'
        ? `select held.id from ${store.at('leases')} l cross join lateral unnest(l.ids) as held(id) where held.id < $1`
        : `select held.value as id from leases l, json_each(l.ids) held where held.value < ?1`,
    parameters: [filter.before ?? NO_BOUND],
  });
  if (rows.length === 0) return [];
  const own = yield* ask(
    store.db
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', rows.map((row) => row.id).slice(0, IDS_PER_STATEMENT))
      .$if(filter.lane !== undefined, (query) => query.where('lane', '=', filter.lane as Lane))
      .$if(filter.to !== undefined, (query) => query.where('recipient', '=', filter.to as string))
      .orderBy('id', 'desc')
      .limit(filter.limit),
  );
  return own.map((row) => row.id);
}

const IDS_PER_STATEMENT = 10_000;

/** Messages as people see them, in the order of the ids; unknown ones, and other workspaces', are left out. */
export function* readMessages(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
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
          expiresAt: row.expires_at,
          traceId: row.trace_id,
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

/** The frozen mail as it was stored; undefined once retention has removed it. */
export function* readContent({ db }: Store, id: number): Script<string | undefined> {
  const [row] = yield* ask(db.selectFrom('contents').select('mail').where('message_id', '=', id));
  return row?.mail;
}
