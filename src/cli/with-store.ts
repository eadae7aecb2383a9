import { readConfig } from '../service/config.js';
import { silent } from '../log/log.js';
import type { Store } from '../store/store.js';
import { surroundings } from './surroundings.js';

/** For a command that concerns the whole installation and makes no workspace by looking: opens, does, closes. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { databaseUrl, databaseDirectUrl, clock, leaseSeconds } = readConfig(surroundings().env);
  const { openStore } = await import('../store/open.js');
  const store = await openStore({
    databaseUrl,
    databaseDirectUrl,
    clock,
    leaseMs: leaseSeconds * 1_000,
    log: silent,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
