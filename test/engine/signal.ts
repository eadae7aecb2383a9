import { PATIENCE_MS } from '../patience.js';

/** Lets a test wait for something to become true, and look again only when something has happened. */
export class Signal {
  readonly #watchers = new Set<() => void>();

  tell(): void {
    for (const look of [...this.#watchers]) look();
  }

  until(what: string, happened: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
    if (happened()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!happened()) return;
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`no sign of ${what} within ${patienceMs / 1_000} s`));
      }, patienceMs);
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
    });
  }
}

/** A promise with its own switch. */
export function barrier(): { readonly wait: Promise<void>; readonly open: () => void } {
  let open: () => void;
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { wait, open: () => open() };
}
