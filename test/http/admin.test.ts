import type { Compilable } from 'kysely';
import { describe, expect, test } from 'vitest';
import { foldTallies } from '#pillarbox/store/scripts/sweep';
import { databases } from '../databases.js';
import { aMailThatIs, fatefulCarrier } from './fates.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

interface Dashboard {
  readonly pendingEmailCount: number;
  readonly health: { readonly level: string; readonly sentence: string; readonly needs: { kind: string }[] };
  readonly accounts: { name: string; status: string; sentToday: number; pauseReason: string | null }[];
  readonly series: { at: string; sent: number; failed: number }[];
  readonly states: Record<string, number>;
}

describe.concurrent.each(databases)('the admin outbox on $name', (database) => {
  const onOffice = officesOn(database);

  const rowsOf = async (office: Office, query = '') => {
    const { status, data, text } = await office.call(office.admin, 'GET', `/api/admin/outbox${query}`);
    if (status !== 200) throw new Error(text);
    return data['items'] as { id: string; status: string }[];
  };

  test(
    'lists what is not finished, newest first, as pending or failed',
    onOffice(
      async (office) => {
        const busy = await aMailThatIs('busy', office);
        await aMailThatIs('sent', office);
        const dead = await aMailThatIs('dead', office);
        const held = await aMailThatIs('held', office);
        const waiting = await aMailThatIs('waiting', office);
        const rows = await rowsOf(office);
        expect(rows.map(({ id, status }) => [id, status])).toEqual([
          [waiting, 'pending'],
          [held, 'failed'],
          [dead, 'failed'],
          [busy, 'pending'],
        ]);
        expect(rows[2]).toMatchObject({
          ...{ toAddress: 'dead@example.org', subject: 'Booked and dead', maxAttempts: 5, nextRetryAt: null },
          lastError: '552 5.3.4 too large',
        });
        expect(rows[3]).toMatchObject({ attempts: 0, nextRetryAt: expect.any(String) });
        expect((await rowsOf(office, '?status=failed')).map(({ id }) => id)).toEqual([held, dead]);
        expect((await rowsOf(office, '?status=pending&limit=1')).map(({ id }) => id)).toEqual([waiting]);
        expect(await rowsOf(office, '?lane=campaign')).toEqual([]);
        expect(await rowsOf(office, '?lane=outbox')).toHaveLength(4);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'retries and removes failed rows, and refuses others',
    onOffice(
      async (office) => {
        const dead = await aMailThatIs('dead', office);
        const held = await aMailThatIs('held', office);
        const other = await aMailThatIs('dead', office);
        const waiting = await aMailThatIs('waiting', office);
        const act = (method: 'POST' | 'DELETE', id: string) =>
          office.call(office.admin, method, `/api/admin/outbox/${id}${method === 'POST' ? '/retry' : ''}`);
        for (const id of [dead, held]) {
          expect(await act('POST', id)).toMatchObject({
            status: 200,
            data: { id, status: 'pending', attempts: 0, lastError: null },
          });
          expect(await act('POST', id)).toMatchObject({ status: 409 });
        }
        expect(await act('DELETE', waiting)).toMatchObject({ status: 409 });
        expect(await act('POST', waiting)).toMatchObject({ status: 409 });
        expect(await act('DELETE', other)).toMatchObject({ status: 200, data: { id: other } });
        expect(await act('DELETE', other)).toMatchObject({ status: 409 });
        expect(await act('DELETE', 'msg_zzzz')).toMatchObject({ status: 404 });
        expect((await rowsOf(office)).map(({ id }) => id)).toEqual([waiting, held, dead]);
      },
      { carrier: fatefulCarrier() },
    ),
  );
});

describe.concurrent.each(databases)('the dashboard on $name', (database) => {
  const onOffice = officesOn(database);

  const look = async (office: Office, query = '') => {
    const { status, data, text } = await office.call(office.admin, 'GET', `/api/admin/dashboard${query}`);
    if (status !== 200) throw new Error(text);
    return data as unknown as Dashboard;
  };

  test(
    'counts as people do, at once and after the counters were folded',
    onOffice(
      async (office) => {
        expect(await look(office)).toMatchObject({
          ...{ pendingEmailCount: 0, failedEmailCount: 0, heldEmailCount: 0, sentToday: 0, sendingNow: 0 },
          oldestDueAgeSeconds: 0,
          health: { level: 'fine', sentence: 'All mail has left. Nothing needs a person.', needs: [] },
        });
        for (const fate of ['sent', 'sent', 'dead', 'held', 'busy', 'waiting'] as const)
          await aMailThatIs(fate, office);
        const expected = {
          ...{ pendingEmailCount: 2, failedEmailCount: 1, heldEmailCount: 1, sentToday: 2, sendingNow: 0 },
          states: { sent: 2, dead: 1, held: 1, retry_scheduled: 1, scheduled: 1 },
          health: {
            level: 'look',
            sentence: 'Mail is leaving on time. Two things need a person.',
            needs: [
              { kind: 'dead', count: 1, sentence: '1 dead, 1 cause' },
              { kind: 'held', count: 1 },
            ],
          },
        };
        expect(await look(office)).toMatchObject(expected);
        const { store } = office.box;
        await store.transaction(foldTallies(store, (await store.now()) + 60_000));
        expect(await look(office)).toMatchObject(expected);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'draws the last hour by minutes, the last day and week by hours',
    onOffice(
      async (office) => {
        for (const fate of ['sent', 'dead', 'busy', 'sent', 'held'] as const) await aMailThatIs(fate, office);
        const { store } = office.box;
        for (const folded of [false, true]) {
          if (folded) await store.transaction(foldTallies(store, (await store.now()) + 60_000));
          for (const [range, points, stepMs] of [
            ['1h', 60, 60_000],
            ['24h', 24, 3_600_000],
            ['7d', 168, 3_600_000],
          ] as const) {
            const { series } = await look(office, `?range=${range}`);
            expect(series).toHaveLength(points);
            const instants = series.map(({ at }) => Date.parse(at));
            expect(instants.every((at, n) => at === instants[0]! + n * stepMs)).toBe(true);
            expect(instants.at(-1)! + stepMs).toBeGreaterThan(Date.now() - 60_000);
            const lately = series.slice(-2);
            expect(lately.reduce((sum, { sent }) => sum + sent, 0)).toBe(2);
            expect(lately.reduce((sum, { failed }) => sum + failed, 0)).toBe(2);
          }
        }
        expect((await look(office)).series).toHaveLength(60);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'says how long due mail waits, and which account is paused and why',
    onOffice(async (office) => {
      await office.call(office.admin, 'POST', '/api/outbox', {
        ...{ to: 'ada@example.org', subject: 'Hello', text: 'x', mode: 'queue' },
        sendAt: new Date((await office.box.now()) - 90_000).toISOString(),
      });
      const late = await look(office);
      expect(late.health).toMatchObject({ level: 'act', needs: [{ kind: 'no_worker' }] });
      expect((late as unknown as { oldestDueAgeSeconds: number }).oldestDueAgeSeconds).toBeGreaterThan(89);
      await office.box.pause('535 wrong password');
      const paused = await look(office);
      expect(paused).toMatchObject({ pendingEmailCount: 1, oldestDueAgeSeconds: 0 });
      expect(paused.health.sentence).toBe(
        'The only account is paused. No mail leaves. One thing needs a person.',
      );
      expect(paused.accounts).toMatchObject([
        { name: 'default', status: 'paused', pauseReason: '535 wrong password', sentToday: 0 },
      ]);
    }),
  );

  test(
    'takes today from the time zone of the sending settings',
    onOffice(
      async (office) => {
        await aMailThatIs('sent', office);
        const { store, home } = office.box;
        const earlier = Date.parse('2031-03-03T18:20:00Z') / 60_000;
        const write = (...queries: Compilable[]) =>
          store.transaction(
            (function* () {
              for (const query of queries) yield query.compile();
            })(),
          );
        await write(
          store.db
            .insertInto('minutes')
            .values({ workspace_id: home.id, minute: earlier, channel_id: 1, state: 'sent', n: 5 }),
        );
        const zone = (timezone: string) => {
          const value = JSON.stringify({ timezone });
          return write(
            store.db
              .insertInto('settings')
              .values({ workspace_id: home.id, name: 'sending', value })
              .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doUpdateSet({ value })),
          );
        };
        expect(await look(office)).toMatchObject({ sentToday: 6 });
        // Its day began at 18:30 in UTC.
        await zone('Asia/Kolkata');
        expect(await look(office)).toMatchObject({ sentToday: 1 });
        await zone('Nowhere/Never');
        expect(await look(office)).toMatchObject({ sentToday: 6 });
      },
      { carrier: fatefulCarrier(), clock: '2031-03-03T18:50:00Z*1' },
    ),
  );

  test(
    'of another workspace shows nothing of this one',
    onOffice(
      async (office) => {
        await aMailThatIs('dead', office);
        const elsewhere = await office.key(['read'], await office.workspace('elsewhere'));
        const { data } = await office.call(elsewhere, 'GET', '/api/admin/dashboard');
        expect(data).toMatchObject({ failedEmailCount: 0, pendingEmailCount: 0, sentToday: 0 });
        expect(await office.call(elsewhere, 'GET', '/api/admin/outbox')).toMatchObject({
          data: { items: [] },
        });
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'refuses a range that is none',
    onOffice(async (office) => {
      const { status, error } = await office.call(office.admin, 'GET', '/api/admin/dashboard?range=1y');
      expect(status).toBe(400);
      expect(error.details?.field).toBe('range');
    }),
  );
});
