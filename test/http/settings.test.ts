import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { readContent } from '#pillarbox/store/scripts/messages';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt } from '../engine/carrier.js';
import type { Caller, Office } from './office.js';
import { officesOn } from './offices.js';

const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
const PAGES = ['workspace', 'delivery', 'sending'] as const;
const at = (page: string) => `/api/settings/${page}`;
const put = (office: Office, page: string, body: unknown, caller: Caller = office.admin) =>
  office.call(caller, 'PUT', at(page), body);
const see = async (office: Office, page: string) => (await office.call(office.admin, 'GET', at(page))).data;
const message = async (office: Office, id: unknown) =>
  (await office.call(office.admin, 'GET', `/api/messages/${String(id)}`)).data;

/** Where, what, and the field that is named. */
const MALFORMED: readonly [string, unknown, string][] = [
  ['workspace', { colour: 'red' }, 'colour'],
  ['workspace', { name: '' }, 'name'],
  ['workspace', { name: null }, 'name'],
  ['workspace', { defaultLocale: 'not a language' }, 'defaultLocale'],
  ['workspace', { postalAddress: 'a\u0007b' }, 'postalAddress'],
  ['sending', { sendingDays: [] }, 'sendingDays'],
  ['sending', { sendingDays: [0] }, 'sendingDays'],
  ['sending', { startHour: 18 }, 'endHour'],
  ['sending', { startHour: 24, endHour: 24 }, 'startHour'],
  ['sending', { startHour: '9' }, 'startHour'],
  ['sending', { timezone: 'Mars/Olympus' }, 'timezone'],
  ['sending', { hours: {} }, 'hours'],
  ['sending', { hours: { 8: [['09:00', '12:00']] } }, 'hours.8'],
  ['sending', { hours: { 1: [['09:00']] } }, 'hours.1.0'],
  ['sending', { hours: { 1: [['09:00', 'noon']] } }, 'hours.1.0.1'],
  ['sending', { hours: { 1: [['12:00', '09:00']] } }, 'hours.1.0.1'],
  [
    'sending',
    {
      hours: {
        1: [
          ['09:00', '12:00'],
          ['11:00', '13:00'],
        ],
      },
    },
    'hours.1.1',
  ],
  ['sending', { hours: null, sendingDays: [] }, 'sendingDays'],
  ['sending', { dailyQuota: -1 }, 'dailyQuota'],
  ['sending', { rampUp: { start: 5 } }, 'rampUp'],
  ['sending', { spacing: { minSeconds: 2, maxSeconds: 1 } }, 'spacing.maxSeconds'],
  ['sending', { holidays: ['Christmas'] }, 'holidays'],
  ['delivery', { lanes: { pigeon: {} } }, 'lanes.pigeon'],
  ['delivery', { lanes: { outbox: { retryPolicy: 'never' } } }, 'lanes.outbox.retryPolicy'],
  [
    'delivery',
    { lanes: { outbox: { retryPolicy: { maxAttempts: 0, delaysSeconds: [1] } } } },
    'lanes.outbox',
  ],
  ['delivery', { lanes: { outbox: { onDoubt: 'hope' } } }, 'lanes.outbox.onDoubt'],
  ['delivery', { lanes: { outbox: { expirySeconds: 0 } } }, 'lanes.outbox.expirySeconds'],
  ['delivery', { health: { bouncePercent: 101 } }, 'health.bouncePercent'],
  ['delivery', { retentionDays: 0 }, 'retentionDays'],
  ['delivery', { auditDays: 0 }, 'auditDays'],
  ['delivery', [], 'body'],
  ['sending', undefined, 'body'],
];

