import { setLeasedAside, setWaitingAside, settleHere } from './scripts/restoration.js';
import type { Store } from './store.js';

/**
 * For a database that was restored or copied, before it is worked on again: whatever waits or was being sent when the
 * copy was made is held for a person, because it may have left since. In small steps; one that is cut off is finished
 * by the next, and only then may anybody send. Answers how many.
 */
export async function holdAfterRestore(store: Store, onProgress?: (held: number) => void): Promise<number> {
  let held = 0;
  for (const step of [setLeasedAside, setWaitingAside]) {
    for (;;) {
      const now = await store.now();
      const done = await store.transaction(() => step(store, now));
      if (done === 'all') break;
      held += done;
      onProgress?.(held);
    }
  }
  await keepAfterRestore(store);
  return held;
}

/** Nothing has left since the copy was made: it goes on as it is, from its new place. */
export async function keepAfterRestore(store: Store): Promise<void> {
  const residence = await store.residence();
  await store.transaction(() => settleHere(store, residence));
}
