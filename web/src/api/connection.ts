import { createStore } from '../store';

/** How the page is connected with the server. `since` and `retryAt` are of this machine's clock. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'down'; readonly since: number; readonly retryAt: number };

const connection = createStore<Connection>({ kind: 'connecting' });

export const setConnection = connection.set;
export const useConnection = connection.use;

/** A hiccup is not worth a word; after this the page says that it shows what was. */
export const OFFLINE_AFTER_MS = 10_000;
