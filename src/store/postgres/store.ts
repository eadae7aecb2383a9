import type { Kysely } from '../../vendor/kysely.js';
import type pg from 'pg';
import type { VirtualClock } from '../../core/clock.js';
import type { Logger } from '../../log.js';
import { postgresBuilder } from '../builder.js';
import { CLAIMED_COLUMNS, toClaimedMessage } from '../claimed-row.js';
import { migrate, type MigrationReport } from '../migrate.js';
import { postgresDefinitions } from '../migrations/dialect.js';
import { runAsync, type Script } from '../script.js';
import type {
  Claim,
  ClaimRequest,
  Enqueued,
  GateAnswer,
  GateEntry,
  HeldEnqueue,
  GateRefusal,
  LostClaim,
  NewMessage,
  OpenChannel,
  RenewalAccess,
  SettleEntry,
  Store,
} from '../store.js';
import type { Tables } from '../tables.js';
import { claimStatement, openChannelsStatement, renewStatement, takeOverStatement } from './claim.js';
import {
  enqueueHeld,
  enqueueHeldStatement,
  enqueueMessages,
  enqueueOneStatement,
  enqueueStatement,
} from './enqueue.js';
import { gateParameters, gateStatement } from './gate.js';
import { explainFailure, mayTryAgain, openPool } from './pool.js';
import { settleParameters, settleStatement } from './settle.js';
import { CLOCK, nowExpression, type Prepared, type StatementContext } from './time.js';
import { WakeListener } from './wake.js';

export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  readonly leaseMs: number;
  readonly log: Logger;
}

const TRIES_AGAINST_DEADLOCK = 5;

interface Statement {
  readonly name?: string;
  readonly text: string;
}

type LostMessage = LostClaim['messages'][number];
/** What stands behind the columns of the message when a lease is taken over. */
type LostColumns = [number, number, number | null, number, number, boolean, boolean];

export class PostgresStore implements Store {
  readonly dialect = 'postgres';
  readonly db: Kysely<Tables>;
  readonly at: (table: string) => string;
  installation = '';
  speed = 1;
  readonly #pool: pg.Pool;
  readonly #wake: WakeListener;
  #statements: ReturnType<typeof prepare>;
  #context: StatementContext;
  #wakeUp: (channelId: number | undefined) => void = () => undefined;

