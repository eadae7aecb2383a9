import type { BulkTally } from '../core/bulk-tally.js';
import { ALL_STATES, mayHappen, type Event, type State } from '../core/lifecycle.js';

/** A decision about many messages at once, by the names of the single ones. */
export type BulkAction =
  | { readonly kind: 'retry' | 'dismiss' | 'cancel' }
  | { readonly kind: 'resolve'; readonly as: 'sent' | 'unsent' };

export interface BulkReport extends BulkTally {
  /** There is more that matches: ask again. */
  readonly more: boolean;
}

/** What became of the dead letters of one cause. */
export type GroupReport = Pick<BulkReport, 'done' | 'conflicts' | 'more'>;

const EVENTS: Record<BulkAction['kind'], Event> = {
  retry: 'requeued',
  dismiss: 'dismissed',
  cancel: 'cancelled',
  resolve: 'confirmed',
};

/** Which of the states that were asked for allow the action. The others are not touched, and no conflict. */
export function bulkStates(
  { kind }: BulkAction,
  asked: State | readonly State[] | undefined,
): readonly State[] {
  const wanted = asked === undefined ? ALL_STATES : [asked].flat();
  return wanted.filter((state) => {
    if (kind === 'retry') return state === 'dead';
    if (kind === 'resolve') return state === 'held';
    return mayHappen(state, EVENTS[kind]);
  });
}
