import type { AttemptOutcome, DoubtPolicy } from '#pillarbox/core/message';
import type { FinishedState } from '#pillarbox/core/lifecycle';
import { askCompiled, type Script } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';

/** A place in which a message was found; `dueAt` only if it waits. */
export type Place =
  | { readonly in: 'due'; readonly dueAt: number }
  | { readonly in: 'lease' }
  | { readonly in: 'outcomes'; readonly state: FinishedState; readonly reason: string | null };

/** All that the database knows of a message, read past the product's own way of showing it. */
export interface Registered {
  readonly id: number;
  readonly to: string;
  readonly policy: DoubtPolicy;
  readonly leaseLosses: number;
  readonly places: readonly Place[];
  readonly attempts: readonly AttemptOutcome[];
}

/** Every message and where it is: one statement a table family, so that no move can slip between two places. */
export function* census(store: Store): Script<readonly Registered[]> {
  const { at } = store;
  const messages = yield* rows<{
    id: number;
    recipient: string;
    doubt_policy: DoubtPolicy;
    lease_losses: number;
  }>(`select id, recipient, doubt_policy, lease_losses from ${at('messages')} order by id`);
  const attempts = yield* rows<{ message_id: number; outcome: AttemptOutcome }>(
    `select message_id, outcome from ${at('attempts')} order by lease_id`,
  );
  const places = yield* rows<PlaceRow>(
    `select message_id as id, 'due' as place, due_at, null as state, null as reason from ${at('due')}
     union all select id, 'lease', null, null, null from (${leasedIds(store)}) leased
     union all select message_id, 'outcomes', null, state, reason from ${at('outcomes')}`,
  );
  const attemptsOf = grouped(attempts, (attempt) => attempt.message_id);
  const placesOf = grouped(places, (place) => place.id);
  return messages.map(({ id, recipient, doubt_policy, lease_losses }) => ({
    id,
    to: recipient,
    policy: doubt_policy,
    leaseLosses: lease_losses,
    places: (placesOf.get(id) ?? []).map(toPlace),
    attempts: (attemptsOf.get(id) ?? []).map(({ outcome }) => outcome),
  }));
}

/** What is in flight, and when the next message is due. */
export function* ahead(
  store: Store,
): Script<{ readonly inFlight: number; readonly nextDueAt: number | null }> {
  const [row] = yield* rows<{ in_flight: number; next_due_at: number | null }>(
    `select (select count(*) from (${leasedIds(store)}) leased) as in_flight,
       (select min(due_at) from ${store.at('due')}) as next_due_at`,
  );
  return { inFlight: row!.in_flight, nextDueAt: row!.next_due_at };
}

/** Each lease, and when it runs out. */
export function* leasesOf(store: Store): Script<ReadonlyMap<number, number>> {
  const leases = yield* rows<{ id: number; until: number }>(`select id, until from ${store.at('leases')}`);
  return new Map(leases.map(({ id, until }) => [id, until]));
}

interface PlaceRow {
  id: number;
  place: Place['in'];
  due_at: number | null;
  state: FinishedState | null;
  reason: string | null;
}

function toPlace({ place, due_at, state, reason }: PlaceRow): Place {
  if (place === 'outcomes') return { in: place, state: state!, reason };
  return place === 'due' ? { in: place, dueAt: due_at! } : { in: place };
}

const leasedIds = ({ dialect, at }: Store): string =>
  dialect === 'postgres'
    ? `select leased.id from ${at('leases')} l cross join lateral unnest(l.ids) as leased(id)`
    : 'select leased.value as id from leases l, json_each(l.ids) leased';

const rows = <Row>(sql: string): Script<readonly Row[]> => askCompiled<Row>({ sql, parameters: [] });

export function grouped<Key, T>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
