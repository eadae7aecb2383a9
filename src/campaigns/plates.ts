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
  readonly name: string;
  readonly state: CampaignState;
  readonly holdUp: HoldUp | null;
  readonly next: { readonly at: number } | null;
}

/** What stands above the list of them. */
export interface ListPlate extends Plate {
  readonly needs: readonly Pick<HoldUp, 'level' | 'sentence' | 'verb' | 'to'>[];
}

/** More stand in the list. */
const MOST_NEEDS = 2;

/** "1 waits for hello@, 2 for your decision". */
function awaitWords(held: readonly HoldUp[]): string {
  const counts = new Map<string, number>();
  for (const { awaits } of held) counts.set(awaits, (counts.get(awaits) ?? 0) + 1);
  return [...counts]
    .map(([awaits, n], place) => `${place > 0 ? String(n) : things(n, 'waits', 'wait')} for ${awaits}`)
    .join(', ');
}

/** One for each thing to do, the most urgent first. */
function needsOf(running: readonly Shown[]): ListPlate['needs'] {
  const byPlace = new Map<string, { readonly first: HoldUp; readonly names: string[] }>();
  for (const { name, holdUp } of running) {
    if (!holdUp) continue;
    const known = byPlace.get(holdUp.to) ?? { first: holdUp, names: [] };
    known.names.push(name);
    byPlace.set(holdUp.to, known);
  }
  return [...byPlace.values()]
    .sort(({ first: one }, { first: other }) => Number(other.level === 'act') - Number(one.level === 'act'))
    .slice(0, MOST_NEEDS)
    .map(({ first: { level, sentence, verb, to }, names }) => ({
      ...{ level, verb, to },
      sentence: `${names.length === 1 ? String(names[0]) : `${String(names.length)} campaigns`}: ${sentence}`,
    }));
}

/** One sentence about all of these. */
export function plateOf(campaigns: readonly Shown[], now: number, timezone: string): ListPlate {
  const running = campaigns.filter(({ state }) => state === 'running');
  if (running.length === 0)
    return {
      level: 'fine',
      sentence: campaigns.length === 0 ? 'There is no campaign yet.' : 'No campaign runs.',
      needs: [],
    };
  const held = running.flatMap(({ holdUp }) => holdUp ?? []);
  const level = (['act', 'look'] as const).find((each) => held.some((one) => one.level === each)) ?? 'fine';
  const runs = things(running.length, 'campaign runs', 'campaigns run');
  const needs = needsOf(running);
  const [only] = held;
  if (level !== 'fine' && only) {
    const stuck = held.filter((each) => each.level === 'act' && each.to.startsWith('/accounts'));
    if (stuck.length === running.length && stuck.length > 1)
      return {
        level,
        sentence: `No account may send; ${String(stuck.length)} campaigns wait.`,
        needs,
      };
    const waits = running.length === 1 ? `, and waits for ${only.awaits}` : `. ${awaitWords(held)}`;
    return { level, sentence: `${runs}${waits}.`, evidence: othersOnPlan(running), needs };
  }
  const next = running.flatMap((each) => each.next?.at ?? []).sort((a, b) => a - b)[0];
  const leaves =
    next === undefined
      ? 'Nothing waits to leave.'
      : `The next mail leaves ${timeWords(Math.max(next, now), { now, timezone }, { seconds: true })}.`;
  return { level: 'fine', sentence: `${runs}, all on plan. ${leaves}`, needs };
}

/** What goes on meanwhile. */
function othersOnPlan(running: readonly Shown[]): string {
  const free = running.filter(({ holdUp }) => holdUp === null);
  const [only] = free;
  if (!only) return running.length === 1 ? 'No other campaign runs.' : 'None of them is on plan.';
  return free.length === 1 ? `${only.name} is on plan.` : `${String(free.length)} of them are on plan.`;
}
