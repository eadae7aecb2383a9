// @ts-check

/**
 * How much each group does.
 *
 * @typedef {object} Sizes
 * @property {number} drain Mails to drain on PostgreSQL.
 * @property {number} drainSqlite
 * @property {number} enqueueAlone Mails of one caller, one after the other.
 * @property {number} enqueueTogether Mails of 50 callers at once.
 * @property {number} bulk
 * @property {number} finishedFew History beside which a claim is timed: a young queue,
 * @property {number} finishedMany and an old one.
 * @property {number} blocked Mails that wait behind blocked accounts.
 * @property {number} claimed Mails claimed beside them.
 * @property {number} latencySamples
 * @property {number} backlog Mails due while memory is watched.
 * @property {number} memorySeconds
 * @property {number} smtp Mails to deliver.
 * @property {number} far Mails to deliver over a long line.
 * @property {number} composed
 * @property {number} rendered
 * @property {number} relayed Messages to dispatch through a broker,
 * @property {number} relayedSlow and to a server that takes its time.
 * @property {number} listed Messages to look through on PostgreSQL,
 * @property {number} listedSqlite and on SQLite.
 * @property {number} people Contacts to look for.
 * @property {number} questions Asked of a calendar.
 * @property {number} simulated People of a campaign that runs ahead of time.
 * @property {number} planned People of a campaign with three steps.
 * @property {number} imported Rows of a file.
 * @property {number} told Subscriptions that one event is told to.
 * @property {number} guarded Guarded mails to claim, pass through the gate and settle.
 */

/** @type {Sizes} */
export const FULL = {
  drain: 50_000,
  drainSqlite: 50_000,
  enqueueAlone: 3_000,
  enqueueTogether: 17_000,
  bulk: 100_000,
  finishedFew: 10_000,
  finishedMany: 5_000_000,
  blocked: 1_000_000,
  claimed: 20_000,
  latencySamples: 200,
  backlog: 1_000_000,
  memorySeconds: 20,
  smtp: 10_000,
  far: 5_000,
  composed: 10_000,
  rendered: 60_000,
  relayed: 20_000,
  relayedSlow: 5_000,
  listed: 2_000_000,
  listedSqlite: 1_000_000,
  people: 1_000_000,
  questions: 4_000_000,
  simulated: 10_000,
  guarded: 20_000,
  planned: 100_000,
  imported: 200_000,
  told: 1_000_000,
};

/** @type {Sizes} */
export const QUICK = {
  drain: 15_000,
  drainSqlite: 15_000,
  enqueueAlone: 600,
  enqueueTogether: 4_000,
  bulk: 15_000,
  finishedFew: 2_000,
  finishedMany: 100_000,
  blocked: 50_000,
  claimed: 5_000,
  latencySamples: 40,
  backlog: 60_000,
  memorySeconds: 3,
  smtp: 1_500,
  far: 1_500,
  composed: 1_000,
  rendered: 10_000,
  relayed: 4_000,
  relayedSlow: 1_000,
  listed: 60_000,
  listedSqlite: 60_000,
  people: 20_000,
  questions: 200_000,
  simulated: 500,
  guarded: 3_000,
  planned: 4_000,
  imported: 60_000,
  told: 20_000,
};
