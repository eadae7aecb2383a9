// @ts-check
import { drainPostgres, drainSqlite, drainTwo } from './drain.mjs';

/** @type {Partial<Record<import('../options.mjs').GroupName, import('./group.mjs').Group>>} */
export const GROUPS = {
  drain: drainPostgres,
  'drain-2': drainTwo,
  'drain-sqlite': drainSqlite,
};
