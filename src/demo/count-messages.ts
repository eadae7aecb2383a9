import type { Pillarbox } from '../library/pillarbox.js';
import { readCounts } from '../store/scripts/counts.js';

export interface MessageCounts {
  readonly messages: number;
  readonly pending: number;
  readonly sent: number;
  readonly dead: number;
  readonly held: number;
}

/** Of the home workspace, from counters. */
export async function countMessages({ store, home }: Pillarbox): Promise<MessageCounts> {
  const lanes = await store.read(readCounts(store, home.id));
  const sum = (of: (lane: (typeof lanes)[number]) => number) =>
    lanes.reduce((total, lane) => total + of(lane), 0);
  const pending = sum((lane) => lane.pending);
  return {
    messages: pending + sum(({ finished }) => Object.values(finished).reduce((total, n) => total + n, 0)),
    pending,
    sent: sum(({ finished }) => finished.sent),
    dead: sum(({ finished }) => finished.dead),
    held: sum(({ finished }) => finished.held),
  };
}
