import { sql, type RawBuilder } from '../../vendor/kysely.js';
import type { RelayFigures } from '../../core/workers.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { clockOf } from './workers.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** The minute that runs. Divided here where a number that is bound is none of whole ones. */
const minuteOf = (store: Store): RawBuilder<number> =>
  store.dialect === 'postgres'
    ? sql<number>`${clockOf(store)} / ${sql.lit(MINUTE_MS)}`
    : sql<number>`${Math.floor(Date.now() / MINUTE_MS)}`;

/** Adds what one process has seen to the minute that runs. */
export function* noteRelayMinute(store: Store, figures: RelayFigures): Script<void> {
  const { queued, published, again, returned, dropped } = figures;
  yield* ask(
    store.db
      .insertInto('relay_minutes')
      .values({
        minute: minuteOf(store),
        queued,
        published,
        again,
        returned,
        dropped,
        away: figures.away ? 1 : 0,
      })
      .onConflict((conflict) =>
        conflict.column('minute').doUpdateSet((eb) => {
          const sum = (column: 'published' | 'again' | 'returned' | 'dropped') =>
            eb(`relay_minutes.${column}`, '+', eb.ref(`excluded.${column}`));
          const most = (column: 'queued' | 'away') =>
            eb
              .case()
              .when(`relay_minutes.${column}`, '>', eb.ref(`excluded.${column}`))
              .then(eb.ref(`relay_minutes.${column}`))
              .else(eb.ref(`excluded.${column}`))
              .end();
          return {
            queued: most('queued'),
            away: most('away') as never,
            ...{ published: sum('published'), again: sum('again') },
            ...{ returned: sum('returned'), dropped: sum('dropped') },
          };
        }),
      ),
  );
}

/** Nobody looks further back than a day. */
export function* forgetRelayMinutes(store: Store): Script<void> {
  const first = sql<number>`${minuteOf(store)} - ${sql.lit(DAY_MINUTES)}`;
  yield* ask(store.db.deleteFrom('relay_minutes').where('minute', '<', first));
}

/** A stretch of time: the most that was with the broker, and whether it could not be reached. */
export interface BrokerPoint {
  /** When it began, in real time. */
  readonly at: number;
  readonly queued: number;
  readonly away: boolean;
}

/** What was with the broker over so many stretches of so many minutes, up to now. Where nothing was noted nothing was. */
export function* readBrokerSeries(
  store: Store,
  points: number,
  minutesEach: number,
): Script<readonly BrokerPoint[]> {
  const clock = yield* askOne(store.db.selectNoFrom(clockOf(store).as('now')));
  const last = Math.floor((clock?.now ?? Date.now()) / MINUTE_MS / minutesEach);
  const stretch = sql<number>`minute / ${sql.lit(minutesEach)}`;
  const rows = yield* ask(
    store.db
      .selectFrom('relay_minutes')
      .select((eb) => [stretch.as('stretch'), eb.fn.max('queued').as('queued'), eb.fn.max('away').as('away')])
      .where('minute', '>=', (last - points + 1) * minutesEach)
      .groupBy(stretch),
  );
  const noted = new Map(rows.map((row) => [row.stretch, row]));
  return Array.from({ length: points }, (_, n) => {
    const place = last - points + 1 + n;
    const row = noted.get(place);
    return {
      at: place * minutesEach * MINUTE_MS,
      queued: row?.queued ?? 0,
      away: row?.away === 1,
    };
  });
}

/** Of the last day. */
export interface BrokerDay {
  readonly again: number;
  readonly returned: number;
  readonly dropped: number;
}

export function* readBrokerDay(store: Store): Script<BrokerDay> {
  const total = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`;
  const first = sql<number>`${minuteOf(store)} - ${sql.lit(DAY_MINUTES)}`;
  const row = yield* askOne(
    store.db
      .selectFrom('relay_minutes')
      .select([total('again').as('again'), total('returned').as('returned'), total('dropped').as('dropped')])
      .where('minute', '>=', first),
  );
  return { again: row?.again ?? 0, returned: row?.returned ?? 0, dropped: row?.dropped ?? 0 };
}
