import { sql, type RawBuilder } from '../../vendor/kysely.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { removeContacts } from './contact-writes.js';
import { duringUpkeep, entryOf, type AuditEntry } from './audit.js';

/** What is kept of a person besides his messages. Addresses are given in lower case. */

const MOST_SHOWN = 1_000;

export interface Traces {
  readonly suppressions: readonly {
    readonly address: string;
    readonly reason: string;
    readonly createdAt: number;
  }[];
  readonly softBounces: readonly { readonly messageId: number; readonly bouncedAt: number }[];
  /** Of the development catcher: their numbers. */
  readonly caught: readonly number[];
  /** Him among the contacts: their numbers. */
  readonly contacts: readonly number[];
  /** Lines of imported files that were left out and name him. */
  readonly importLines: readonly { readonly importId: number; readonly line: number }[];
  /** What he wants to be told of, with what happened to it. */
  readonly subscriptions: readonly SubscriptionTrace[];
  /** Events that name him: told, and not changed, because others were told of them too. */
  readonly events: readonly number[];
  /** Causes of dead letters in whose words he is named. */
  readonly causes: readonly { readonly fingerprint: string; readonly sample: string }[];
}

export interface SubscriptionTrace {
  readonly id: number;
  readonly topic: string;
  readonly status: string;
  readonly createdAt: number;
  readonly history: readonly { readonly at: number; readonly kind: string }[];
}

