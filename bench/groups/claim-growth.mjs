// @ts-check
import { Child } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';
import { FULL } from '../sizes.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue, addFinished } from '../stock/rows.mjs';

const WARM_UP = 3_000;
const BLOCKED_ACCOUNTS = 1_000;
/** As many as one claim visits. */
const OPEN_ACCOUNTS = 50;

/** @typedef {{ finished: number, blocked: number, accounts: number }} Beside What a claim happens beside. */

/** @type {Record<'PostgreSQL' | 'SQLite', 'postgres' | 'sqlite'>} */
const DIALECTS = { PostgreSQL: 'postgres', SQLite: 'sqlite' };

/**
 * One database, filled once and used in all rounds.
 *
 * @param {import('./group.mjs').BenchContext} bench
 * @param {string} name
 * @param {'postgres' | 'sqlite'} dialect
 * @param {Beside} beside
 * @returns {Promise<import('./group.mjs').Runner>}
 */
async function claimer({ ground, sizes }, name, dialect, { finished, blocked, accounts }) {
  const { url, drop } = await ground.fresh(dialect);
  const channels = await addChannels(url, accounts, { blocked: false });
  await withDatabase(url, (db) => addFinished(db, channels, finished));
  if (blocked > 0) {
    const shut = await addChannels(url, BLOCKED_ACCOUNTS, { blocked: true });
    await withDatabase(url, (db) => addDue(db, shut, blocked, { contents: false }));
  }
  const run = async () => {
    const before = await withDatabase(url, (db) => count(db, 'select count(*) from outcomes'));
    const child = new Child('claim', { url, channels, mails: sizes.claimed, warmUp: WARM_UP });
    try {
      await child.heard('stocked');
      await settleDown(url);
      child.tell({ kind: 'go' });
      const { claim, settle, look } = await child.heard('result');
      await withDatabase(url, async (db) => {
        await expectCount(db, 'select count(*) from outcomes', before + sizes.claimed + WARM_UP);
        await expectCount(db, 'select (select count(*) from due) + (select count(*) from leases)', blocked);
      });
      return { claim, settle, look };
    } finally {
      await child.end();
    }
  };
  return { name, run, close: drop };
}

/** @type {import('./group.mjs').Group} */
export const claimGrowth = {
  title: 'Claim 500 beside a long history, and beside blocked accounts',
  notes: [
    `few: ${FULL.finishedFew} finished mails; many: ${FULL.finishedMany}; blocked: ${FULL.blocked} due mails of ${BLOCKED_ACCOUNTS} blocked accounts`,
    `beside history one account has mail, beside blocked accounts ${OPEN_ACCOUNTS} have`,
    'settle, and the look for channels with work, are shown for completeness: they have no goal',
  ],
  metrics: { claim: 'µs a mail', settle: 'µs a mail', look: 'ms' },
  goals: Object.keys(DIALECTS).flatMap((engine) => [
    {
      of: `${engine}, many finished`,
      metric: 'claim',
      against: `${engine}, few finished`,
      atMost: engine === 'SQLite' ? 1.25 : 1.4,
    },
    { of: `${engine}, many blocked`, metric: 'claim', against: `${engine}, none blocked`, atMost: 2 },
  ]),
  open: async (bench) => {
    const { finishedFew: few, finishedMany: many, blocked } = bench.sizes;
    /** @type {[string, Beside][]} */
    const cases = [
      ['few finished', { finished: few, blocked: 0, accounts: 1 }],
      ['many finished', { finished: many, blocked: 0, accounts: 1 }],
      ['none blocked', { finished: few, blocked: 0, accounts: OPEN_ACCOUNTS }],
      ['many blocked', { finished: few, blocked, accounts: OPEN_ACCOUNTS }],
    ];
    const runners = [];
    for (const [engine, dialect] of Object.entries(DIALECTS)) {
      for (const [what, beside] of cases) {
        runners.push(await claimer(bench, `${engine}, ${what}`, dialect, beside));
      }
    }
    return runners;
  },
};
