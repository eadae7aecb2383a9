// @ts-check
import { altered } from './altered.mjs';

/** @typedef {import('#pillarbox/store/store').Store} Store */

/**
 * A store that tells before each statement of its transactions, counted from 1 in each; then `commits` before the commit,
 * and `committed` after it.
 *
 * @param {Store} store
 * @param {(point: number | 'commits' | 'committed') => void} tell
 * @returns {Store}
 */
export function telling(store, tell) {
  return altered(store, {
    transaction: async (script) => {
      const result = await store.transaction(() =>
        told(typeof script === 'function' ? script() : script, tell),
      );
      tell('committed');
      return result;
    },
  });
}

/**
 * @template T
 * @param {import('#pillarbox/store/script').Script<T>} script
 * @param {(point: number | 'commits') => void} tell
 * @returns {import('#pillarbox/store/script').Script<T>}
 */
function* told(script, tell) {
  let statements = 0;
  for (let step = script.next(); ;) {
    if (step.done) {
      tell('commits');
      return step.value;
    }
    statements += 1;
    tell(statements);
    step = script.next(yield step.value);
  }
}
