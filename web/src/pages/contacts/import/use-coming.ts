import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ofContacts, ofImport, type ContactFilter } from '../../../api/contacts';
import { queryClient } from '../../../api/query-client';
import type { Answers, Import } from '../../../api/types';

/** Rows follow a file at most this often. */
const FOLLOW_MS = 1_000;

interface Held {
  readonly key: string;
  /** The lines that were in when these rows were asked for. */
  readonly seen: number | undefined;
  readonly rows: Answers['listContacts'] | undefined;
}

/**
 * Contacts, of which a file may bring more while somebody looks. `free`: nobody points at a row, so the rows may follow;
 * else they stay where they are, and those that came in since wait until they are asked for.
 */
export function useComing(
  filter: ContactFilter,
  {
    cursor,
    limit,
    free,
  }: { readonly cursor?: string | undefined; readonly limit?: number; readonly free: boolean },
) {
  const { importId } = filter;
  const list = useQuery(ofContacts({ ...filter, cursor }, limit));
  const followed = importId !== undefined && cursor === undefined;
  const { data: file, isError } = useQuery({ ...ofImport(importId ?? ''), enabled: followed, retry: false });
  const key = JSON.stringify([filter, cursor]);
  const [kept, keep] = useState<Held>(NOTHING_HELD);
  const { seen, rows } = kept.key === key ? kept : NOTHING_HELD;
  const taken = followed && file ? takenOf(file) : undefined;
  const behind = taken === undefined || seen === undefined ? 0 : taken - seen;
  // Where nothing stands nothing moves.
  const still = !free && (rows?.items.length ?? 0) > 0;
  const { refetch } = list;
  const isNew = followed && file?.state === 'running' && seen === undefined;
  const ask = useEffectEvent(async (): Promise<Held | undefined> => {
    try {
      // Asked before the rows: what comes in between waits for the next look, although it is there already.
      const before = await queryClient.query({ ...ofImport(importId ?? ''), staleTime: 0 });
      const { data } = await refetch();
      return { key, seen: takenOf(before), rows: data };
    } catch {
      return isNew ? { key, seen: taken, rows: list.data } : undefined;
    }
  });
  const due = isNew || (!still && behind > 0);
  const [asked, show] = useState(0);
  useEffect(() => {
    if (!due && asked === 0) return;
    let late = false;
    const look = () =>
      void ask().then((held) => {
        if (late) return;
        if (held) keep(held);
        show(0);
      });
    const timer = setTimeout(look, isNew || asked > 0 ? 0 : FOLLOW_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [due, isNew, seen, asked]);

  const follows = rows !== undefined && (behind > 0 || file?.state === 'running');
  // How far the file was when they were asked for has to be known before they are shown.
  const unsure = followed && !isError && (file === undefined || isNew);
  return {
    list,
    rows: follows ? rows : unsure ? undefined : list.data,
    waiting: still ? behind : 0,
    show: () => show((times) => times + 1),
  };
}

const NOTHING_HELD: Held = { key: '', seen: undefined, rows: undefined };

const takenOf = ({ imported, updated }: Import): number => imported + updated;
