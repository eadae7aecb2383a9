import { anyGuarded, rollOpenings } from '../store/scripts/openings.js';
import type { GuardedChannel, GuardWindow, Store } from '../store/store.js';
import type { Source } from './claimer.js';

const LOOK_MS = 250;
/** For guarded mail, where no account is guarded. */
const LOOK_MS_UNGUARDED = 1_000;
/** However fast a virtual clock runs. */
const LEAST_LOOK_MS = 20;
/** So long accounts are told when they open next; then those that are open have their turn. */
const TELL_MS = 200;

/** What leaves as soon as it is due. A wake-up tells of it; looking is for what became due by itself. */
export const unguarded = (store: Store): Source => ({
  what: 'mail',
  lookMs: LOOK_MS,
  open: () => store.openChannels(),
  claim: (request) => store.claim(request),
});

/**
 * What leaves when its account may send. Nobody tells when that is, so it is looked for, the more often the faster the
 * clock runs; until the first account of all is guarded, by one small question now and then. Whose opening is over is told
 * the next one first; if that has begun, it is among the open ones at once. At midnight these are all of them: each worker
 * begins with another, and what is open does not wait for the rest.
 */
export function guarded(store: Store, window: GuardWindow = 'account'): Source<GuardedChannel> {
  let some = false;
  return {
    what: window === 'account' ? 'guarded mail' : 'guarded mail in windows of its own',
    get lookMs() {
      return Math.max(LEAST_LOOK_MS, (some ? LOOK_MS : LOOK_MS_UNGUARDED) / Math.max(1, store.speed));
    },
    async open() {
      some ||= await store.read(anyGuarded(store));
      return some ? store.openGuarded(window) : [];
    },
    async prepare(found) {
      const over = [...new Set(found.filter((each) => each.over).map(({ accountId }) => accountId))];
      if (over.length === 0) return found;
      const now = await store.now();
      const until = performance.now() + TELL_MS;
      const first = Math.floor(Math.random() * over.length);
      for (const accountId of [...over.slice(first), ...over.slice(0, first)]) {
        await store.transaction(() => rollOpenings(store, accountId, now));
        if (performance.now() >= until) break;
      }
      return (await store.openGuarded(window)).filter((each) => !each.over);
    },
    claim: (request) => store.claimGuarded(request, window),
  };
}
