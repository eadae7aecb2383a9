// @ts-check
import { bullmqMailer } from './bullmq.mjs';
import { graphileMailer } from './graphile-worker.mjs';
import { nodemailerPool } from './nodemailer-pool.mjs';
import { bossMailer } from './pg-boss.mjs';
import { pillarboxPostgres, pillarboxSqlite } from './pillarbox.mjs';

/** By name, so that a child process can be told which one it plays. */
export const MAILERS = {
  pillarboxPostgres,
  pillarboxSqlite,
  nodemailerPool,
  pgBoss: bossMailer,
  graphileWorker: graphileMailer,
  bullmq: bullmqMailer,
};

/** @typedef {keyof typeof MAILERS} MailerName */
