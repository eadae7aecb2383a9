import { useSyncExternalStore } from 'react';

/** One value that many components look at. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly use: () => T;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (hear: () => void) => {
    listeners.add(hear);
    return () => listeners.delete(hear);
  };
  const get = () => value;
  return {
    get,
    set: (next) => {
      value = next;
      for (const hear of listeners) hear();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

/** A value that this browser keeps. What is stored and unreadable counts as not stored. */
export function createKeptStore<T>(
  name: string,
  first: T,
  isValid: (value: unknown) => value is T,
): Store<T> {
  const store = createStore(read() ?? first);
  function read(): T | undefined {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
      return isValid(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return {
    ...store,
    set: (next) => {
      store.set(next);
      try {
        localStorage.setItem(name, JSON.stringify(next));
      } catch {
        // Private windows and full disks: it holds until the page is closed.
      }
    },
  };
}
