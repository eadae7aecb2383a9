import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateAnswers } from '#pillarbox/store/postgres/gate';
import { pauseAccount } from '#pillarbox/store/scripts/accounts';
import { suppress } from '#pillarbox/store/scripts/suppressions';
import type { GateAnswer, GateEntry } from '#pillarbox/store/store';
import { readyDatabase, type FreshDatabase } from '../postgres.js';
import { asking, openFixture, put, rows, take, type Fixture } from './fixture.js';

const refusal = (answer: GateAnswer | undefined) => (answer?.passed ? undefined : answer?.refusal);

const WAITING = `
select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
and clock_timestamp() - query_start > interval '20 ms'`;

describe('a gate of PostgreSQL that waits for the lock of its lease', () => {
  let database: FreshDatabase;
  let fixture: Fixture;
  let other: pg.Client;

  beforeEach(async () => {
    database = await readyDatabase();
    fixture = await openFixture(database.url);
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
  });

  afterEach(async () => {
    await other.end();
    await fixture.store.close();
    await database.drop();
  });

  /** The gate begins, waits for somebody who has its lease, and goes on when `meanwhile` is done. */
  async function gateAround(entry: GateEntry, meanwhile: () => Promise<unknown>): Promise<GateAnswer> {
    await other.query('begin');
    await other.query('select 1 from pillarbox.leases for update');
    const asked = fixture.store.gate([entry]);
    await expect.poll(() => rows(fixture, WAITING)).toHaveLength(1);
    await meanwhile();
    await other.query('rollback');
    const [answer] = await asked;
    return answer!;
  }

  async function anEntry(): Promise<GateEntry> {
    await put(fixture);
    const claim = await take(fixture);
    return asking(claim, claim.messages[0]!);
  }

  test('sees a pause that was answered meanwhile', async () => {
    const { store, accountId } = fixture;
    const answer = await gateAround(await anEntry(), async () =>
      store.transaction(pauseAccount(store, accountId, 'stop', await store.now())),
    );
    expect(refusal(answer)).toBe('paused');
  });

  test('sees a suppression that was answered meanwhile, of the recipient and of a copy', async () => {
    const { store, workspaceId } = fixture;
    const suppressing = (address: string) => () =>
      store.transaction(suppress(store, workspaceId, address, 'manual', 1));
    const copied = { ...(await anEntry()), copies: ['bob@example.org'] };
    expect(refusal(await gateAround(copied, suppressing('Bob@example.org')))).toBe('copy_suppressed');
    expect(refusal(await gateAround(copied, suppressing('Ada@example.org')))).toBe('suppressed');
  });

  test('passes when nothing happened meanwhile', async () => {
    expect(await gateAround(await anEntry(), () => Promise.resolve())).toMatchObject({ passed: true });
  });

  test('whoever is missing from the answer has not passed', async () => {
    const entry = await anEntry();
    const answers = gateAnswers([entry, entry, entry], {
      waited: false,
      handed_at: 5,
      judged: 2,
      refused: [[1, 'expired', null]],
    });
    expect(answers.map(refusal)).toEqual(['lost', 'expired', 'lost']);
    const all = gateAnswers([entry, entry], { waited: false, handed_at: 5, judged: 2, refused: [] });
    expect(all).toEqual([entry, entry].map(() => ({ passed: true, handedAt: 5 })));
  });
});
