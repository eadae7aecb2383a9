import type { Campaign, CampaignState } from '../../api/types';

const RANKS: Record<CampaignState, number> = { running: 1, paused: 2, draft: 3, completed: 4, stopped: 4 };

/** What needs a person first, then what runs by its end, what is paused, drafts, and what is over. */
export const inOrder = (items: readonly Campaign[]): Campaign[] =>
  [...items].sort((one, other) => rank(one) - rank(other) || endOf(one) - endOf(other));

const rank = ({ state, holdUp }: Campaign): number => (holdUp ? 0 : RANKS[state]);

/** The newest of those that are over first. */
function endOf({ state, endsAt, finishedAt }: Campaign): number {
  if (state === 'completed' || state === 'stopped') return -Date.parse(finishedAt ?? '1970-01-01');
  return endsAt === null ? Infinity : Date.parse(endsAt);
}
