// A process that migrates one database with the list below, and says what it did. Run by `migrations.test.ts`.
import { silent } from '#pillarbox/log/log';
import { MIGRATIONS } from '#pillarbox/store/migrations/index';
import { openStore } from '#pillarbox/store/open';

/** Two million rows: a column, a backfill in steps that must each be done once, and an index. */
const LARGE = {
  version: 9001,
  name: 'large',
  statements: ({ at }) => [`alter table ${at('ledger')} add column touched int not null default 0`],
  backfills: ({ at }) => [
    {
      name: 'touched',
      table: 'ledger',
      key: 'id',
      step: 50_000,
      statement: (after, upTo) =>
        `update ${at('ledger')} set touched = touched + 1 where id > ${after} and id <= ${upTo} and id % 8 = 0`,
    },
  ],
  indexes: ({ at }) => [{ name: 'ledger_amount', on: `${at('ledger')} (amount, id)` }],
};

const waits = [];
const log = { ...silent, info: (facts, text) => waits.push(text) };
const store = await openStore({ databaseUrl: process.env.DATABASE_URL, leaseMs: 60_000, log });
const { applied } = await store.migrate([...MIGRATIONS, LARGE]);
await store.close();
const waited = waits.some((text) => text.startsWith('another process is migrating'));
process.stdout.write(JSON.stringify({ applied, waited }));
