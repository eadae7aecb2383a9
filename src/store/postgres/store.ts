import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { VirtualClock } from '../../core/clock.js';
import type { Logger } from '../../log.js';
import { postgresBuilder } from '../builder.js';
import { toClaimedMessage, type ClaimedRow } from '../claimed-row.js';
import { migrate, type MigrationReport } from '../migrate.js';
import { postgresDefinitions } from '../migrations/dialect.js';
import { runAsync, type Script } from '../script.js';
import type {
  Claim,
  ClaimRequest,
  Enqueued,
  GateAnswer,
  GateEntry,
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
import { enqueueMessages, enqueueStatement } from './enqueue.js';
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
    const statement = this.#statements.enqueue;
    // The first question is the prepared statement; others are rare enough to be parsed each time.
    return runAsync(enqueueMessages(messages, statement, this.options.schema), ({ sql, parameters }) =>
      this.#query(sql === statement.text ? statement : { text: sql }, [...parameters]),
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
    const rows = await this.#query<ClaimedRow & { lease: number; claimed_at: number }>(
      this.#statements.claim,
      [shares.map((share) => share.channelId), shares.map((share) => share.limit), owner, alone ? 1 : 0],
    );
    const [first] = rows;
    if (!first) return undefined;
    const messages = rows.map(toClaimedMessage).sort((a, b) => a.id - b.id);
    return { lease: first.lease, claimedAt: first.claimed_at, alone, messages };
  }

  async gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    const rows = await this.#query<{ n: number; refusal: GateRefusal | null; handed_at: number }>(
      this.#statements.gate,
      gateParameters(entries),
    );
    const answers = Array.from(entries, (): GateAnswer => ({ passed: false, refusal: 'lost' }));
    for (const { n, refusal, handed_at } of rows) {
      answers[n] = refusal === null ? { passed: true, handedAt: handed_at } : { passed: false, refusal };
    }
    return answers;
  }

  async settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    const rows = await this.#query<{ n: number }>(this.#statements.settle, settleParameters(entries));
    const settled = Array.from(entries, () => false);
    for (const { n } of rows) settled[n] = true;
    return settled;
  }

  async takeOver(owner: string, limit: number): Promise<readonly LostClaim[]> {
    type Row = ClaimedRow & {
      lease: number;
      claimed_at: number;
      handed_at: number | null;
      alone: number;
      handed: boolean;
      withdrawn: boolean;
    };
    const rows = await this.#query<Row>(this.#statements.takeOver, [owner, limit]);
    return groupByLease(rows).map((group) => {
      const [{ lease, claimed_at, handed_at, alone }] = group;
      const messages = group.map((row) => ({
        ...toClaimedMessage(row),
        handed: row.handed,
        withdrawn: row.withdrawn,
      }));
      return { lease, claimedAt: claimed_at, handedAt: handed_at, alone: alone === 1, messages };
    });
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

  async #query<Row>(statement: { name?: string; text: string }, values: unknown[]): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { rows } = await this.#pool.query({ ...statement, values });
        return rows as Row[];
      } catch (error) {
        if (tries < TRIES_AGAINST_DEADLOCK && mayTryAgain(error)) continue;
        throw explainFailure(error);
      }
    }
  }
}

const prepare = (
  context: StatementContext,
): Record<'enqueue' | 'openChannels' | 'claim' | 'gate' | 'settle' | 'takeOver', Prepared> => ({
  enqueue: enqueueStatement(context),
  openChannels: openChannelsStatement(context),
  claim: claimStatement(context),
  gate: gateStatement(context),
  settle: settleStatement(context),
  takeOver: takeOverStatement(context),
});

function groupByLease<Row extends { lease: number }>(rows: readonly Row[]): [Row, ...Row[]][] {
  const groups = new Map<number, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(row.lease);
    if (group) group.push(row);
    else groups.set(row.lease, [row]);
  }
  return [...groups.values()];
}

const rethrow = (error: unknown): never => {
  throw explainFailure(error);
};