describe.concurrent.each(databases)('settings on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'tell what each retry policy does that has a name',
    onOffice(async (office) => {
      const { items } = await see(office, 'retry-policies');
      expect(items).toContainEqual({
        name: 'outbox',
        maxAttempts: 5,
        delaysSeconds: [60, 120, 240, 480],
        inlineDelaySeconds: 30,
      });
      for (const { name } of items as readonly { name: string }[]) {
        const changed = await put(office, 'delivery', { lanes: { outbox: { retryPolicy: name } } });
        expect(changed).toMatchObject({ status: 200 });
      }
    }),
  );

  test(
    'hold from the start, as documented',
    onOffice(async (office) => {
      expect(await see(office, 'workspace')).toEqual({
        name: 'default',
        postalAddress: null,
        defaultLocale: 'en',
      });
      expect(await see(office, 'sending')).toEqual({
        sendingDays: [1, 2, 3, 4, 5],
        startHour: 9,
        endHour: 18,
        timezone: 'UTC',
        dailyQuota: 100,
        rampUpEnabled: false,
        rampUp: { start: 5, step: 5 },
        spacing: { minSeconds: 30, maxSeconds: 90 },
        holidays: [],
      });
      expect(await see(office, 'delivery')).toEqual({
        lanes: {
          outbox: { retryPolicy: 'outbox', onDoubt: 'resend', expirySeconds: null, guarded: false },
          campaign: { retryPolicy: 'campaign', onDoubt: 'hold', expirySeconds: null, guarded: true },
          notification: {
            retryPolicy: 'notification',
            onDoubt: 'resend',
            expirySeconds: 86_400,
            guarded: false,
          },
        },
        health: { bouncePercent: 5, complaintPercent: 0.1, atLeast: 3, minSends: 50, days: 7 },
        retentionDays: 30,
        auditDays: 400,
      });
    }),
  );

  test.each(PAGES)('%s: what is answered can be put back unchanged', (page) =>
    onOffice(async (office) => {
      const shown = await see(office, page);
      expect(await put(office, page, shown)).toMatchObject({ status: 200, data: shown });
      expect(await see(office, page)).toEqual(shown);
    })(),
  );

  test.each<[string, object]>([
    ['workspace', { name: 'Ada & Co', postalAddress: '1 High Street\nLondon', defaultLocale: 'fr-CA' }],
    [
      'sending',
      { sendingDays: [6, 7], startHour: 0, endHour: 24, timezone: 'Asia/Tokyo', holidays: ['2026-12-25'] },
    ],
    [
      'delivery',
      { lanes: { campaign: { retryPolicy: { maxAttempts: 2, delaysSeconds: [5] } } }, retentionDays: 7 },
    ],
  ])('%s: what is set is kept, and what is left out stays', (page, change) =>
    onOffice(async (office) => {
      const before = await see(office, page);
      expect(await put(office, page, change)).toMatchObject({ status: 200, data: change });
      const after = await see(office, page);
      expect(after).toMatchObject(change);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
      const { data } = await office.call(elsewhere, 'GET', at(page));
      expect(data).not.toMatchObject(change);
    })(),
  );

  test(
    'hours of each day are kept until they are taken away, and days and whole hours are there again',
    onOffice(async (office) => {
      const usual = await see(office, 'sending');
      const hours = {
        1: [
          ['09:00', '12:30'],
          ['13:30', '24:00'],
        ],
        6: [],
      };
      const fine = { ...usual, hours };
      expect(await put(office, 'sending', { hours })).toMatchObject({ status: 200, data: fine });
      expect(await put(office, 'sending', fine)).toMatchObject({ status: 200 });
      expect(await see(office, 'sending')).toEqual(fine);
      const emptied = await put(office, 'sending', { hours: { 1: [] } });
      expect(emptied).toMatchObject({ status: 400, error: { details: { field: 'hours' } } });
      expect(await see(office, 'sending')).toEqual(fine);
      expect(await put(office, 'sending', { hours: null })).toMatchObject({ status: 200 });
      expect(await see(office, 'sending')).toEqual(usual);
    }),
  );

  test(
    'what can not be is refused with its field, and changes nothing',
    onOffice(async (office) => {
      const before = await Promise.all(PAGES.map((page) => see(office, page)));
      const told = [];
      for (const [page, body] of MALFORMED) {
        const { status, error } = await put(office, page, body);
        told.push([page, body, status, error.details?.field]);
      }
      expect(told).toEqual(
        MALFORMED.map(([page, body, field]): unknown[] => [
          page,
          body,
          400,
          expect.stringMatching(`^${field}`),
        ]),
      );
      expect(await Promise.all(PAGES.map((page) => see(office, page)))).toEqual(before);
    }),
  );

  test(
    'two who change different things at once both get what they asked for',
    onOffice(async (office) => {
      await Promise.all([
        put(office, 'delivery', { retentionDays: 9 }),
        put(office, 'delivery', { lanes: { outbox: { onDoubt: 'hold' } } }),
        put(office, 'delivery', { lanes: { outbox: { expirySeconds: 60 } } }),
      ]);
      const changed = { retentionDays: 9, lanes: { outbox: { onDoubt: 'hold', expirySeconds: 60 } } };
      expect(await see(office, 'delivery')).toMatchObject(changed);
    }),
  );

  test(
    'only admins change them',
    onOffice(async (office) => {
      const operator = await office.key(['read', 'send', 'operate']);
      for (const page of PAGES) {
        expect(await office.call(operator, 'GET', at(page))).toMatchObject({ status: 200 });
        expect(await put(office, page, {}, operator)).toMatchObject({ status: 403 });
      }
    }),
  );

  test(
    'the lane decides how new outbox mail is tried again, unless the mail says so itself',
    onOffice(
      async (office) => {
        const retryPolicy = { maxAttempts: 3, delaysSeconds: [7] };
        await put(office, 'delivery', { lanes: { outbox: { retryPolicy } } });
        const { data } = await office.call(office.admin, 'POST', '/api/outbox', MAIL);
        const { maxAttempts, nextAttemptAt, inlineAttempt } = (await message(office, data['id'])) as {
          maxAttempts: number;
          nextAttemptAt: string;
          inlineAttempt: { finishedAt: string };
        };
        expect(maxAttempts).toBe(3);
        expect(Date.parse(nextAttemptAt)).toBe(Date.parse(inlineAttempt.finishedAt) + 7_000);
        const own = await office.call(office.admin, 'POST', '/api/outbox', {
          ...MAIL,
          retryPolicy: 'dispatcher',
        });
        expect(await message(office, own.data['id'])).toMatchObject({ maxAttempts: 8 });
      },
      { carrier: new Carrier(() => failed(BUSY)) },
    ),
  );

  test(
    'the lane decides what becomes of a doubt',
    onOffice(
      async (office) => {
        await put(office, 'delivery', { lanes: { outbox: { onDoubt: 'hold' } } });
        const held = await office.call(office.admin, 'POST', '/api/outbox', MAIL);
        expect(held).toMatchObject({ status: 202, data: { state: 'held' } });
        const own = await office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, onDoubt: 'resend' });
        expect(own).toMatchObject({ status: 202, data: { state: 'retry_scheduled' } });
      },
      { carrier: new Carrier(afterTheGate(() => inDoubt())) },
    ),
  );

  test(
    'the lane decides when new outbox mail is too late',
    onOffice(async (office) => {
      await put(office, 'delivery', { lanes: { outbox: { expirySeconds: 60 } } });
      const queue = async (over: object) => {
        const { data } = await office.call(office.admin, 'POST', '/api/outbox', {
          ...MAIL,
          mode: 'queue',
          ...over,
        });
        const { createdAt, expiresAt } = await message(office, data['id']);
        return { createdAt: Date.parse(String(createdAt)), expiresAt: Date.parse(String(expiresAt)) };
      };
      const soon = await queue({});
      expect(soon.expiresAt - soon.createdAt).toBeGreaterThan(55_000);
      expect(soon.expiresAt - soon.createdAt).toBeLessThanOrEqual(60_000);
      const sendAt = '2031-01-01T00:00:00.000Z';
      expect((await queue({ sendAt })).expiresAt).toBe(Date.parse(sendAt) + 60_000);
      const expiresAt = '2032-01-01T00:00:00.000Z';
      expect((await queue({ sendAt, expiresAt })).expiresAt).toBe(Date.parse(expiresAt));
    }),
  );

  test(
    'each workspace forgets after its own time',
    onOffice(
      async (office) => {
        const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
        await put(office, 'delivery', { retentionDays: 1 });
        await put(office, 'delivery', { retentionDays: 3_650 }, elsewhere);
        const ids = [];
        for (const caller of [office.admin, elsewhere]) {
          const { data } = await office.call(caller, 'POST', '/api/outbox', MAIL);
          expect(data).toMatchObject({ delivered: true });
          ids.push(parseId('message', String(data['id']))!);
        }
        const [forgotten, kept] = ids as [number, number];
        const { store } = office.box;
        const content = (id: number) => store.read(readContent(store, id));
        const dayLater = (await office.box.now()) + 2 * 86_400_000;
        while ((await office.box.now()) < dayLater) await sleep(10);
        await office.box.start();
        while ((await content(forgotten)) !== undefined) await sleep(10);
        expect(await content(kept)).toBeDefined();
      },
      { clock: '2031-03-03T09:00:00Z*1000000' },
    ),
  );
});
