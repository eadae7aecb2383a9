import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Messages } from '#pillarbox/messages/messages';
import type { Script } from '#pillarbox/store/script';
import { setLeasedAside, setWaitingAside } from '#pillarbox/store/scripts/restoration';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { aMessage, openFixture, put, take } from './fixture.js';

const PROGRAM = fileURLToPath(new URL('many-questions.mjs', import.meta.url));
const WARM_UP = 250;
const ROUNDS = 1_000;

interface Figures {
  readonly statements: number;
  readonly megabytes: number;
}

/** On SQLite, where the process itself is the server. */
describe('a process that answers many questions', () => {
  let database: FreshDatabase;

  beforeEach(async () => {
    database = await freshSqlite();
  });

  afterEach(() => database.drop());

  test('keeps the statements of the first for all others: 5,000 with other values take no more room', async () => {
    const numbers = [WARM_UP, ROUNDS].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--expose-gc', '--no-warnings', PROGRAM, database.url],
      ...numbers,
    ]);
    const { before, after } = JSON.parse(stdout) as Record<'before' | 'after', Figures>;
    expect(after.statements).toBeLessThan(before.statements + 20);
    expect(after.statements).toBeLessThan(400);
    // What it has varies by some; 5,000 statements would take more than a hundred.
    expect(after.megabytes).toBeLessThan(before.megabytes + 48);
  });

  test('sets aside what was restored with the same statements, however much it is', async () => {
    const fixture = await openFixture(database.url);
    const { store } = fixture;
    const textsFor = async (waiting: number, leased: number): Promise<ReadonlySet<string>> => {
      const texts = new Set<string>();
      const noting = function* <T>(script: Script<T>): Script<T> {
        let step = script.next([]);
        while (!step.done) {
          texts.add(step.value.sql);
          step = script.next(yield step.value);
        }
        return step.value;
      };
      for (let n = 0; n < leased; n += 1) await put(fixture);
      await take(fixture, leased);
      for (let n = 0; n < waiting; n += 1) await put(fixture);
      expect(await store.transaction(noting(setLeasedAside(store, 1)))).toBe(leased);
      expect(await store.transaction(noting(setWaitingAside(store, 1)))).toBe(waiting);
      return texts;
    };
    expect(await textsFor(3, 2)).toEqual(await textsFor(5, 4));
    await store.close();
  });

  test('goes on with other work while it searches, and finds the same', async () => {
    const fixture = await openFixture(database.url);
    const messages = new Messages(fixture.store, fixture.workspaceId);
    const oldest = await put(fixture, { subject: 'A rare bird at the harbour' });
    for (let n = 0; n < 20; n += 1)
      await fixture.store.enqueue(
        Array.from({ length: 1_000 }, () => aMessage(fixture, { subject: 'Harbour' })),
      );
    for (const state of [undefined, 'scheduled'] as const) {
      let turns = 0;
      let searching = true;
      const count = () => {
        turns += 1;
        if (searching) setImmediate(count);
      };
      setImmediate(count);
      const { items } = await messages.list({ q: 'bird harbour', state });
      searching = false;
      expect(items.map(({ number }) => number)).toEqual([oldest]);
      // At most 2,500 rows at a time.
      expect(turns).toBeGreaterThanOrEqual(8);
    }
    await fixture.store.close();
  });
});
