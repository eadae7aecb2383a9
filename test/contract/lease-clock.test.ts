import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { Messages } from '#pillarbox/messages/messages';
import { ask, type Script } from '#pillarbox/store/script';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { asking, LEASE_MS, openFixture, put, rows, take, type Fixture } from './fixture.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** SQLite has no clock of its own, and the machine's time of day can be set. */
describe('the clock of leases on SQLite', () => {
  let database: FreshDatabase;
  const open: Fixture[] = [];

  beforeEach(async () => {
    database = await freshSqlite();
  });

  afterEach(async () => {
    vi.useRealTimers();
    for (const { store } of open.splice(0)) await store.close();
    await database.drop();
  });

  async function aProcess(): Promise<Fixture> {
    const fixture = await openFixture(database.url);
    open.push(fixture);
    return fixture;
  }

  const setTheTimeOfDay = (byMs: number) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
  };

  const agreementOf = async (fixture: Fixture) => {
    const [fact] = await rows<{ value: string }>(
      fixture,
      `select value from facts where name = 'lease_clock'`,
    );
    return JSON.parse(fact!.value) as { boot: string; offsetMs: number; steadyMs: number };
  };

  /** As if the machine had been started again since. */
  const pretend = (fixture: Fixture, value: object) =>
    fixture.store.transaction(
      (function* ({ db }): Script<void> {
        yield* ask(
          db
            .updateTable('facts')
            .set({ value: JSON.stringify(value) })
            .where('name', '=', 'lease_clock'),
        );
      })(fixture.store),
    );

  test.each([HOUR_MS, -HOUR_MS, YEAR_MS])(
    'is not the time of day: set by %i ms, a lease is its owner’s, for old processes and for new ones [F33]',
    async (byMs) => {
      const owner = await aProcess();
      const beside = await aProcess();
      const id = await put(owner, { dueAt: 1 });
      const claim = await take(owner);
      setTheTimeOfDay(byMs);
      const late = await aProcess();
      for (const { store } of [owner, beside, late]) expect(await store.takeOver('thief', 10)).toEqual([]);
      expect(await owner.store.gate([asking(claim, claim.messages[0]!)])).toMatchObject([{ passed: true }]);
      expect(await late.store.takeOver('thief', 10)).toEqual([]);
      // Told to people by the clock on their wall, to the second.
      const messages = new Messages(late.store, late.workspaceId);
      const { lockedUntil } = await messages.get(formatId('message', id));
      expect(Math.abs(lockedUntil! - Date.now())).toBeLessThanOrEqual(LEASE_MS + 1_000);
      expect(await agreementOf(late)).toEqual(await agreementOf(owner));
    },
  );

  test('is agreed on anew when the machine was started again; what was held then runs out within a lease', async () => {
    const before = await aProcess();
    await put(before);
    await take(before);
    const agreed = await agreementOf(before);
    await pretend(before, { ...agreed, boot: 'an earlier one' });
    await before.store.transaction(
      (function* (): Script<void> {
        yield { sql: 'update leases set until = until + ?', parameters: [YEAR_MS] };
      })(),
    );
    const after = await aProcess();
    expect((await agreementOf(after)).boot).toBe(agreed.boot);
    const [lease] = await rows<{ until: number }>(after, 'select until from leases');
    const left = after.store.timeOfDay(lease!.until) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(LEASE_MS + 1_000);
  });

  test('is agreed on anew when the steady clock has gone back, also where starts of a machine have no id', async () => {
    const before = await aProcess();
    const agreed = await agreementOf(before);
    await pretend(before, { ...agreed, offsetMs: 0, steadyMs: agreed.steadyMs + YEAR_MS });
    const { offsetMs, steadyMs } = await agreementOf(await aProcess());
    expect(Math.abs(offsetMs + steadyMs - Date.now())).toBeLessThan(HOUR_MS);
  });
});
