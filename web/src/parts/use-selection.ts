import { useState } from 'react';
import { useShortcuts } from '../keys/keys';

/** What is chosen of a list, for something that is done to all of it. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (ids: readonly string[], on: boolean) => void;
  readonly clear: () => void;
}

/** Marks the row of something that can be chosen, so that a key finds it. */
export const choosable = (id: string) => ({ 'data-choice': id }) as const;

/**
 * What is chosen of those that are shown; `x` chooses the row that has the focus. Another page is another selection.
 * Undefined: nothing can be chosen here.
 */
export function useSelection(
  thing: string,
  shown: readonly string[],
  page: string | undefined,
  may: boolean,
): Selection | undefined {
  const [chosen, setChosen] = useState<{
    readonly page: string | undefined;
    readonly ids: ReadonlySet<string>;
  }>({ page, ids: new Set() });
  const ids = new Set(chosen.page === page ? shown.filter((id) => chosen.ids.has(id)) : []);
  const set = (next: ReadonlySet<string>) => setChosen({ page, ids: next });
  const toggle = (some: readonly string[], on: boolean) =>
    set(new Set(on ? [...ids, ...some] : [...ids].filter((id) => !some.includes(id))));
  const clear = () => set(new Set());
  const keys = [
    {
      keys: 'x',
      does: `select the ${thing}`,
      run: () => {
        const id = document.activeElement?.closest<HTMLElement>('[data-choice]')?.dataset['choice'];
        if (id !== undefined) toggle([id], !ids.has(id));
      },
    },
    ...(ids.size > 0 ? [{ keys: 'Escape', does: 'clear the selection', run: clear }] : []),
  ];
  useShortcuts(may ? keys : []);
  return may ? { ids, toggle, clear } : undefined;
}
