import { FINISHED_STATES } from '../../core/lifecycle.js';
import type { Lane } from '../../core/message.js';
import { sql } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { ACCEPTED, minuteOf, takeTallies, type TallySum } from './tallies.js';

export { ACCEPTED } from './tallies.js';

const HOUR_MS = 3_600_000;
const MINUTES_PER_HOUR = 60;
/** What piled up while nobody folded is worked off in steps: one must not hold SQLite's write lock for long. */
export const TALLIES_AT_ONCE = 20_000;
const ROWS_AT_ONCE = 256;

const COUNTED: readonly string[] = [...FINISHED_STATES, ACCEPTED];

/**
 * Folds the append-only tallies of past minutes into the tables that people's questions are answered from. True: there
 * is more to fold.
 */
export function* foldTallies(store: Store, now: number, limit = TALLIES_AT_ONCE): Script<boolean> {
  const tallies = yield* takeTallies(store, minuteOf(now), limit);
  if (tallies.length === 0) return false;
  const happened = tallies.filter((each) => each.happened > 0 && each.state !== ACCEPTED);
  yield* addToTotals(store, happened);
  yield* addToMinutes(store, happened);
  yield* addToCounts(store, tallies);
  yield* addToDeaths(store, happened);
  yield* addToEvents(store, tallies);
  return tallies.reduce((sum, { rows }) => sum + rows, 0) >= limit;
}

function* addToTotals({ db }: Store, tallies: readonly TallySum[]): Script<void> {
  const rows = summed(tallies, ({ workspaceId, minute, state, happened }) => ({
    workspace_id: workspaceId,
    hour: Math.floor(minute / MINUTES_PER_HOUR) * HOUR_MS,
    state,
    n: happened,
  }));
  for (const values of chunksOf(rows)) {
    yield* ask(
      db
        .insertInto('totals')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'hour', 'state'])
            .doUpdateSet((eb) => ({ n: eb('totals.n', '+', eb.ref('excluded.n')) })),
        ),
    );
  }
}

function* addToMinutes({ db }: Store, tallies: readonly TallySum[]): Script<void> {
  const rows = summed(tallies, ({ workspaceId, minute, channelId, state, happened }) => ({
    workspace_id: workspaceId,
    minute,
    channel_id: channelId,
    state,
    n: happened,
  }));
  for (const values of chunksOf(rows)) {
    yield* ask(
      db
        .insertInto('minutes')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'minute', 'channel_id', 'state'])
            .doUpdateSet((eb) => ({ n: eb('minutes.n', '+', eb.ref('excluded.n')) })),
        ),
    );
  }
}

function* addToDeaths({ db }: Store, tallies: readonly TallySum[]): Script<void> {
  const rows = summed(
    tallies.flatMap((each) => (each.state === 'dead' && each.fingerprint !== null ? each : [])),
    ({ workspaceId, minute, channelId, fingerprint, happened }) => ({
      workspace_id: workspaceId,
      fingerprint: fingerprint ?? '',
      hour: Math.floor(minute / MINUTES_PER_HOUR) * HOUR_MS,
      channel_id: channelId,
      n: happened,
    }),
  );
  for (const values of chunksOf(rows)) {
    yield* ask(
      db
        .insertInto('deaths')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'fingerprint', 'hour', 'channel_id'])
            .doUpdateSet((eb) => ({ n: eb('deaths.n', '+', eb.ref('excluded.n')) })),
        ),
    );
  }
}

function* addToEvents({ db }: Store, tallies: readonly TallySum[]): Script<void> {
  const rows = summed(
    tallies.filter(({ eventId, state }) => eventId !== null && COUNTED.includes(state)),
    ({ eventId, state, reason, change }) => ({
      event_id: eventId ?? 0,
      state,
      reason: reason ?? '',
      n: change,
    }),
  ).filter(({ n }) => n !== 0);
  for (const values of chunksOf(rows)) {
    yield* ask(
      db
        .insertInto('event_counts')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['event_id', 'state', 'reason'])
            .doUpdateSet((eb) => ({ n: eb('event_counts.n', '+', eb.ref('excluded.n')) })),
        ),
    );
  }
}

function* addToCounts(store: Store, tallies: readonly TallySum[]): Script<void> {
  const { db } = store;
  const channelIds = [...new Set(tallies.map(({ channelId }) => channelId))];
  const channels = yield* ask(
    db
      .selectFrom('channels')
      .select(['id', 'lane'])
      .where(among(store, sql.ref('id'), channelIds)),
  );
  const lanes = new Map(channels.map(({ id, lane }) => [id, lane]));
  const rows = summed(
    tallies.filter(({ state }) => COUNTED.includes(state)),
    ({ workspaceId, channelId, lane, state, fingerprint, change }) => ({
      workspace_id: workspaceId,
      state,
      lane: lane ?? lanes.get(channelId) ?? ('outbox' satisfies Lane),
      fingerprint: fingerprint ?? '',
      n: change,
    }),
  ).filter(({ n }) => n !== 0);
  for (const values of chunksOf(rows)) {
    yield* ask(
      db
        .insertInto('counts')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'state', 'lane', 'fingerprint'])
            .doUpdateSet((eb) => ({ n: eb('counts.n', '+', eb.ref('excluded.n')) })),
        ),
    );
  }
  // Of a cause that nothing is dead of any more, no count is left: there may be as many causes as there were letters.
  const left = [
    ...new Set(
      rows.filter(({ n, fingerprint }) => n < 0 && fingerprint !== '').map(({ fingerprint }) => fingerprint),
    ),
  ];
  if (left.length === 0) return;
  yield* ask(
    store.db
      .deleteFrom('counts')
      .where(
        among(store, sql.ref('workspace_id'), [...new Set(rows.map(({ workspace_id }) => workspace_id))]),
      )
      .where('state', '=', 'dead')
      .where(among(store, sql.ref('fingerprint'), left))
      .where('n', '=', 0),
  );
}

/** One row a key, in one order everywhere, so that two sweepers cannot wait for each other. */
function summed<Row extends { n: number }>(
  tallies: readonly TallySum[],
  toRow: (tally: TallySum) => Row,
): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const row of tallies.map(toRow)) {
    const key = JSON.stringify({ ...row, n: 0 });
    const known = rows.get(key);
    if (known) known.n += row.n;
    else rows.set(key, row);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** In powers of two, so that there are nine statements for whatever number of rows. */
function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let size = ROWS_AT_ONCE;
  for (let from = 0; from < rows.length; from += size) {
    while (size > rows.length - from) size /= 2;
    yield rows.slice(from, from + size);
  }
}
