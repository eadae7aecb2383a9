import { useShortcuts } from '../keys/keys';

/** Marks the link of a row, so that keys find it. */
export const ROW = { 'data-row': '' } as const;

/** Down and up a list of links; Enter is the browser's. */
export function useRowKeys(thing: string): void {
  const step = (by: 1 | -1) => {
    const links = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
    const row = document.activeElement?.closest('tr, li');
    const at = links.findIndex((link) => row?.contains(link) ?? false);
    const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: `next ${thing}`, run: () => step(1) },
    { keys: 'k', does: `previous ${thing}`, run: () => step(-1) },
  ]);
}
