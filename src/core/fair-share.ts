/** Whose a thing is. */
export interface Owner {
  readonly workspaceId: number;
  readonly accountId: number;
}

/** Who holds how much of what all share, as one account sees it. */
export interface Holdings {
  readonly all: number;
  readonly workspace: number;
  readonly account: number;
  /** How many workspaces hold some of it, and how many accounts of this workspace; the asker counts as one. */
  readonly workspaces: number;
  readonly accounts: number;
}

export interface Supply {
  /** How much there is for whoever comes. */
  readonly limit: number;
  /** How much there is in all, with what is lent to those who would wait for somebody else. */
  readonly most: number;
}

/**
 * How much more of what all share an account may take. Whatever is free, so that one who is alone gets everything.
 * And, when nothing is free, what is missing to its share: an equal part for each workspace, of that an equal part
 * for each of its accounts, which may bring their workspace to twice its part. So nobody waits for what somebody else
 * took while he was alone and does not give back: he is lent his share beyond the limit, and the other gets no more
 * until he is back at his own. `reserve` is left for what is more urgent.
 */
export function roomFor(supply: Supply, holdings: Holdings, reserve = 0): number {
  const free = supply.limit - reserve - holdings.all;
  return Math.max(0, free, missingToShare(supply, holdings, reserve));
}

/** The second part of it: what it may take although others wait for what is free. */
export function missingToShare({ limit, most }: Supply, holdings: Holdings, reserve = 0): number {
  const share = shareOf(limit, holdings.workspaces);
  const own = Math.max(1, Math.floor(share / holdings.accounts));
  const ofWorkspace = Math.max(1, share - reserve) - holdings.workspace;
  const ofAccount = Math.min(Math.max(1, own - reserve) - holdings.account, 2 * share - holdings.workspace);
  return Math.max(0, Math.min(Math.max(ofWorkspace, ofAccount), most - holdings.all));
}

/** Whether any account of a workspace may have room: a quick no for all of them. */
export const mayHaveRoom = (
  { limit, most }: Supply,
  { all, workspace, workspaces }: Pick<Holdings, 'all' | 'workspace' | 'workspaces'>,
): boolean => all < limit || (all < most && workspace < 2 * shareOf(limit, workspaces));

const shareOf = (limit: number, workspaces: number): number => Math.max(1, Math.floor(limit / workspaces));
