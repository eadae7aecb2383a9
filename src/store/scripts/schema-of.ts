import type { Store } from '../store.js';

/** On PostgreSQL: where its tables are. */
export const schemaOf = (store: Pick<Store, 'at'>): string => store.at('x').slice(0, -2);
