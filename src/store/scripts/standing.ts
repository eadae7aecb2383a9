import type { CampaignStanding, Standing } from '../../core/explain.js';
import { LINES, type Line } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { leavesAt, waitingState } from '../../core/lifecycle.js';
import { readRetryPolicy } from '../../core/retry.js';
import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { leasesOf, readAttempts } from './messages.js';
import { readGuardStanding } from './guard-standing.js';
import { readTimezone } from './settings.js';
import { suppressionsOf } from './suppression-list.js';
import { readWorkers } from './workers.js';

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
      .select([
        'm.attempts',
        'm.retry_policy',
        'm.transactional',
        'm.lane',
        'm.recipient',
        'm.error_code',
        'm.error',
        'd.due_at',
        'd.queued_at',
        'd.tried',
        'o.state',
        'o.reason',
        'o.finished_at',
        'o.attempts as final_attempts',
        'a.name',
        'a.pause_reason',
        'c.paused_at',
        'c.blocked_until',
        'c.guarded',
        'm.channel_id',
        'a.cooldown_until',
        'a.cooldown_reason',
        'c.blocked_reason',
        'm.action',
        'm.campaign_id',
        'm.contact_id',
        'm.sequence_id',
        'm.step_number',
        'd.alone',
        'd.closes_at',
      ])
      .where('m.id', '=', id)
      .where('m.workspace_id', '=', workspaceId),
  );
  if (!row) return undefined;
  const errand = { lane: row.lane, transactional: row.transactional === 1 };
  const suppressed = yield* suppressionsOf(store, workspaceId, [row.recipient], errand);
  const holder =
    row.state === null && row.due_at === null ? (yield* leasesOf(store, [id])).get(id) : undefined;
  const attempts = row.final_attempts ?? row.attempts;
  const mayBeInline = row.state === 'dead' && attempts === 0;
  return {
    now,
    timezone: yield* readTimezone(store, workspaceId),
    state: row.state ?? (row.due_at === null ? 'sending' : waitingState(row.tried === 1, row.queued_at)),
    dueAt: row.due_at === null ? null : leavesAt(row.due_at, row.queued_at),
    attempts,
    diedInline: mayBeInline && (yield* readAttempts(store, workspaceId, id, { inline: true })).length > 0,
    maxAttempts: readRetryPolicy(row.retry_policy).maxAttempts,
    lastError: row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    reason: row.reason,
    finishedAt: row.finished_at,
    suppressed: suppressed.size > 0,
    account: {
      name: row.name,
      pausedAt: row.paused_at,
      pauseReason: row.pause_reason,
      // A guarded channel is blocked for good in the eyes of others; its account's rest stands with the account.
      blockedUntil: row.guarded === 1 ? row.cooldown_until : row.blocked_until,
      blockedReason: row.guarded === 1 ? row.cooldown_reason : row.blocked_reason,
    },
    campaign: row.due_at === null ? null : yield* readCampaignStanding(store, row),
    // In its recipient's window the account's own does not count.
    guard:
      row.guarded === 1 && row.due_at !== null && row.closes_at === null
        ? ((yield* readGuardStanding(store, row.channel_id, { dueAt: row.due_at, id }, now)) ?? null)
        : null,
    lease: holder ? { owner: holder.owner, handed: holder.handed } : null,
    workers: (yield* readWorkers(store)).senders,
  };
}

interface OfCampaign {
  readonly campaign_id: number | null;
  readonly contact_id: number | null;
  readonly sequence_id: number | null;
  readonly step_number: number | null;
  readonly action: Action;
  readonly alone: number | null;
}

function* readCampaignStanding({ db }: Store, row: OfCampaign): Script<CampaignStanding | null> {
  const { campaign_id, contact_id, sequence_id, step_number: step, action } = row;
  if (campaign_id === null) return null;
  const campaign = yield* askOne(
    db
      .selectFrom('campaigns as k')
      .leftJoin('enrolments as e', (join) =>
        join.onRef('e.campaign_id', '=', 'k.id').on('e.contact_id', '=', contact_id),
      )
      .select(['k.name', 'k.state', 'e.state as person', 'e.resume_at as resumeAt', 'e.accepted_at'])
      .where('k.id', '=', campaign_id),
  );
  if (!campaign) return null;
  const line = (row.alone ?? LINES.together) as Line;
  const asked =
    line === LINES.follows && action === 'message' && campaign.accepted_at === null
      ? yield* askOne(
          db
            .selectFrom('messages as m')
            .innerJoin('outcomes as o', 'o.message_id', 'm.id')
            .select('m.id')
            .where('m.contact_id', '=', contact_id)
            .where('m.sequence_id', '=', sequence_id)
            .where('m.action', '=', 'connection_request')
            .where('o.state', '=', 'sent')
            .limit(1),
        )
      : undefined;
  const { name, state, person, resumeAt } = campaign;
  return { name, state, person, resumeAt, line, step, awaitsAcceptance: asked !== undefined };
}
