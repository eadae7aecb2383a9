// @ts-check
import { graphileWorker } from './graphile-worker.mjs';
import { pgBoss } from './pg-boss.mjs';
import { pillarbox } from './pillarbox.mjs';
import { rawSqlite } from './raw-sqlite.mjs';

/** By name, so that a child process can be told which one it plays. */
export const CONTENDERS = { pillarbox, pgBoss, graphileWorker, rawSqlite };

/** @typedef {keyof typeof CONTENDERS} ContenderName */
