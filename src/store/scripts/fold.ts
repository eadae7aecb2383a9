import { FINISHED_STATES } from '../../core/lifecycle.js';
import type { Lane } from '../../core/message.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { minuteOf, takeTallies, type Tally } from './tallies.js';

const HOUR_MS = 3_600_000;
const MINUTES_PER_HOUR = 60;
/** As long as "today" can reach back, wherever on earth, and a day of history beside it. */
const MINUTES_KEPT = 3 * 24 * MINUTES_PER_HOUR;
/** A week, wherever on earth it begins. */
const DEATHS_KEPT_MS = 8 * 24 * HOUR_MS;
const ROWS_AT_ONCE = 500;

/** All that was accepted, beside the finished states: what waits or is in flight is the difference. */
export const ACCEPTED = 'accepted';
const COUNTED: readonly string[] = [...FINISHED_STATES, ACCEPTED];

/** Folds the append-only tallies of past minutes into the tables that people's questions are answered from. */
export function* foldTallies(store: Store, now: number): Script<void> {
  const tallies = yield* takeTallies(store, minuteOf(now));
  if (tallies.length === 0) return;
  const happened = tallies.filter((each) => each.happened > 0 && each.state !== ACCEPTED);
  yield* addToTotals(store, happened);
  yield* addToMinutes(store, happened);
  yield* addToCounts(store, tallies);
  yield* addToDeaths(store, happened);
  const workspaces = [...new Set(tallies.map(({ workspaceId }) => workspaceId))];
  yield* ask(
    store.db
      .deleteFrom('minutes')
      .where('workspace_id', 'in', workspaces)
      .where('minute', '<', minuteOf(now) - MINUTES_KEPT),
  );
  yield* ask(
    store.db
      .deleteFrom('deaths')
      .where('workspace_id', 'in', workspaces)
      .where('hour', '<', now - DEATHS_KEPT_MS),
  );
}

function* addToTotals({ db }: Store, tallies: readonly Tally[]): Script<void> {
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

function* addToMinutes({ db }: Store, tallies: readonly Tally[]): Script<void> {
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

function* addToDeaths({ db }: Store, tallies: readonly Tally[]): Script<void> {
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

function* addToCounts({ db }: Store, tallies: readonly Tally[]): Script<void> {
  const channelIds = [...new Set(tallies.map(({ channelId }) => channelId))];
  const channels = yield* ask(db.selectFrom('channels').select(['id', 'lane']).where('id', 'in', channelIds));
  const lanes = new Map(channels.map(({ id, lane }) => [id, lane]));
  const rows = summed(
    tallies.filter(({ state }) => COUNTED.includes(state)),
    ({ workspaceId, channelId, state, fingerprint, change }) => ({
      workspace_id: workspaceId,
      state,
      lane: lanes.get(channelId) ?? ('outbox' satisfies Lane),
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
}

/** One row a key, in one order everywhere, so that two sweepers cannot wait for each other. */
function summed<Row extends { n: number }>(
  tallies: readonly Tally[],
  toRow: (tally: Tally) => Row,
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

function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE);
}
