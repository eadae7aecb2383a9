import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimStatement, openChannelsStatement } from '#pillarbox/store/postgres/claim';
import { nowExpression } from '#pillarbox/store/postgres/time';
import pg from 'pg';
import { freshDatabase, type FreshDatabase } from '../postgres.js';
import { openFixture, type Fixture } from './fixture.js';

const WAITING = 60_000;
const CHANNELS = 20;

/** How PostgreSQL means to answer, once one channel fills nearly all of the queue. */
describe('what a worker asks PostgreSQL beside 60,000 waiting mails of one channel', () => {
  let database: FreshDatabase;
  let fixture: Fixture;
  let client: pg.Client;
  const context = { schema: 'pillarbox', now: nowExpression(undefined), leaseMs: 60_000 };

  beforeAll(async () => {
    database = await freshDatabase();
    fixture = await openFixture(database.url);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { workspaceId, channelId } = fixture;
    await client.query(`
      insert into pillarbox.channels (workspace_id, account_id, action, lane)
      select ${workspaceId}, 1000 + n, 'email', 'outbox' from generate_series(1, ${CHANNELS}) n;
      insert into pillarbox.due (message_id, workspace_id, channel_id, due_at)
      select n, ${workspaceId}, ${channelId}, n from generate_series(1, ${WAITING}) n;
      analyze pillarbox.due; analyze pillarbox.channels`);
  });

  afterAll(async () => {
    await client.end();
    await fixture.store.close();
    await database.drop();
  });

  /** The plan, as often as the connection would plan it anew, and as it would be kept. */
  const plansOf = async (text: string, types: string, values: string): Promise<readonly string[]> => {
    const plans = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      await client.query(`prepare asked${types} as ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute asked${values}`);
      await client.query('deallocate asked');
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  };

  test('which channels are open: by the index of each, not by a scan of all that waits', async () => {
    for (const plan of await plansOf(openChannelsStatement(context).text, '', '')) {
      expect(plan).not.toMatch(/Seq Scan on due/);
      expect(plan).toMatch(/Index.* Scan using due_claim on due/);
    }
    expect(await fixture.store.openChannels()).toMatchObject([
      { id: fixture.channelId, lane: 'outbox', together: true, alone: false },
    ]);
  });

  test('what to claim: the same', async () => {
    const { text } = claimStatement(context);
    const values = `(array[${fixture.channelId}, 2, 3], array[100, 100, 100], 'worker', 0)`;
    for (const plan of await plansOf(text, '(int[], int[], text, int)', values)) {
      expect(plan).not.toMatch(/Seq Scan on due/);
      expect(plan).toMatch(/Index.* Scan using due_claim on due/);
    }
  });
});
