// @ts-check
import { Child } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { settleDown, withDatabase } from '../database.mjs';
import { FULL } from '../sizes.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue } from '../stock/rows.mjs';

const WARM_UP = 1_000;
const ACCOUNTS = 25;
/** Of each account at once. */
const EACH = 20;
const BLOCKED_ACCOUNTS = 1_000;

/** @type {Record<'PostgreSQL' | 'SQLite', 'postgres' | 'sqlite'>} */
const DIALECTS = { PostgreSQL: 'postgres', SQLite: 'sqlite' };

/**
 * One database, filled once and used in all rounds.
 *
 * @param {import('./group.mjs').BenchContext} bench
 * @param {string} name
 * @param {'postgres' | 'sqlite'} dialect
 * @param {{ guarded: boolean, blocked: number }} how
 * @returns {Promise<import('./group.mjs').Runner>}
 */
async function sender({ ground, sizes }, name, dialect, { guarded, blocked }) {
  const { url, drop } = await ground.fresh(dialect);
  const channels = await addChannels(url, ACCOUNTS, { blocked: false, guarded });
  if (blocked > 0) {
    const shut = await addChannels(url, BLOCKED_ACCOUNTS, { blocked: true, guarded });
    await withDatabase(url, (db) => addDue(db, shut, blocked, { contents: false }));
  }
  const run = async () => {
    const mails = sizes.guarded;
    const child = new Child('guard', { url, guarded, channels, each: EACH, mails, warmUp: WARM_UP });
    try {
      await child.heard('stocked');
      await settleDown(url);
      child.tell({ kind: 'go' });
      const { cpu, claim, look } = await child.heard('result');
      await withDatabase(url, (db) =>
        expectCount(db, 'select (select count(*) from due) + (select count(*) from leases)', blocked),
      );
      return { cpu, claim, look };
    } finally {
      await child.end();
    }
  };
  return { name, run, close: drop };
}

/** @type {import('./group.mjs').Group} */
export const guard = {
  title: `Claim, gate and settle of guarded mail, ${ACCOUNTS} accounts × ${EACH} at once`,
  notes: [
    'no spacing, so that claims are large; window, day and workspace are counted and judged for every mail',
    'CPU is that of the database: PostgreSQL’s back ends, or the process that SQLite is part of',
    `many blocked: ${FULL.blocked} due mails of ${BLOCKED_ACCOUNTS} guarded accounts whose day is used up`,
  ],
  metrics: { cpu: 'µs CPU a mail', claim: 'µs a claimed mail', look: 'ms a look' },
  goals: Object.keys(DIALECTS).flatMap((engine) => [
    { of: `${engine}, guarded`, metric: 'cpu', against: `${engine}, unguarded`, atMost: 2 },
    { of: `${engine}, many blocked`, metric: 'claim', against: `${engine}, guarded`, atMost: 2 },
    { of: `${engine}, many blocked`, metric: 'look', against: `${engine}, guarded` },
  ]),
  open: async (bench) => {
    /** @type {[string, { guarded: boolean, blocked: number }][]} */
    const cases = [
      ['unguarded', { guarded: false, blocked: 0 }],
      ['guarded', { guarded: true, blocked: 0 }],
      ['many blocked', { guarded: true, blocked: bench.sizes.blocked }],
    ];
    const runners = [];
    for (const [engine, dialect] of Object.entries(DIALECTS)) {
      for (const [what, how] of cases) runners.push(await sender(bench, `${engine}, ${what}`, dialect, how));
    }
    return runners;
  },
};
