import { readConfig } from '../config.js';
import { silent } from '../log.js';
import type { Store } from '../store/store.js';

/** For a command that concerns the whole installation and makes no workspace by looking: opens, does, closes. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { databaseUrl, clock, leaseSeconds } = readConfig(process.env);
  const { openStore } = await import('../store/open.js');
  const store = await openStore({ databaseUrl, clock, leaseMs: leaseSeconds * 1_000, log: silent });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
