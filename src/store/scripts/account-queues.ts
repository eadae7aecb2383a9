import type { Action, AttemptOutcome, Lane } from '../../core/message.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** What waits in one channel of an account, and how its last try ended. */
export interface AccountQueue {
  readonly channelId: number;
  readonly accountId: number;
  readonly action: Action;
  readonly lane: Lane;
  readonly guarded: boolean;
  /** Up to one more than `MOST_WAITING`. */
  readonly waiting: number;
  readonly lastTryAt: number | null;
  readonly lastOutcome: AttemptOutcome | null;
}

/** Counting further would cost more than anyone learns from it. */
export const MOST_WAITING = 10_000;

/** One look into an index for each figure, whatever was sent before. */
export function* readAccountQueues(store: Store, workspaceId: number): Script<readonly AccountQueue[]> {
  const { at } = store;
  const waiting = `select count(*) from (
    select 1 from ${at('due')} d where d.channel_id = c.id limit ${String(MOST_WAITING + 1)}) some_of_them`;
  const last = (column: string) =>
    `select a.${column} from ${at('attempts')} a where a.channel_id = c.id order by a.finished_at desc limit 1`;
  const question = new Question(store);
  const rows = yield* question.rows<Omit<AccountQueue, 'guarded'> & { readonly guarded: number }>(
    `select c.id as "channelId", c.account_id as "accountId", c.action, c.lane, c.guarded, (${waiting}) as waiting,
        (${last('finished_at')}) as "lastTryAt", (${last('outcome')}) as "lastOutcome"
      from ${at('channels')} c where c.workspace_id = ${question.bind(workspaceId)}`,
  );
  return rows.map((row) => ({ ...row, guarded: row.guarded === 1 }));
}
