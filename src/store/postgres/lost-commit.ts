import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '../../core/errors.js';
import { askCompiled, type Script } from '../script.js';
import { LostAnswer, type Connections, type Session } from './connections.js';
import { explainFailure } from './failures.js';

/** How long to ask what became of a commit. Whoever waits for it is waiting too. */
const PATIENCE_MS = 5_000;
const EVERY_MS = 50;

/**
 * Asks again and again, until there is an answer or patience has run out (undefined). A database that is just
 * coming back is worth waiting for; one that is away is not.
 */
async function insist<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let left = PATIENCE_MS; left > 0; left = deadline - performance.now()) {
    try {
      const answer = await Promise.race([ask(), sleep(left, undefined, { ref: false })]);
      if (answer !== undefined) return answer;
    } catch (error) {
      // Only an outage passes; all else is a bug and is told as such.
      if (!(error instanceof LostAnswer) && !isOutage(explainFailure(error))) throw error;
    }
    await sleep(EVERY_MS);
  }
  return undefined;
}

export type Fate = 'committed' | 'aborted';

/** What became of a transaction whose number is known. Undefined: it could not be found out. */
export const fateOf = (
  connections: Connections,
  xid: string,
  { session }: LostAnswer,
): Promise<Fate | undefined> =>
  insist(async () => {
    if (session) await end(connections, session);
    const [row] = await connections.query<{ status: string | null }>(
      'select txid_status($1::bigint) as status',
      [xid],
    );
    const status = row?.status;
    return status === 'committed' || status === 'aborted' ? status : undefined;
  });

/**
 * Which of these marks are in the table, with the ids of their messages, once it is certain that none can still
 * come: the session that had the statement is ended first, and gone. Behind a pooler nobody can say which session
 * that was: what is found there is stored, what is not found stays unknown. Ids only grow, so nothing at or below
 * `floor` has to be looked at, and no index has to be kept for the rare case.
 */
export const findMarked = (
  connections: Connections,
  schema: string,
  { session }: LostAnswer,
  { marks, floor }: { readonly marks: readonly number[]; readonly floor: number },
): Promise<ReadonlyMap<number, number> | undefined> =>
  insist(async () => {
    if (session && !(await end(connections, session))) return undefined;
    const rows = await connections.query<{ id: number; mark: number }>(
      `select id, mark from ${schema}.messages where id > $1 and mark = any($2::bigint[])`,
      [floor, marks],
    );
    if (rows.length === 0 && !session) return undefined;
    return new Map(rows.map(({ id, mark }) => [mark, id]));
  });

/** True once it is gone. Sessions of our own role may be ended by us. */
async function end(connections: Connections, { pid, connectedAt }: Session): Promise<boolean> {
  const there = await connections.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = $1 and datname = current_database() and usename = current_user
       and extract(epoch from clock_timestamp() - backend_start) * 1000 >= $2`,
    [pid, performance.now() - connectedAt],
  );
  return there.length === 0;
}

/** The lease that a lost statement made for its caller, if it is still there. */
export function* findLeaseOf(
  schema: string,
  owner: string,
  messageId: number,
): Script<{ readonly id: number; readonly claimed_at: number } | undefined> {
  const [lease] = yield* askCompiled<{ id: number; claimed_at: number }>({
    sql: `select id, claimed_at from ${schema}.leases where owner = $1 and $2 = any(ids)`,
    parameters: [owner, messageId],
  });
  return lease;
}
