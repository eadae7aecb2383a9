import type { Standing } from '../../core/explain.js';
import { waitingState } from '../../core/lifecycle.js';
import { readRetryPolicy } from '../../core/retry.js';
import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { leasesOf } from './messages.js';
import { readTimezone } from './settings.js';
import { readCrew } from './workers.js';

/** Everything that decides whether a message may leave, from the rows that the claim and the gate look at. */
export function* readStanding(
  store: Store,
  workspaceId: number,
  id: number,
  now: number,
): Script<Standing | undefined> {
  const row = yield* askOne(
    store.db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .leftJoin('due as d', 'd.message_id', 'm.id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .leftJoin('suppressions as s', (join) =>
        join.onRef('s.workspace_id', '=', 'm.workspace_id').onRef('s.address', '=', 'm.recipient'),
      )
      .select([
        'm.attempts',
        'm.retry_policy',
        'm.transactional',
        'm.error_code',
        'm.error',
        'd.due_at',
        'd.queued_at',
        'd.tried',
        'o.state',
        'o.reason',
        'o.finished_at',
        'o.attempts as final_attempts',
        's.reason as suppression',
        'a.name',
        'a.pause_reason',
        'c.paused_at',
        'c.blocked_until',
        'c.blocked_reason',
      ])
      .where('m.id', '=', id)
      .where('m.workspace_id', '=', workspaceId),
  );
  if (!row) return undefined;
  const holder =
    row.state === null && row.due_at === null ? (yield* leasesOf(store, [id])).get(id) : undefined;
  return {
    now,
    timezone: yield* readTimezone(store, workspaceId),
    state: row.state ?? (row.due_at === null ? 'sending' : waitingState(row.tried === 1, row.queued_at)),
    dueAt: row.due_at,
    attempts: row.final_attempts ?? row.attempts,
    maxAttempts: readRetryPolicy(row.retry_policy).maxAttempts,
    lastError: row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    reason: row.reason,
    finishedAt: row.finished_at,
    suppressed: row.suppression !== null && !(row.suppression === 'unsubscribe' && row.transactional === 1),
    account: {
      name: row.name,
      pausedAt: row.paused_at,
      pauseReason: row.pause_reason,
      blockedUntil: row.blocked_until,
      blockedReason: row.blocked_reason,
    },
    lease: holder ? { owner: holder.owner, handed: holder.handed } : null,
    workers: (yield* readCrew(store)).senders,
  };
}
