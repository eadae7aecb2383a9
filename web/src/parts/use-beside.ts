import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type MouseEvent } from 'react';
import { useShortcuts } from '../keys/keys';
import type { DrawerWays } from './drawer';

type Search = Readonly<Record<string, string | undefined>>;

interface Parts {
  /** Where the list is; what is open stands behind it. */
  readonly list: string;
  /** What it is called in the list of keys. */
  readonly thing: string;
  readonly ids: readonly string[];
  readonly openId: string | undefined;
  readonly search: object;
}

export const besideRowId = (id: string): string => `row-${id}`;

/** A plain click opens beside the list; with a key it is the browser's: another tab, another window. */
export function openBeside(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}

/** A list and what is open beside it: the ways between them, by address and by key. */
export function useBeside({ list, thing, ids, openId, search }: Parts) {
  const navigate = useNavigate();
  const router = useRouter();
  const left = useRef(openId);
  useEffect(() => {
    // The focus goes back to where it came from.
    if (openId === undefined && left.current !== undefined)
      document.getElementById(besideRowId(left.current))?.focus({ preventScroll: true });
    left.current = openId;
  }, [openId]);
  const rest = Object.fromEntries(
    Object.entries(search as Search).filter(([name]) => name !== 'tab'),
  ) as Readonly<Record<string, string>>;
  const open = (id: string) => {
    if (id === openId) return;
    void navigate({
      to: `${list}/${id}`,
      search: rest,
      replace: openId !== undefined,
      state: (state) => ({ ...state, fromList: openId === undefined || state.fromList === true }),
    });
  };
  const close = () => {
    if (router.state.location.state.fromList === true) router.history.back();
    else void navigate({ to: list, search: rest });
  };
  const show = (tab: string | undefined) =>
    void navigate({
      to: `${list}/${openId ?? ''}`,
      search: tab === undefined ? rest : { ...rest, tab },
      replace: true,
      state: (state) => ({ ...state }),
    });
  const filter = (change: Search) => {
    const next: Search = { ...rest, ...change, cursor: undefined };
    void navigate({
      to: openId === undefined ? list : `${list}/${openId}`,
      search: Object.fromEntries(
        Object.entries(next).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
      ),
    });
  };
  const presentId = (): string | undefined => {
    if (openId !== undefined) return openId;
    const row = document.activeElement?.closest('tr, li');
    return ids.find((id) => row?.querySelector(`#${CSS.escape(besideRowId(id))}`) != null);
  };
  const step = (by: 1 | -1) => {
    const at = ids.findIndex((id) => id === presentId());
    const next = ids[at < 0 ? 0 : Math.max(0, Math.min(ids.length - 1, at + by))];
    if (next === undefined) return;
    const link = document.getElementById(besideRowId(next));
    if (openId === undefined) link?.focus();
    else open(next);
    link?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: `next ${thing}`, run: () => step(1) },
    { keys: 'k', does: `previous ${thing}`, run: () => step(-1) },
    {
      keys: 'o',
      does: `open the ${thing}`,
      run: () => {
        const id = presentId();
        if (id !== undefined) open(id);
      },
    },
    ...(openId === undefined ? [] : [{ keys: 'Escape', does: 'close', run: close }]),
  ]);
  const at = ids.findIndex((id) => id === openId);
  const to = (n: number) => {
    const id = at < 0 ? undefined : ids[n];
    return id === undefined ? undefined : () => open(id);
  };
  const ways: DrawerWays = { onPrevious: to(at - 1), onNext: to(at + 1), onClose: close };
  return { open, close, show, filter, ways, at };
}
