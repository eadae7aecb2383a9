import { useEffect } from 'react';
import { outdated } from './query-client';
import { shareStream } from './shared-stream';
import type { StreamEvent } from './stream';
import type { Counts } from './types';
import { createStore } from '../store';

const counts = createStore<Counts | undefined>(undefined);

/** How many messages are in each state, as the stream said last. */
export const useCounts = counts.use;

/** A burst of news is one refetch. */
const GATHER_MS = 700;

/** While it is mounted, what the pages show follows the server. */
export function useLive(workspaceId: string): void {
  useEffect(() => {
    const gathered = new Gathered();
    const leave = shareStream(workspaceId, (event) => hear(event, gathered));
    return () => {
      leave();
      gathered.drop();
      counts.set(undefined);
    };
  }, [workspaceId]);
}

function hear({ event, data }: StreamEvent, gathered: Gathered): void {
  if (event === 'snapshot') {
    counts.set((data as { counts: Counts }).counts);
    // Who knows what was missed.
    gathered.add('dashboard', 'dead-groups', 'inbox', 'messages', 'message', 'accounts', 'campaigns');
    gathered.add('events', 'subscriptions');
  } else if (event === 'counts') {
    counts.set(data as Counts);
    // What people decide moves no try, so only the counts tell of it.
    gathered.add('dashboard', 'dead-groups', 'inbox', 'accounts', 'messages', 'message', 'campaigns');
    gathered.add('events', 'subscriptions');
  } else if (event === 'message') {
    gathered.add('messages', 'message');
  }
}

/** Names of queries to ask again, a moment after the first of them. */
class Gathered {
  readonly #names = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(...names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const asked = [...this.#names];
      this.#names.clear();
      void outdated(...asked.map((name) => [name]));
    }, GATHER_MS);
  }

  drop(): void {
    clearTimeout(this.#timer);
  }
}
