import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { Carrier, failed, TOO_LARGE } from '../engine/carrier.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
const DAY_MS = 86_400_000;
const PRIVATE = { secret: 'a secret of the test', allowPrivateHosts: true };

const standing = async (office: Office) =>
  (await office.call(office.admin, 'GET', '/api/accounts/standing')).data as {
    level: string;
    sentence: string;
    evidence: string;
    items: Reply['data'][];
  };
const send = (office: Office, over: object = {}) =>
  office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, ...over });
const create = async (office: Office, over: object) => {
  const transport = { kind: 'smtp', url: 'smtp://127.0.0.1:1' };
  const account = { name: 'Desk', emailAddress: 'desk@example.org', transport, ...over };
  return (await office.call(office.admin, 'POST', '/api/accounts', account)).data['id'];
};

describe.concurrent.each(databases)('the standing of accounts on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'begins with nothing sent and nothing waiting',
    onOffice(async (office) => {
      const { items, ...verdict } = await standing(office);
      expect(verdict).toEqual({
        ...{ level: 'fine', sentence: 'The only account may send now.', evidence: '' },
        ...{ today: null, stopped: null },
      });
      expect(items).toMatchObject([
        {
          ...{ id: expect.stringMatching(/^acc_/), level: 'fine', sentence: 'default may send now.' },
          ...{ rows: [{ action: 'email', guarded: false }], bounced: { percent: 0, limit: 5, days: 7 } },
          ...{ evidence: 'Nothing waits for it.', sentToday: 0, failedToday: 0, waiting: 0, lastTry: null },
        },
      ]);
    }),
  );

  test('counts what left, what failed and what waits, and knows the last try', () => {
    const carrier = new Carrier(({ mail }) => (mail.subject === 'Too large' ? failed(TOO_LARGE) : undefined));
    return onOffice(
      async (office) => {
        await send(office);
        await send(office, { subject: 'Too large' });
        await send(office, { mode: 'queue' });
        await send(office, { mode: 'queue', sendAt: new Date(Date.now() + DAY_MS).toISOString() });
        expect((await standing(office)).items[0]).toMatchObject({
          ...{ sentToday: 1, failedToday: 1, waiting: 2, evidence: '2 mails wait for it.' },
          lastTry: { outcome: 'failed', at: expect.stringMatching(/Z$/) },
        });
      },
      { carrier },
    )();
  });

  test(
    'names who is paused, with the reason and with what waits for it alone',
    onOffice(async (office) => {
      const id = await create(office, { status: 'paused', pauseReason: 'moving house' });
      await send(office, { mode: 'queue', accountId: id });
      const { items, ...verdict } = await standing(office);
      expect(verdict).toEqual({
        level: 'look',
        sentence: 'One account may send now. Desk is paused.',
        evidence: 'Desk: moving house. 1 mail waits for it.',
        ...{ today: null, stopped: null },
      });
      expect(items.map((item) => [item['level'], item['waiting']])).toEqual([
        ['fine', 0],
        ['act', 1],
      ]);
      expect(items[1]).toMatchObject({ id, sentence: 'Desk is paused: moving house.' });
    }, PRIVATE),
  );

  test(
    'of guarded mail it says how much of today is used and planned, what binds it, and when it opens',
    onOffice(
      async (office) => {
        const window = {
          sendingDays: [1, 2, 3, 4, 5],
          startHour: 9,
          endHour: 17,
          timezone: 'America/New_York',
        };
        const guarded = { ...MAIL, guarded: true };
        const id = await create(office, { window, dailyLimitEmails: 3 });
        for (let n = 0; n < 5; n += 1) await send(office, { ...guarded, accountId: id });
        const { items, ...verdict } = await standing(office);
        expect(verdict).toMatchObject({
          sentence: 'One account may send now. Desk is outside its hours until Mon 3 Mar, 14:00 UTC.',
          ...{ level: 'fine', today: { used: 0, limit: 0 } },
        });
        expect(items[1]).toMatchObject({
          ...{ waiting: 5, sentence: 'Desk is outside its hours until Mon 3 Mar, 14:00 UTC.' },
          // It is a Sunday there, and it is guarded all the same.
          limits: 'shut today',
          rows: [
            {
              ...{ action: 'email', guarded: true, standing: 'shut', until: '2031-03-03T14:00:00.000Z' },
              ...{ limit: 0, used: 0, planned: 0 },
              ...{ binds: 'outside its hours', then: 'opens Mon 3 Mar, 09:00 EST' },
            },
          ],
          window: { timezone: 'America/New_York', zone: 'EST', open: [], minute: 420 },
        });
      },
      { ...PRIVATE, clock: '2031-03-02T12:00:00Z*1' },
    ),
  );

  test(
    'of a lane that is guarded from now on, what left before does not count',
    onOffice(
      async (office) => {
        await send(office);
        expect((await standing(office)).items[0]).toMatchObject({ limits: 'not guarded' });
        await office.call(office.admin, 'PUT', '/api/settings/delivery', {
          lanes: { outbox: { guarded: true } },
        });
        expect((await standing(office)).items[0]).toMatchObject({
          ...{ limits: '0 of 20', rows: [{ action: 'email', guarded: true }] },
        });
      },
      { ...PRIVATE, clock: '2031-03-03T12:00:00Z*1' },
    ),
  );

  test(
    'knows nothing of other workspaces, nor of accounts that were removed',
    onOffice(async (office) => {
      const gone = await create(office, { name: 'Gone' });
      await office.call(office.admin, 'DELETE', `/api/accounts/${String(gone)}`);
      const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
      await office.call(elsewhere, 'POST', '/api/outbox', { ...MAIL, mode: 'queue' });
      expect((await standing(office)).items).toMatchObject([
        { sentence: 'default may send now.', waiting: 0 },
      ]);
      const { data } = await office.call(elsewhere, 'GET', '/api/accounts/standing');
      expect(data['items']).toMatchObject([{ waiting: 1 }]);
    }, PRIVATE),
  );
});
