import type { ClockSetting, VirtualClock } from '../core/clock.js';
import { parseClockSetting } from '../core/clock.js';
import { PillarboxError } from '../core/errors.js';
import type { Logger } from '../log/log.js';
import { parseDatabaseUrl } from './database-url.js';
import { PostgresStore } from './postgres/store.js';
import { ask, askOne, type Script } from './script.js';
import { readFact } from './scripts/facts.js';
import { IN_MEMORY } from './sqlite/handle.js';
import { SqliteStore } from './sqlite/store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  /** `sqlite:./mail.db` or `postgres://…` */
  readonly databaseUrl: string;
  /** PostgreSQL behind a pooler: where migrations and LISTEN go. */
  readonly databaseDirectUrl?: string | undefined;
  /** PostgreSQL only: the schema that holds all tables. */
  readonly schema?: string;
  readonly leaseMs: number;
  /** Virtual time, as in PILLARBOX_CLOCK. */
  readonly clock?: string | undefined;
  readonly log: Logger;
}

/** Whoever tries out so many virtual times does not come back to the first ones. */
const CLOCKS_KEPT = 100;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Opens the database, brings its schema up to date and agrees on the time. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const setting = options.clock === undefined ? undefined : parseClockSetting(options.clock);
  const store = await connect(options);
  try {
    const { applied } = await store.migrate();
    if (applied.length > 0) options.log.info({ applied }, 'migrated the database');
    if (store.dialect === 'sqlite') await store.agreeOnLeaseClock();
    store.installation = await store.read(readInstallation(store));
    if (setting && options.clock !== undefined) {
      store.useVirtualClock(await agreeOnClock(store, options.clock, setting));
    }
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A store that nobody else knows, in memory, whose clock stands still until it is set. */
export interface ScratchStore extends Store {
  standAt(now: number): void;
}

/** Nobody could take over what is in flight there, so its leases need no renewal. */
const NO_LEASE_ENDS_MS = 365 * 86_400_000;

/** Empty, with our tables; gone when it is closed. */
export async function openScratch(now: number, log: Logger): Promise<ScratchStore> {
  const store = new SqliteStore({ path: IN_MEMORY, leaseMs: NO_LEASE_ENDS_MS, log });
  await store.migrate();
  store.installation = await store.read(readInstallation(store));
  store.standAt(now);
  return store;
}

async function connect({
  databaseUrl,
  databaseDirectUrl: directUrl,
  schema = 'pillarbox',
  leaseMs,
  log,
}: StoreOptions): Promise<PostgresStore | SqliteStore> {
  const place = parseDatabaseUrl(databaseUrl);
  if (place.dialect === 'postgres') {
    if (!SCHEMA.test(schema)) {
      throw new PillarboxError(
        'invalid_config',
        'schema: should be a plain lower-case name such as pillarbox',
      );
    }
    return PostgresStore.open({ url: databaseUrl, directUrl, schema, leaseMs, log });
  }
  return new SqliteStore({ path: place.path, leaseMs, log });
}

function* readInstallation(store: Store): Script<string> {
  const id = yield* readFact(store, 'installation');
  if (id === undefined) throw new Error('the database has no installation id');
  return id;
}

/** The first process to use a setting anchors it; all others, and every restart, read the same anchor. */
async function agreeOnClock(store: Store, setting: string, parsed: ClockSetting): Promise<VirtualClock> {
  const realNow = await store.now();
  const anchorMs = await store.transaction(() => anchor(store, setting, realNow));
  return { ...parsed, anchorMs };
}

function* anchor({ db }: Store, setting: string, realNow: number): Script<number> {
  yield* ask(
    db
      .insertInto('clocks')
      .values({ setting, anchor_ms: realNow })
      .onConflict((conflict) => conflict.column('setting').doNothing()),
  );
  yield* ask(
    db
      .deleteFrom('clocks')
      .where('setting', '<>', setting)
      .where('anchor_ms', '<', (eb) =>
        eb.selectFrom('clocks').select('anchor_ms').orderBy('anchor_ms', 'desc').limit(1).offset(CLOCKS_KEPT),
      ),
  );
  const row = yield* askOne(db.selectFrom('clocks').select('anchor_ms').where('setting', '=', setting));
  return row?.anchor_ms ?? realNow;
}
