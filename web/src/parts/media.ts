import { useSyncExternalStore } from 'react';

/** Whether the window is like this now, for what no style alone can lay out. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (hear) => {
      const list = matchMedia(query);
      list.addEventListener('change', hear);
      return () => list.removeEventListener('change', hear);
    },
    () => matchMedia(query).matches,
  );
}

/** Rows are cards there. */
export const usePhone = (): boolean => useMedia('(width < 640px)');

/** There is room for a drawer beside its list. */
export const useWide = (): boolean => useMedia('(width >= 1024px)');
