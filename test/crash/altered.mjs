// @ts-check

/** @typedef {import('#pillarbox/store/store').Store} Store */

/**
 * A real store, some of whose methods are others.
 *
 * @param {Store} store
 * @param {Partial<Store>} others
 * @returns {Store}
 */
export function altered(store, others) {
  return new Proxy(store, {
    get: (target, name) => {
      const value = /** @type {unknown} */ (Reflect.get(name in others ? others : target, name, target));
      // Private fields know only the store itself.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