const containing = ({ dialect }: Store, column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.raw(dialect === 'postgres' ? 'strpos' : 'instr')}(lower(${sql.ref(column)}), ${text}) > 0`;

const lower = (column: string) => sql<string>`lower(${sql.ref(column)})`;

export function* readTraces(store: Store, workspaceId: number, address: string): Script<Traces> {
  const { db } = store;
  const suppressions = yield* ask(
    db
      .selectFrom('suppressions')
      .select(['address', 'reason', 'created_at as createdAt'])
      .where('workspace_id', '=', workspaceId)
      .where(lower('address'), '=', address)
      .limit(MOST_SHOWN),
  );
  const softBounces = yield* ask(
    db
      .selectFrom('soft_bounces')
      .select(['message_id as messageId', 'bounced_at as bouncedAt'])
      .where('workspace_id', '=', workspaceId)
      .where(lower('address'), '=', address)
      .limit(MOST_SHOWN),
  );
  const caught = yield* ask(caughtOf(store, address).select('id').orderBy('id', 'desc').limit(MOST_SHOWN));
  const causes = yield* causesNaming(store, workspaceId, address);
  const contacts = yield* contactsOf(store, workspaceId, address);
  const importLines = yield* importLinesNaming(store, workspaceId, address);
  const events = yield* eventsNaming(store, workspaceId, address);
  return {
    contacts,
    importLines,
    subscriptions: yield* subscriptionTraces(store, workspaceId, address),
    events,
    suppressions,
    softBounces,
    caught: caught.map(({ id }) => id),
    causes,
  };
}

const caughtOf = (store: Store, address: string) =>
  store.db
    .selectFrom('caught')
    .where((eb) =>
      eb.or([eb(lower('sender'), '=', address), containing(store, 'recipients', JSON.stringify(address))]),
    );

const causesNaming = (store: Store, workspaceId: number, address: string) =>
  ask(
    store.db
      .selectFrom('dead_causes')
      .select(['fingerprint', 'sample'])
      .where('workspace_id', '=', workspaceId)
      .where(containing(store, 'sample', address))
      .limit(MOST_SHOWN),
  );

function* contactsOf({ db }: Store, workspaceId: number, address: string): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('contacts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('email', '=', address),
  );
  return rows.map(({ id }) => id);
}

const subscriptionsNamed = ({ db }: Store, workspaceId: number, address: string) =>
  db.selectFrom('subscriptions').where('workspace_id', '=', workspaceId).where('contact', '=', address);

function* subscriptionTraces(
  store: Store,
  workspaceId: number,
  address: string,
): Script<readonly SubscriptionTrace[]> {
  const rows = yield* ask(
    subscriptionsNamed(store, workspaceId, address)
      .select(['id', 'topic', 'status', 'created_at as createdAt'])
      .orderBy('id')
      .limit(MOST_SHOWN),
  );
  const traces: SubscriptionTrace[] = [];
  for (const row of rows) {
    const history = yield* ask(
      store.db
        .selectFrom('subscription_events')
        .select(['at', 'kind'])
        .where('subscription_id', '=', row.id)
        .orderBy('id')
        .limit(MOST_SHOWN),
    );
    traces.push({ ...row, history });
  }
  return traces;
}

/** What a publisher may write into an event. */
const EVENT_TEXTS = ['payload', 'topic', 'dedupe_key', 'trace_id'];

function* eventsNaming(store: Store, workspaceId: number, address: string): Script<readonly number[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('events')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where((eb) => eb.or(EVENT_TEXTS.map((column) => containing(store, column, address))))
      .orderBy('id')
      .limit(MOST_SHOWN),
  );
  return rows.map(({ id }) => id);
}

/** With their history: from here on the gate lets nothing of them pass. */
function* eraseSubscriptions(store: Store, workspaceId: number, address: string): Script<void> {
  const named = subscriptionsNamed(store, workspaceId, address).select('id');
  yield* ask(store.db.deleteFrom('subscription_events').where('subscription_id', 'in', named));
  yield* ask(store.db.deleteFrom('subscriptions').where('id', 'in', named));
}

const importsOf = ({ db }: Store, workspaceId: number) =>
  db.selectFrom('imports').select('id').where('workspace_id', '=', workspaceId);

const importLinesNaming = (store: Store, workspaceId: number, address: string) =>
  ask(
    store.db
      .selectFrom('import_rejects')
      .select(['import_id as importId', 'line'])
      .where('import_id', 'in', importsOf(store, workspaceId))
      .where(containing(store, 'cells', address))
      .orderBy('import_id')
      .orderBy('line')
      .limit(MOST_SHOWN),
  );

const PARTS_OF_IMPORTS = [
  { table: 'import_pieces', key: 'number', column: 'records' },
  { table: 'import_rejects', key: 'line', column: 'cells' },
] as const;

/** Files that wait to be imported, what was seen of their columns, and lines that were left out. */
function* eraseImports(
  store: Store,
  workspaceId: number,
  address: string,
  mask: (text: string) => string,
): Script<void> {
  const { db } = store;
  for (const { table, key, column } of PARTS_OF_IMPORTS) {
    const places = yield* askCompiled<{ id: number; place: number }>({
      sql: `select import_id as id, ${key} as place from ${store.at(table)}
        where import_id in (select id from ${store.at('imports')} where workspace_id = ${mark(store, 1)})
        and ${store.dialect === 'postgres' ? 'strpos' : 'instr'}(lower(${column}), ${mark(store, 2)}) > 0`,
      parameters: [workspaceId, address],
    });
    // One by one: each may be a megabyte.
    for (const { id, place } of places) {
      const where = `where import_id = ${mark(store, 1)} and ${key} = ${mark(store, 2)}`;
      const [row] = yield* askCompiled<{ text: string }>({
        sql: `select ${column} as text from ${store.at(table)} ${where}`,
        parameters: [id, place],
      });
      yield* askCompiled({
        sql: `update ${store.at(table)} set ${column} = ${mark(store, 3)}${table === 'import_pieces' ? ', edits = edits + 1' : ''} ${where}`,
        parameters: [id, place, mask(row?.text ?? '')],
      });
    }
  }
  const named = yield* ask(
    db
      .selectFrom('imports')
      .select(['id', 'columns'])
      .where('workspace_id', '=', workspaceId)
      .where(containing(store, 'columns', address)),
  );
  for (const { id, columns } of named)
    yield* ask(
      db
        .updateTable('imports')
        .set({ columns: mask(columns) })
        .where('id', '=', id),
    );
}

const mark = ({ dialect }: Store, n: number): string => `${dialect === 'postgres' ? '$' : '?'}${String(n)}`;

/** Takes all of them away. `mask` takes the address out of a text that speaks of more than him. */
export function* eraseTraces(
  store: Store,
  workspaceId: number,
  address: string,
  mask: (text: string) => string,
  now: number,
): Script<void> {
  const { db } = store;
  for (const table of ['suppressions', 'soft_bounces'] as const) {
    yield* ask(
      db.deleteFrom(table).where('workspace_id', '=', workspaceId).where(lower('address'), '=', address),
    );
  }
  yield* ask(db.deleteFrom('caught').where('id', 'in', caughtOf(store, address).select('id')));
  for (const { fingerprint, sample } of yield* causesNaming(store, workspaceId, address)) {
    yield* ask(
      db
        .updateTable('dead_causes')
        .set({ sample: mask(sample) })
        .where('workspace_id', '=', workspaceId)
        .where('fingerprint', '=', fingerprint),
    );
  }
  yield* maskReasons(store, workspaceId, address, mask);
  yield* eraseSubscriptions(store, workspaceId, address);
  // Files first: what is imported from them meanwhile is found among the contacts.
  yield* eraseImports(store, workspaceId, address, mask);
  yield* removeContacts(store, workspaceId, yield* contactsOf(store, workspaceId, address), now);
}

/** Why an account is paused or rests is told in the words of a server, too. */
function* maskReasons(
  store: Store,
  workspaceId: number,
  address: string,
  mask: (text: string) => string,
): Script<void> {
  const { db } = store;
  for (const column of ['pause_reason', 'cooldown_reason'] as const) {
    const rows = yield* ask(
      db
        .selectFrom('accounts')
        .select(['id', column])
        .where('workspace_id', '=', workspaceId)
        .where(containing(store, column, address)),
    );
    for (const row of rows) {
      const { id, [column]: reason } = row as { id: number } & Record<typeof column, string | null>;
      yield* ask(
        db
          .updateTable('accounts')
          .set({ [column]: mask(reason ?? '') })
          .where('id', '=', id),
      );
    }
  }
  const channels = yield* ask(
    db
      .selectFrom('channels')
      .select(['id', 'blocked_reason'])
      .where('workspace_id', '=', workspaceId)
      .where(containing(store, 'blocked_reason', address)),
  );
  for (const { id, blocked_reason: reason } of channels) {
    yield* ask(
      db
        .updateTable('channels')
        .set({ blocked_reason: mask(reason ?? '') })
        .where('id', '=', id),
    );
  }
}

export interface AuditWindow {
  /** Those that name him. */
  readonly entries: readonly AuditEntry[];
  /** Where to go on; undefined: that was all. */
  readonly next: number | undefined;
}

/** The entries among the next `size` that contain one of these texts, oldest first. */
export function* auditNaming(
  store: Store,
  workspaceId: number,
  texts: readonly string[],
  after: number,
  size: number,
): Script<AuditWindow> {
  const window = store.db
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(size);
  const [edge] = yield* ask(
    store.db
      .selectFrom(window.as('w'))
      .select((eb) => [eb.fn.max('w.id').as('last'), eb.fn.countAll<number>().as('n')]),
  );
  const columns = ['w.actor', 'w.target', 'w.details'];
  const rows = yield* ask(
    store.db
      .selectFrom(window.as('w'))
      .selectAll('w')
      .where((eb) =>
        eb.or(
          columns.flatMap((column) => texts.map((text) => containing(store, column, text.toLowerCase()))),
        ),
      )
      .orderBy('w.id'),
  );
  return { entries: rows.map(entryOf), next: edge?.n === size ? edge.last : undefined };
}

/** Takes an address out of what was written down; that it was done, when and to what stays. */
export function* maskAudit(
  store: Store,
  entries: readonly AuditEntry[],
  mask: (text: string) => string,
): Script<void> {
  yield* duringUpkeep(
    store,
    (function* () {
      for (const { id, actor, target, details } of entries) {
        yield* ask(
          store.db
            .updateTable('audit')
            .set({
              actor: mask(actor),
              target: target === null ? null : mask(target),
              details: details === null ? null : mask(JSON.stringify(details)),
            })
            .where('id', '=', id),
        );
      }
    })(),
  );
}
