import type { ClockSetting, VirtualClock } from '../core/clock.js';
import { parseClockSetting } from '../core/clock.js';
import { PillarboxError } from '../errors.js';
import type { Logger } from '../log.js';
import { PostgresStore } from './postgres/store.js';
import { ask, askOne, type Script } from './script.js';
import { SqliteStore } from './sqlite/store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  /** `sqlite:./mail.db` or `postgres://…` */
  readonly databaseUrl: string;
  /** PostgreSQL only: the schema that holds all tables. */
  readonly schema?: string;
  readonly leaseMs: number;
  /** Virtual time, as in PILLARBOX_CLOCK. */
  readonly clock?: string | undefined;
  readonly log: Logger;
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Opens the database, brings its schema up to date and agrees on the time. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const setting = options.clock === undefined ? undefined : parseClockSetting(options.clock);
  const store = connect(options);
  try {
    const { applied } = await store.migrate();
    if (applied.length > 0) options.log.info({ applied }, 'migrated the database');
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

function connect({
  databaseUrl,
  schema = 'pillarbox',
  leaseMs,
  log,
}: StoreOptions): PostgresStore | SqliteStore {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    if (!SCHEMA.test(schema)) {
      throw new PillarboxError(
        'invalid_config',
        'schema: should be a plain lower-case name such as pillarbox',
      );
    }
    return new PostgresStore({ url: databaseUrl, schema, leaseMs, log });
  }
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1];
  if (path === undefined) {
    throw new PillarboxError('invalid_config', 'DATABASE_URL: should be sqlite:<path> or postgres://…');
  }
  return new SqliteStore({ path, leaseMs });
}

function* readInstallation({ db }: Store): Script<string> {
  const fact = yield* askOne(db.selectFrom('facts').select('value').where('name', '=', 'installation'));
  if (!fact) throw new Error('the database has no installation id');
  return fact.value;
}

/** The first process to use a setting anchors it; all others, and every restart, read the same anchor. */
async function agreeOnClock(store: Store, setting: string, parsed: ClockSetting): Promise<VirtualClock> {
  const realNow = await store.now();
  const anchorMs = await store.transaction(anchor(store, setting, realNow));
  return { ...parsed, anchorMs };
}

function* anchor({ db }: Store, setting: string, realNow: number): Script<number> {
  yield* ask(
    db
      .insertInto('clocks')
      .values({ setting, anchor_ms: realNow })
      .onConflict((conflict) => conflict.column('setting').doNothing()),
  );
  const row = yield* askOne(db.selectFrom('clocks').select('anchor_ms').where('setting', '=', setting));
  return row?.anchor_ms ?? realNow;
}
