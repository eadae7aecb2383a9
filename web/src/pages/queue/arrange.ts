import type { Message } from '../../api/types';

export interface Arranged {
  readonly items: readonly Message[];
  /** New ones, which wait until they are asked for. */
  readonly waiting: number;
  /** Shown, and not in the newest answer: they moved on, or were pushed off the page. */
  readonly missing: readonly Message[];
}

/**
 * What a list shows after another answer. Unless it may move, each row stays where it is and only its cells change;
 * what is new waits.
 */
export function arrange(shown: readonly Message[], latest: readonly Message[], mayMove: boolean): Arranged {
  if (mayMove || shown.length === 0) return { items: latest, waiting: 0, missing: [] };
  const known = new Map(latest.map((message) => [message.id, message]));
  const seen = new Set(shown.map(({ id }) => id));
  const oldest = Math.min(...shown.map((message) => message.number));
  return {
    items: shown.map((message) => known.get(message.id) ?? message),
    // What only came up from below the page because others left it is not new.
    waiting: latest.filter((message) => !seen.has(message.id) && message.number > oldest).length,
    missing: shown.filter(({ id }) => !known.has(id)),
  };
}
