import { useLocation, useNavigate } from '@tanstack/react-router';
import type { QueueSearch } from './filters';
import { without } from './without';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages before this one; empty: the newest page. */
    newer?: readonly string[];
    /** The drawer was opened from the list: going back closes it. */
    fromList?: boolean;
  }
}

/** A keyset knows only what comes after; the way back is remembered with the entry of the history. */
export function usePaging(search: QueueSearch) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const stack = state.newer ?? [];
  const { cursor } = search;
  const filter = without(search, 'cursor', 'tab');
  const to = (next: string | undefined, newer: readonly string[]) => {
    void navigate({
      to: '/queue',
      search: next === undefined || next === '' ? filter : { ...filter, cursor: next },
      state: { newer },
    });
  };
  return {
    first: cursor === undefined,
    knowsNewer: stack.length > 0,
    older: (next: string) => to(next, [...stack, cursor ?? '']),
    newer: () => to(stack.at(-1), stack.slice(0, -1)),
    newest: () => to(undefined, []),
  };
}
