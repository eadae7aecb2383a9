import {
  CAMPAIGN_STOPPED,
  NOT_ENROLLED,
  type CampaignState,
  type EnrolmentState,
} from '../../core/campaign.js';
import type { GateAnswer, GateEntry } from '../store.js';
import type { Instant } from './claim.js';
import { gate, type LastCheck, type Refused } from './gate.js';
import type { SqliteHandle } from './handle.js';

const JUDGE_CAMPAIGN = `
select k.state as campaign, e.state as person
from (select ?1 as campaign_id, ?2 as contact_id) a
left join campaigns k on k.id = a.campaign_id
left join enrolments e on e.campaign_id = a.campaign_id and e.contact_id = a.contact_id`;
const judgeStatement = (openings: string): string => `
select c.paused_at, x.cooldown_until,
  r.message_id is null or r.day <> p.day or r.total_day <> p.total_day or r.hour <> p.hour
    or p.opens_at > ?2 or p.open_until <= ?2
    or d.used > p.quota or w.used > w.quota or (p.hour > 0 and d.hour_used > p.hour_quota)
    or (g.spacing_ms > 0 and g.holder is not ?3) as shut
from ${openings} p
join channels c on c.id = p.channel_id
join accounts x on x.id = p.account_id
join guards g on g.account_id = p.account_id
left join reservations r on r.message_id = ?3
left join account_days d on d.account_id = r.account_id and d.action = r.action and d.day = r.day
left join workspace_days w on w.workspace_id = r.workspace_id and w.day = r.total_day
where p.channel_id = ?1`;
const JUDGE = judgeStatement('openings');
const JUDGE_OWN = judgeStatement('own_openings');

/** Inside a write transaction: the same rules as on PostgreSQL. */
export const gateGuarded = (
  handle: SqliteHandle,
  entries: readonly GateEntry[],
  instant: Instant,
  leaseMs: number,
): GateAnswer[] => gate(handle, entries, instant, leaseMs, shutOpenings(handle, instant.now));

export const shutOpenings =
  (handle: SqliteHandle, now: number): LastCheck =>
  ({ message }) => {
    const { channelId, id, campaignId, contactId, closesAt } = message;
    const halted = campaignId === null ? undefined : haltedBy(handle, campaignId, contactId);
    if (halted) return halted;
    const judge = closesAt === null ? JUDGE : JUDGE_OWN;
    const row = handle.prepare(judge).get(channelId, now, id) as
      { paused_at: number | null; cooldown_until: number; shut: number } | undefined;
    if (row?.paused_at !== null) return { refusal: 'paused' };
    if (row.cooldown_until > now) return { refusal: 'paused', until: row.cooldown_until };
    return row.shut === 1 || (closesAt !== null && closesAt <= now) ? { refusal: 'shut' } : undefined;
  };

/** Undefined: its campaign runs, and the person is in it. */
function haltedBy(handle: SqliteHandle, campaignId: number, contactId: number | null): Refused | undefined {
  const { campaign, person } = handle.prepare(JUDGE_CAMPAIGN).get(campaignId, contactId) as {
    campaign: CampaignState | null;
    person: EnrolmentState | null;
  };
  if (campaign === null || campaign === 'stopped' || campaign === 'draft')
    return { refusal: 'ended', reason: CAMPAIGN_STOPPED };
  if (person === null) return { refusal: 'ended', reason: NOT_ENROLLED };
  if (person !== 'active' && person !== 'paused') return { refusal: 'ended', reason: person };
  return campaign === 'paused' || person === 'paused' ? { refusal: 'halted' } : undefined;
}
