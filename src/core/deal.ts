/** A channel with something to do, as the claim loop knows it. */
export interface DealtChannel {
  readonly id: number;
  readonly workspaceId: number;
}

export interface Share {
  readonly channelId: number;
  readonly limit: number;
}

/** How many channels one claim visits. */
const CHANNELS_PER_CLAIM = 50;

/**
 * Divides one claim of `size` messages: first evenly over workspaces, then evenly over the channels of each. A
 * workspace with a hundred accounts gets no more than one with a single account, and a newcomer waits one turn,
 * not one backlog. `turn` counts claims, so that those who got no share, or the smaller one, come first next time.
 */
export function deal(channels: readonly DealtChannel[], size: number, turn: number): Share[] {
  const workspaces = new Map<number, number[]>();
  for (const { id, workspaceId } of channels) {
    const own = workspaces.get(workspaceId);
    if (own) own.push(id);
    else workspaces.set(workspaceId, [id]);
  }
  const all = [...workspaces.values()];
  const count = Math.min(CHANNELS_PER_CLAIM, size, all.length);
  const channelsEach = Math.min(
    Math.floor(CHANNELS_PER_CLAIM / Math.max(1, count)),
    Math.floor(size / Math.max(1, count)),
  );
  return split(size, count).flatMap((portion, index) => {
    // Places go round and round; how often they have passed a workspace says which of its channels are next.
    const place = turn * count + index;
    const own = window(all[place % all.length] ?? [], Math.floor(place / all.length), channelsEach);
    return split(portion, own.length).map((limit, nth) => ({ channelId: own[nth] ?? 0, limit }));
  });
}

/** `count` elements, from where the last lap ended. */
function window<T>(all: readonly T[], lap: number, count: number): T[] {
  const taken = Math.min(count, all.length);
  return Array.from({ length: taken }, (_, index) => all[(lap * taken + index) % all.length] as T);
}

/** `total` in whole parts that differ by one at most. */
function split(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, index) => Math.floor(((index + 1) * total) / parts) - Math.floor((index * total) / parts),
  );
}
