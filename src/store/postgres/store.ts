import type { Kysely } from '../../vendor/kysely.js';
import type pg from 'pg';
import type { VirtualClock } from '../../core/clock.js';
import { LINES, type Line } from '../../core/lines.js';
import type { Lane } from '../../core/message.js';
import type { Residence } from '../../core/residence.js';
import type { Logger } from '../../log/log.js';
import { postgresBuilder } from '../builder.js';
import { CLAIMED_COLUMNS, toClaimedMessage } from '../claimed-row.js';
import type { MigrationReport } from '../migrate.js';
import { MIGRATIONS, type Migration } from '../migrations/index.js';
import { postgresDefinitions } from '../migrations/dialect.js';
import { runAsync, type Script, type Scripted } from '../script.js';
import type {
  Claim,
  ClaimRequest,
  Enqueued,
  GateAnswer,
  GateEntry,
  GuardedChannel,
  GuardWindow,
  LeasedEnqueue,
  LostClaim,
  NewMessage,
  OpenChannel,
  RenewalAccess,
  Scrubbed,
  SettleEntry,
  Store,
} from '../store.js';
import type { Tables } from '../tables.js';
import { renewStatement } from './claim.js';
import { Connections, LostAnswer } from './connections.js';
import { enqueueMessages } from './enqueue.js';
import { Enqueuer } from './enqueuer.js';
import { explainFailure, isForbidden, mayTryAgain, TRIES_AGAINST_DEADLOCK } from './failures.js';
import { askTwice, gateAnswers, gateParameters, type GateRow } from './gate.js';
import { guardedSettleParameters } from './guarded-settle.js';
import { migratePostgres, schemaVersion } from './migrator.js';
import { notifiedSettleParameters } from './notified.js';
import { PostgresRelay, toClaim } from './relay.js';
import { findRoute, type Route } from './route.js';
import { settleParameters } from './settle.js';
import { prepare, unnamed, type Statements } from './statements.js';
import { Transactions } from './transactions.js';
import { CLOCK, nowExpression, type Prepared, type StatementContext } from './time.js';
import { WakeListener } from './wake.js';

export interface PostgresOptions {
  readonly url: string;
  /** Past a pooler, if one stands at `url`. */
  readonly directUrl?: string | undefined;
  readonly schema: string;
  readonly leaseMs: number;
  readonly log: Logger;
}

interface Statement {
  readonly name?: string;
  readonly text: string;
}

type Asked = pg.QueryConfig & { rowMode?: 'array' };

interface ChannelRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly account_id: number;
  readonly lane: Lane;
  readonly together: boolean;
  readonly alone: boolean;
}

const toChannel = ({ id, workspace_id, account_id, lane, together, alone }: ChannelRow): OpenChannel => ({
  id,
  workspaceId: workspace_id,
  accountId: account_id,
  lane,
  together,
  alone,
});

type LostMessage = LostClaim['messages'][number];
/** What stands behind the columns of the message when a lease is taken over. */
type LostColumns = [number, number, number | null, number, number, boolean, boolean];

export class PostgresStore implements Store {
  readonly dialect = 'postgres';
  readonly db: Kysely<Tables>;
  readonly at: (table: string) => string;
  installation = '';
  speed = 1;
  readonly #connections: Connections;
  readonly #transactions: Transactions;
  readonly #wake: WakeListener;
  readonly #enqueuer: Enqueuer;
  readonly relay = new PostgresRelay({
    statements: () => this.#statements.relay,
    speed: () => this.speed,
    query: (statement, values) => this.#query(statement, values),
    rows: (statement, values) => this.#rows(statement, values),
    openChannels: (statement, values) => this.#openChannels(statement, values),
    claim: (statement, request, ...more) => this.#claim(statement, request, undefined, ...more),
  });
  #statements: Statements;
  #context: StatementContext;
  #wakeUp: (channelId: number | undefined) => void = () => undefined;

  static async open(options: PostgresOptions): Promise<PostgresStore> {
    return new PostgresStore(options, await findRoute(options.url, options.directUrl, options.log));
  }

