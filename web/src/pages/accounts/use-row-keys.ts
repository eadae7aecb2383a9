import { useShortcuts } from '../../keys/keys';

export const rowId = (key: string): string => `account-${key.replaceAll(/\W/g, '-')}`;

interface Parts {
  readonly keys: readonly string[];
  readonly present: string | undefined;
  readonly onMove: (key: string) => void;
  readonly onOpen: () => void;
}

/** Down and up the list; what is shown below it follows. */
export function useRowKeys({ keys, present, onMove, onOpen }: Parts): void {
  const step = (by: 1 | -1) => {
    const at = keys.indexOf(present ?? '');
    const focused = document.activeElement?.id === rowId(present ?? '');
    // The first press shows where one is.
    const next = keys[focused ? Math.max(0, Math.min(keys.length - 1, at + by)) : Math.max(0, at)];
    if (next === undefined) return;
    onMove(next);
    const link = document.getElementById(rowId(next));
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: 'next account', run: () => step(1) },
    { keys: 'k', does: 'previous account', run: () => step(-1) },
    { keys: 'o', does: 'open the account', run: onOpen },
  ]);
}
