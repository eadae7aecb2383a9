import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { runAsync, scriptOf, type Script, type Scripted } from '../script.js';
import { LostAnswer, type Connections } from './connections.js';
import { explainFailure, mayTryAgain, TRIES_AGAINST_DEADLOCK, unknownCommit } from './failures.js';
import { fateOf } from './lost-commit.js';
import type { Route } from './route.js';

/** Scripts that write: all of it or nothing, and the truth about which of the two. */
export class Transactions {
  /** What a transaction begins with, behind a pooler the limits that no session could keep for it. */
  readonly #opening: string;

  constructor(
    private readonly connections: Connections,
    { pooled, limits: { statementMs, idleInTransactionMs } }: Route,
  ) {
    const limits = [
      `set local statement_timeout = ${String(statementMs)}`,
      `set local idle_in_transaction_session_timeout = ${String(idleInTransactionMs)}`,
    ];
    const number = 'select txid_current()::text as xid';
    this.#opening = ['begin', ...(pooled ? limits : []), number].join('; ');
  }

  async run<T>(script: Scripted<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#transact(scriptOf(script));
      } catch (error) {
        if (typeof script !== 'function' || tries === TRIES_AGAINST_DEADLOCK || !mayTryAgain(error)) {
          throw explainFailure(error instanceof LostAnswer ? error.cause : error);
        }
      }
      // Those who met at the same rows should not meet again.
      await sleep(Math.random() * 20 * tries);
    }
  }

  async #transact<T>(script: Script<T>): Promise<T> {
    let ready: { readonly result: T; readonly xid: string } | undefined;
    try {
      return await this.connections.use(async (client) => {
        const xid = await this.#begin(client);
        const result = await within(client, script);
        ready = { result, xid };
        await client.query('commit');
        return result;
      });
    } catch (error) {
      // Without a commit there is nothing to doubt.
      if (!ready || !(error instanceof LostAnswer)) throw error;
      const fate = await fateOf(this.connections, ready.xid, error);
      if (fate === undefined) throw unknownCommit(error);
      if (fate === 'aborted') throw error;
      return ready.result;
    }
  }

  /** Its number comes with the first answer, at no extra cost: with it anybody can be asked what became of it. */
  async #begin(client: pg.PoolClient): Promise<string> {
    const answers = (await client.query(this.#opening)) as unknown as pg.QueryResult<{ xid: string }>[];
    return answers.at(-1)?.rows[0]?.xid ?? '';
  }
}

async function within<T>(client: pg.PoolClient, script: Script<T>): Promise<T> {
  try {
    return await runAsync(script, async ({ sql, parameters }) => {
      const { rows } = await client.query(sql, [...parameters]);
      return rows as unknown[];
    });
  } catch (error) {
    // One that can't even be rolled back is of no more use to anybody.
    await client.query('rollback').catch((failure: unknown) => client.emit('error', failure as Error));
    throw error;
  }
}
