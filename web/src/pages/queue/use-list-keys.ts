import type { Message } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { decide } from './decide';
import { decisionsIn, type Decision } from './decisions';
import { rowId } from './row';
import type { useSelection } from './use-selection';

interface Parts {
  readonly items: readonly Message[];
  readonly openId: string | undefined;
  readonly selection: ReturnType<typeof useSelection>;
  readonly open: (id: string) => void;
  readonly close: () => void;
  readonly may: boolean;
}

/** The row that has the focus; with the drawer open, that of the drawer. */
function presentId(items: readonly Message[], openId: string | undefined): string | undefined {
  if (openId !== undefined) return openId;
  const row = document.activeElement?.closest('tr, li');
  return items.find(({ id }) => row?.querySelector(`#${CSS.escape(rowId(id))}`) != null)?.id;
}

export function useListKeys({ items, openId, selection, open, close, may }: Parts): void {
  const step = (by: 1 | -1) => {
    const id = presentId(items, openId);
    const at = items.findIndex((message) => message.id === id);
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))];
    if (!next) return;
    const link = document.getElementById(rowId(next.id));
    if (openId === undefined) link?.focus();
    else open(next.id);
    link?.scrollIntoView({ block: 'nearest' });
  };
  const act = (decision: Decision) => {
    const message = items.find(({ id }) => id === presentId(items, openId));
    if (message && decisionsIn(message.state).includes(decision)) void decide(message, decision);
  };
  const select = (range: boolean) => {
    const id = presentId(items, openId);
    if (id !== undefined) selection.select(id, range);
  };
  useShortcuts([
    { keys: 'j', does: 'next message', run: () => step(1) },
    { keys: 'k', does: 'previous message', run: () => step(-1) },
    {
      keys: 'o',
      does: 'open the message',
      run: () => {
        const id = presentId(items, openId);
        if (id !== undefined) open(id);
      },
    },
    ...(may
      ? [
          { keys: 'x', does: 'select', run: () => select(false) },
          { keys: 'Shift+x', does: 'select a range', run: () => select(true) },
          { keys: 'r', does: 'retry (dead)', run: () => act('retry') },
          { keys: 'd', does: 'dismiss (dead, held)', run: () => act('dismiss') },
          { keys: 'c', does: 'cancel (waiting)', run: () => act('cancel') },
        ]
      : []),
    {
      keys: 'Escape',
      does: 'close, or clear the selection',
      run: () => {
        if (openId !== undefined) close();
        else selection.clear();
      },
    },
  ]);
}
