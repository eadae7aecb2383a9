import type { CampaignState } from '../core/campaign.js';
import { formatId } from '../core/ids.js';
import { timeWords } from '../core/time-words.js';
import type { Account } from '../store/scripts/accounts.js';
import type { DeadOrHeld } from '../store/scripts/campaign-figures.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import type { Late } from './late.js';

export interface Plate {
  readonly level: 'fine' | 'look' | 'act';
  readonly sentence: string;
  /** The one cause, or what comes next. */
  readonly evidence?: string;
}

/** What keeps a campaign from going on as planned: one sentence, one thing to do. */
export interface HoldUp {
  readonly level: Plate['level'];
  readonly sentence: string;
  readonly verb: string;
  readonly to: string;
  /** What it waits for: an account by its name, or somebody. */
  readonly awaits: string;
}

const things = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`;

export function holdUpOf(
  campaign: CampaignRow,
  accounts: readonly Account[],
  needs: DeadOrHeld | undefined,
  late: Late | undefined,
): HoldUp | null {
  const id = formatId('campaign', campaign.id);
  if (campaign.state !== 'running') return null;
  const paused = accounts.filter(({ pausedAt }) => pausedAt !== null);
  const [first] = paused;
  const open = {
    verb: 'Open the account',
    to: first ? `/accounts/${formatId('account', first.id)}` : '/accounts',
  };
  if (accounts.length === 0)
    return {
      level: 'act',
      sentence: 'None of its accounts is there any more.',
      awaits: 'an account',
      verb: 'Set up',
      to: `/campaigns/${id}/set-up`,
    };
  if (first && paused.length === accounts.length)
    return {
      ...{ level: 'act', ...open, awaits: first.name },
      sentence: `${first.name} is paused${why(first)}; nothing leaves.`,
    };
  if (campaign.plan_fault === 'does_not_fit')
    return {
      level: 'act',
      sentence: 'Its accounts have no time left for everybody.',
      awaits: 'more room',
      verb: 'Set up',
      to: `/campaigns/${id}/set-up`,
    };
  const queue = (state: string) => `/queue?campaignId=${id}&state=${state}`;
  if (needs && needs.held > 0)
    return {
      ...{ level: 'look', verb: 'Decide', to: queue('held'), awaits: 'your decision' },
      sentence: `${things(needs.held, 'mail waits', 'mails wait')} for your decision.`,
    };
  if (first)
    return {
      ...{ level: 'look', ...open, awaits: first.name },
      sentence: `${first.name} is paused${why(first)}; its people wait.`,
    };
  if (needs && needs.dead > 0)
    return {
      ...{ level: 'look', verb: 'Show them', to: queue('dead'), awaits: 'a look at what is dead' },
      sentence: `${things(needs.dead, 'mail', 'mails')} could not be sent.`,
    };
  if (late)
    return {
      ...{ level: 'look', verb: 'See the limits', to: '/limits', awaits: late.account },
      sentence: `${late.cause}.`,
    };
  return null;
}

const why = ({ pauseReason }: Account): string => (pauseReason === null ? '' : ` (${pauseReason})`);

interface Shown {
  readonly state: CampaignState;
  readonly holdUp: HoldUp | null;
  readonly next: { readonly at: number } | null;
}

/** "1 waits for hello@, 2 for your decision". */
function awaitWords(held: readonly HoldUp[]): string {
  const counts = new Map<string, number>();
  for (const { awaits } of held) counts.set(awaits, (counts.get(awaits) ?? 0) + 1);
  return [...counts]
    .map(([awaits, n], place) => `${place > 0 ? String(n) : things(n, 'waits', 'wait')} for ${awaits}`)
    .join(', ');
}

/** One sentence about all of these. */
export function plateOf(campaigns: readonly Shown[], now: number, timezone: string): Plate {
  const running = campaigns.filter(({ state }) => state === 'running');
  if (running.length === 0)
    return {
      level: 'fine',
      sentence: campaigns.length === 0 ? 'There is no campaign yet.' : 'No campaign runs.',
    };
  const held = running.flatMap(({ holdUp }) => holdUp ?? []);
  const level = (['act', 'look'] as const).find((each) => held.some((one) => one.level === each)) ?? 'fine';
  const runs = things(running.length, 'campaign runs', 'campaigns run');
  const [only] = held;
  if (level !== 'fine' && only) {
    const stuck = held.filter((each) => each.level === 'act' && each.to.startsWith('/accounts'));
    if (stuck.length === running.length && stuck.length > 1)
      return {
        level,
        sentence: `No account may send; ${things(stuck.length, 'campaign waits', 'campaigns wait')}.`,
      };
    return { level, sentence: `${runs}. ${held.length === 1 ? only.sentence : `${awaitWords(held)}.`}` };
  }
  const next = running.flatMap((each) => each.next?.at ?? []).sort((a, b) => a - b)[0];
  const leaves =
    next === undefined
      ? 'Nothing waits to leave.'
      : `The next mail leaves ${timeWords(Math.max(next, now), { now, timezone }, { seconds: true })}.`;
  return { level: 'fine', sentence: `${runs}, all on plan. ${leaves}` };
}