  constructor(private readonly options: PostgresOptions) {
    this.db = postgresBuilder(options.schema);
    this.at = postgresDefinitions(options.schema).at;
    this.#pool = openPool(options.url, options.log);
    this.#context = { schema: options.schema, leaseMs: options.leaseMs, now: CLOCK };
    this.#statements = prepare(this.#context);
    this.#wake = new WakeListener(
      options.url,
      options.schema,
      (channelId) => {
        this.#wakeUp(channelId);
      },
      options.log,
    );
  }

  get renewal(): RenewalAccess {
    return { dialect: 'postgres', url: this.options.url, statement: renewStatement(this.#context) };
  }

  /** From here on `now` is virtual. Before any message is touched, or instants would disagree. */
  useVirtualClock(clock: VirtualClock): void {
    this.speed = clock.speed;
    this.#context = { ...this.#context, now: nowExpression(clock) };
    this.#statements = prepare(this.#context);
  }

  async setClock(now: number): Promise<void> {
    const [row] = await this.#query<{ clock: number }>({ text: `select ${CLOCK} as clock` }, []);
    this.useVirtualClock({ startMs: now, speed: 1, anchorMs: row?.clock ?? 0 });
    this.#statements = unnamed(this.#statements);
  }

  migrate(): Promise<MigrationReport> {
    const { schema } = this.options;
    return this.transaction(migrate(postgresDefinitions(schema), schema, Date.now()));
  }

  async now(): Promise<number> {
    const [row] = await this.#query<{ now: number }>({ text: `select ${this.#context.now} as now` }, []);
    return row?.now ?? 0;
  }

  read<T>(script: Script<T>): Promise<T> {
    return runAsync(script, ({ sql, parameters }) => this.#query({ text: sql }, [...parameters]));
  }

  async transaction<T>(script: Script<T>): Promise<T> {
    const client = await this.#pool.connect().catch(rethrow);
    let broken: Error | undefined;
    // A client in use has no listener of the pool's: without one, a server that goes away ends the process.
    const hear = (error: Error) => {
      broken = error;
    };
    client.on('error', hear);
    try {
      await client.query('begin');
      const result = await runAsync(script, async ({ sql, parameters }) => {
        const { rows } = await client.query(sql, [...parameters]);
        return rows as unknown[];
      });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(hear);
      throw explainFailure(error);
    } finally {
      client.removeListener('error', hear);
      client.release(broken);
    }
  }

  async enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]> {
    const { one, group } = this.#statements.enqueue;
    return runAsync(this.enqueueWithin(messages), ({ sql, parameters }) =>
      this.#query([one, group].find(({ text }) => text === sql) ?? { text: sql }, [...parameters]),
    );
  }

  enqueueHeld(messages: readonly NewMessage[], owner: string): Promise<HeldEnqueue> {
    const { held } = this.#statements.enqueue;
    return runAsync(enqueueHeld(messages, owner, held, this.options.schema), ({ sql, parameters }) =>
      this.#query(sql === held.text ? held : { text: sql }, [...parameters]),
    );
  }

  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]> {
    return enqueueMessages(messages, this.#statements.enqueue, this.options.schema);
  }

  async openChannels(): Promise<readonly OpenChannel[]> {
    const rows = await this.#query<{
      id: number;
      workspace_id: number;
      account_id: number;
      together: boolean;
      alone: boolean;
    }>(this.#statements.openChannels, []);
    return rows.map(({ id, workspace_id, account_id, together, alone }) => ({
      id,
      workspaceId: workspace_id,
      accountId: account_id,
      together,
      alone,
    }));
  }

  async claim({ owner, shares, alone }: ClaimRequest): Promise<Claim | undefined> {
    const rows = await this.#rows(this.#statements.claim, [
      shares.map((share) => share.channelId),
      shares.map((share) => share.limit),
      owner,
      alone ? 1 : 0,
    ]);
    const [first] = rows;
    if (!first) return undefined;
    const [lease, claimedAt] = first.slice(CLAIMED_COLUMNS) as [number, number];
    const messages = rows.map(toClaimedMessage).sort((a, b) => a.id - b.id);
    return { lease, claimedAt, alone, inline: false, messages };
  }

  async gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    const [row] = await this.#query<{ handed_at: number; refused: [number, GateRefusal][] }>(
      this.#statements.gate,
      gateParameters(entries),
    );
    if (!row) throw new Error('the gate gave no answer');
    const passed: GateAnswer = { passed: true, handedAt: row.handed_at };
    const answers: GateAnswer[] = entries.map(() => passed);
    for (const [n, refusal] of row.refused) answers[n] = { passed: false, refusal };
    return answers;
  }

  async settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    const late = await this.#query<{ n: number }>(this.#statements.settle, settleParameters(entries));
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

  onWake(listen: (channelId: number | undefined) => void): void {
    this.#wakeUp = listen;
  }

  listen(): Promise<void> {
    return this.#wake.open();
  }

  async close(): Promise<void> {
    await this.#wake.close();
    await this.#pool.end();
  }

  #query<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#run({ ...statement, values });
  }

  /** Rows as arrays. */
  #rows(statement: Statement, values: unknown[]): Promise<unknown[][]> {
    return this.#run({ ...statement, values, rowMode: 'array' });
  }

  async #run<Row>(query: pg.QueryConfig & { rowMode?: 'array' }): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { rows } = await this.#pool.query(query as pg.QueryConfig);
        return rows as Row[];
      } catch (error) {
        if (tries < TRIES_AGAINST_DEADLOCK && mayTryAgain(error)) continue;
        throw explainFailure(error);
      }
    }
  }
}

const prepare = (context: StatementContext) => ({
  enqueue: {
    one: enqueueOneStatement(context),
    group: enqueueStatement(context),
    held: enqueueHeldStatement(context),
  },
  openChannels: openChannelsStatement(context),
  claim: claimStatement(context),
  gate: gateStatement(context),
  settle: settleStatement(context),
  takeOver: takeOverStatement(context),
});

/** A connection knows a name by its first text; a clock that is set again and again gives it others. */
const unnamed = ({ enqueue, ...others }: ReturnType<typeof prepare>): ReturnType<typeof prepare> => ({
  enqueue: withoutNames(enqueue),
  ...withoutNames(others),
});

const withoutNames = <Statements extends Record<string, Prepared>>(statements: Statements): Statements =>
  Object.fromEntries(
    Object.entries(statements).map(([key, { text }]) => [key, { name: '', text }]),
  ) as Statements;

const rethrow = (error: unknown): never => {
  throw explainFailure(error);
};
