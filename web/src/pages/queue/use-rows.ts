import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ofMessage, ofMessages, type MessageFilter } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import type { Message } from '../../api/types';
import { arrange } from './arrange';

/** Looked at one by one when they have left the answer; more would be a list of their own. */
const FOLLOWED_AT_MOST = 12;
const ENDED = new Set(['sent', 'skipped', 'expired', 'cancelled']);

/**
 * The rows of a page that follow the server without moving under anybody's pointer. `free`: nobody looks at a row in
 * particular, so the list may move.
 */
export function useRows(filter: MessageFilter, cursor: string | undefined, free: boolean) {
  const query = useQuery({ ...ofMessages({ ...filter, cursor }), placeholderData: keepPreviousData });
  const key = JSON.stringify([filter, cursor]);
  const [shown, setShown] = useState<{ readonly key: string; readonly items: readonly Message[] }>({
    key: '',
    items: [],
  });
  const [asked, ask] = useState<unknown>();
  const [followed, follow] = useState<ReadonlyMap<string, Message>>(new Map());

  const fresh = query.data !== undefined && !query.isPlaceholderData;
  const before = shown.key === key ? shown.items : [];
  const arranged = fresh
    ? arrange(before, query.data.items, free || asked === query.data)
    : { items: shown.items, waiting: 0, missing: [] };
  if (fresh && !(shown.key === key && areSame(shown.items, arranged.items)))
    setShown({ key, items: arranged.items });

  const unsettled = arranged.missing.filter(({ id, state }) => !ENDED.has(followed.get(id)?.state ?? state));
  const wanted = unsettled
    .slice(0, FOLLOWED_AT_MOST)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    let stale = false;
    for (const id of wanted.split(' ').filter(Boolean)) {
      queryClient
        .query({ ...ofMessage(id), staleTime: 1_000 })
        .then((message) => {
          if (!stale) follow((known) => new Map(known).set(id, message));
        })
        .catch(() => undefined);
    }
    return () => {
      stale = true;
    };
  }, [wanted, query.dataUpdatedAt]);

  const missing = new Set(arranged.missing.map(({ id }) => id));
  return {
    query,
    items: arranged.items.map((message) =>
      missing.has(message.id) ? (followed.get(message.id) ?? message) : message,
    ),
    waiting: cursor === undefined ? arranged.waiting : 0,
    showNew: () => ask(query.data),
    nextCursor: query.data?.nextCursor ?? null,
    /** Those of another filter, until its own are there. */
    old: query.isPlaceholderData,
  };
}

const areSame = (one: readonly Message[], other: readonly Message[]): boolean =>
  one.length === other.length && one.every((message, n) => message === other[n]);