  private constructor(
    private readonly options: PostgresOptions,
    private readonly route: Route,
  ) {
    const { schema, log } = options;
    this.db = postgresBuilder(schema);
    this.at = postgresDefinitions(schema).at;
    this.#connections = new Connections(route, log);
    this.#transactions = new Transactions(this.#connections, route);
    this.#context = { schema, leaseMs: options.leaseMs, now: CLOCK };
    this.#statements = this.#prepared();
    this.#enqueuer = new Enqueuer({
      connections: this.#connections,
      schema,
      statements: () => this.#statements.enqueue,
      ask: (statement, values) => this.#ask({ ...statement, values }),
    });
    const wake = (channelId: number | undefined) => {
      this.#wakeUp(channelId);
    };
    this.#wake = new WakeListener(route.directUrl, schema, wake, log);
  }

  get pooler(): Store['pooler'] {
    if (!this.route.pooled) return 'none';
    return this.route.directUrl === undefined ? 'in the way' : 'passed';
  }

  get renewal(): RenewalAccess {
    return { dialect: 'postgres', url: this.options.url, statement: renewStatement(this.#context) };
  }

  /** From here on `now` is virtual. Before any message is touched, or instants would disagree. */
  useVirtualClock(clock: VirtualClock): void {
    this.speed = clock.speed;
    this.#context = { ...this.#context, now: nowExpression(clock) };
    this.#statements = this.#prepared();
  }

  /** Behind a pooler a name that one session knows is asked of another. */
  #prepared(): Statements {
    const statements = prepare(this.#context);
    return this.route.pooled ? unnamed(statements) : statements;
  }

  async setClock(now: number): Promise<void> {
    const [row] = await this.#query<{ clock: number }>({ text: `select ${CLOCK} as clock` }, []);
    this.useVirtualClock({ startMs: now, speed: 1, anchorMs: row?.clock ?? 0 });
    this.#statements = unnamed(this.#statements);
  }

  async migrate(migrations: readonly Migration[] = MIGRATIONS): Promise<MigrationReport> {
    const { schema, log } = this.options;
    const known = await this.read(schemaVersion(schema, migrations));
    const report = known ?? (await migratePostgres({ url: this.route.directUrl, schema, log }, migrations));
    const [last] = await this.#query<{ id: number }>(
      { text: `select case when is_called then last_value else 0 end as id from ${schema}.messages_id_seq` },
      [],
    );
    this.#enqueuer.seen(last?.id ?? 0);
    return report;
  }

  async residence(): Promise<Residence> {
    const [own] = await this.#query<{ oid: string }>(
      { text: `select oid::text as oid from pg_database where datname = current_database()` },
      [],
    );
    if (!own) throw new Error('the database does not know itself');
    const cluster = await this.#cluster();
    return { id: cluster === undefined ? own.oid : `${cluster}/${own.oid}` };
  }

  /** Undefined where the server keeps it from its users. */
  async #cluster(): Promise<string | undefined> {
    try {
      const [row] = await this.#query<{ id: string }>(
        { text: 'select system_identifier::text as id from pg_control_system()' },
        [],
      );
      return row?.id;
    } catch (error) {
      if (isForbidden(error)) return undefined;
      throw error;
    }
  }

  async now(): Promise<number> {
    const [row] = await this.#query<{ now: number }>({ text: `select ${this.#context.now} as now` }, []);
    return row?.now ?? 0;
  }

  /** Leases run on the database's clock, as all else does. */
  timeOfDay(until: number): number {
    return until;
  }

  read<T>(script: Script<T>): Promise<T> {
    return runAsync(script, ({ sql, parameters }) => this.#query({ text: sql }, [...parameters]));
  }

  transaction<T>(script: Scripted<T>): Promise<T> {
    return this.#transactions.run(script);
  }

  /** Its files are the operator's: vacuum takes away what is gone. */
  wipe<T>(script: Scripted<T>): Promise<T> {
    return this.transaction(script);
  }

  scrub(): Promise<Scrubbed> {
    return Promise.resolve('clean');
  }

  enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]> {
    return this.#enqueuer.enqueue(messages);
  }

  enqueueLeased(messages: readonly NewMessage[], owner: string): Promise<LeasedEnqueue> {
    return this.#enqueuer.enqueueLeased(messages, owner);
  }

  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]> {
    return enqueueMessages(messages, this.#statements.enqueue, this.options.schema);
  }

  /** A server is one for all. */
  seesWriteLock(): boolean {
    return true;
  }

  openChannels(): Promise<readonly OpenChannel[]> {
    return this.#openChannels(this.#statements.openChannels);
  }

  async #openChannels(statement: Prepared, values: unknown[] = []): Promise<readonly OpenChannel[]> {
    return (await this.#query<ChannelRow>(statement, values)).map(toChannel);
  }

  async openGuarded(window: GuardWindow = 'account'): Promise<readonly GuardedChannel[]> {
    const { openGuarded, openOwn } = this.#statements;
    const statement = window === 'account' ? openGuarded : openOwn;
    const rows = await this.#query<ChannelRow & { over: boolean }>(statement, []);
    return rows.map((row) => ({ ...toChannel(row), over: row.over }));
  }

  claim(request: ClaimRequest): Promise<Claim | undefined> {
    return this.#claim(this.#statements.claim, request);
  }

  claimGuarded(request: ClaimRequest, window: GuardWindow = 'account'): Promise<Claim | undefined> {
    const { guardedClaim, ownClaim } = this.#statements;
    return window === 'account'
      ? this.#claim(guardedClaim, request)
      : this.#claim(ownClaim, request, LINES.own);
  }

  async #claim(
    statement: Prepared,
    { owner, shares, alone }: ClaimRequest,
    line: Line = alone ? LINES.alone : LINES.together,
    ...more: unknown[]
  ): Promise<Claim | undefined> {
    const rows = await this.#rows(statement, [
      shares.map((share) => share.channelId),
      shares.map((share) => share.limit),
      owner,
      line,
      ...more,
    ]);
    return toClaim(rows, alone);
  }

  gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    return this.#gate(this.#statements.gate, entries);
  }

  gateGuarded(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    return this.#gate(this.#statements.guardedGate, entries);
  }

  gateNotified(entries: readonly GateEntry[], guarded: boolean): Promise<readonly GateAnswer[]> {
    const { notifiedGate, guardedNotifiedGate } = this.#statements;
    return this.#gate(guarded ? guardedNotifiedGate : notifiedGate, entries);
  }

  async #gate(statement: Prepared, entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    const parameters = gateParameters(entries);
    let [row] = await this.#query<GateRow>(statement, [...parameters, false]);
    if (row?.waited) row = await this.transaction(() => askTwice(statement.text, parameters));
    if (!row) throw new Error('the gate gave no answer');
    return gateAnswers(entries, row);
  }

  settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    return this.#settle(this.#statements.settle, settleParameters(entries), entries);
  }

  settleGuarded(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    return this.#settle(this.#statements.guardedSettle, guardedSettleParameters(entries), entries);
  }

  settleNotified(entries: readonly SettleEntry[], guarded: boolean): Promise<readonly boolean[]> {
    const { notifiedSettle, guardedNotifiedSettle } = this.#statements;
    const statement = guarded ? guardedNotifiedSettle : notifiedSettle;
    return this.#settle(statement, notifiedSettleParameters(entries), entries);
  }

  async #settle(
    statement: Prepared,
    parameters: unknown[],
    entries: readonly SettleEntry[],
  ): Promise<readonly boolean[]> {
    const late = await this.#query<{ n: number }>(statement, parameters);
    const settled = entries.map(() => true);
    for (const { n } of late) settled[n] = false;
    return settled;
  }

  async takeOver(owner: string, limit: number): Promise<readonly LostClaim[]> {
    const rows = await this.#rows(this.#statements.takeOver, [owner, limit]);
    const claims = new Map<number, LostClaim & { messages: LostMessage[] }>();
    for (const row of rows) {
      const [lease, claimedAt, handedAt, alone, inline, handed, withdrawn] = row.slice(
        CLAIMED_COLUMNS,
      ) as LostColumns;
      const claim = claims.get(lease) ?? {
        ...{ lease, claimedAt, handedAt, alone: alone === 1, inline: inline === 1 },
        messages: [],
      };
      claim.messages.push({ ...toClaimedMessage(row), handed, withdrawn });
      claims.set(lease, claim);
    }
    return [...claims.values()];
  }

  wake(): void {
    // The statement itself has told everybody.
  }

  onWake(listen: (channelId: number | undefined) => void): void {
    this.#wakeUp = listen;
  }

  listen(): Promise<void> {
    return this.#wake.open();
  }

  async close(): Promise<void> {
    await this.#wake.close();
    await this.#connections.close();
  }

  #query<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#run({ ...statement, values });
  }

  /** Rows as arrays. */
  #rows(statement: Statement, values: unknown[]): Promise<unknown[][]> {
    return this.#run({ ...statement, values, rowMode: 'array' });
  }

  async #run<Row>(query: Asked): Promise<Row[]> {
    try {
      return (await this.#ask(query)) as Row[];
    } catch (error) {
      throw explainFailure(error instanceof LostAnswer ? error.cause : error, this.options.schema);
    }
  }

  /** Throws `LostAnswer` if it was sent and no answer came. */
  async #ask(query: Asked): Promise<unknown[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#connections.use(async (client) => {
          const { rows } = await client.query(query as pg.QueryConfig);
          return rows as unknown[];
        });
      } catch (error) {
        if (tries === TRIES_AGAINST_DEADLOCK || !mayTryAgain(error)) throw error;
      }
    }
  }
}
