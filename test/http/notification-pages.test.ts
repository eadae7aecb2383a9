import { describe, expect, test, vi } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const PAYLOAD = {
  ...{ courseTitle: 'Bread by the tide', courseString: '01', sectionNumber: '05', termId: '20269' },
  ...{ meetingSummary: 'Mon 10:20', campusCode: 'NB', indexNumber: '07', statusAfter: 'Open' },
};
const EVENT = { type: 'seat.opened', topic: 'bread', template: { id: 'open-seat' }, payload: PAYLOAD };
const ODILE = { topic: 'bread', contactType: 'email', contactValue: 'odile@example.org' };

type Items = readonly Readonly<Record<string, unknown>>[];

describe.concurrent.each(databases)('what the pages of notifications ask for, on $name', (database) => {
  const onOffice = officesOn(database);
  // At ten in the morning: what may leave between eight and nine waits until tomorrow.
  const clock = '2031-03-03T10:00:00Z*1';
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret, clock });

  const get = async (office: Office, url: string) => {
    const { status, data, text } = await office.call(office.admin, 'GET', url);
    if (status !== 200) throw new Error(`${url} answered ${text}`);
    return data;
  };
  const items = async (office: Office, url: string) => (await get(office, url))['items'] as Items;
  const made = async (office: Office, url: string, body: object): Promise<string> => {
    const { status, data, text } = await office.call(office.admin, 'POST', url, body);
    if (status > 299) throw new Error(`${url} answered ${text}`);
    return String(data['id']);
  };
  const until = (office: Office, id: string, wanted: Record<string, number>) =>
    vi.waitFor(async () => expect((await get(office, `/api/events/${id}`))['counts']).toMatchObject(wanted), {
      timeout: PATIENCE_MS,
      interval: 50,
    });

  test(
    'an event says who was told, who not, who waits and why, and leads to its mails',
    on(async (office) => {
      const told = await made(office, '/api/subscriptions', ODILE);
      await made(office, '/api/subscriptions', {
        ...{ ...ODILE, contactValue: 'wanda@example.org' },
        preferences: { deliveryWindow: { startMinutes: 480, endMinutes: 540 } },
      });
      await made(office, '/api/subscriptions', {
        ...{ ...ODILE, contactValue: 'eve@example.org' },
        preferences: { notifyOn: ['Closed'] },
      });
      await made(office, '/api/subscriptions', {
        ...{ ...ODILE, contactValue: 'ida@example.org', locale: 'it' },
      });
      const id = await made(office, '/api/events', EVENT);
      const silent = await made(office, '/api/events', { ...EVENT, type: 'x', topic: 'nobody', payload: {} });
      await office.box.start();
      await until(office, id, { sent: 1, scheduled: 1, skipped: 1, dead: 1 });

      const event = await get(office, `/api/events/${id}`);
      expect(event).toMatchObject({
        ...{ title: 'Bread by the tide', matched: 4, summary: { state: 'dead', words: '1 dead' } },
        plate: {
          level: 'look',
          sentence: 'Told 1 of 4; 1 waits, 1 skipped. 1 mail died.',
          evidence: '1 mail died of template_missing_locale: the template lacks their locale.',
          action: { verb: 'Open the template', to: '/templates/open-seat' },
        },
      });
      expect(event['reasons']).toEqual(
        expect.arrayContaining([
          {
            ...{ state: 'scheduled', reason: 'hours', count: 1 },
            sentence: 'waits for its hours; they open Tue 4 Mar, 08:00 UTC',
          },
          { state: 'skipped', reason: 'notify_on', count: 1, sentence: 'wants others, not Open' },
          {
            ...{ state: 'dead', reason: 'template_missing_locale', count: 1 },
            sentence: 'the template lacks their locale',
          },
        ]),
      );

      expect(await items(office, '/api/events')).toMatchObject([
        { id: silent, title: 'x', summary: { words: 'no subscription to this topic' } },
        { id, summary: { words: '1 dead' } },
      ]);
      for (const q of [id, 'bre', 'seat.'])
        expect(await items(office, `/api/events?q=${q}`)).toMatchObject([{ id }]);
      expect(await items(office, '/api/events?q=%25')).toEqual([]);
      expect(await items(office, '/api/events?type=x&topic=nobody')).toMatchObject([{ id: silent }]);
      expect((await office.call(office.admin, 'GET', '/api/events?q=%00')).status).toBe(400);
      expect(await get(office, '/api/events/standing')).toEqual({
        ...{ days: 7, events: 2, isAll: true, topics: ['bread', 'nobody'], types: ['seat.opened', 'x'] },
      });

      const mails = `/api/messages?eventId=${id}`;
      expect(await items(office, mails)).toHaveLength(3);
      expect(await items(office, `${mails}&state=dead`)).toMatchObject([
        { to: { email: 'ida@example.org' } },
      ]);
      expect(await items(office, `${mails}&state=scheduled,sent`)).toHaveLength(2);
      expect(await items(office, `${mails}&q=odile`)).toHaveLength(1);
      expect(await items(office, `/api/messages?eventId=${silent}`)).toEqual([]);
      expect(await items(office, '/api/messages?eventId=no-such')).toEqual([]);
      expect(await items(office, `/api/messages?subscriptionId=${told}`)).toMatchObject([
        { state: 'sent', eventId: id },
      ]);
      const bulk = await office.call(office.admin, 'POST', '/api/messages/bulk', {
        ...{ action: 'retry', filter: { eventId: id, state: 'dead' } },
      });
      expect(bulk.data).toMatchObject({ done: 1 });
      await until(office, id, { dead: 1 });
    }),
  );

  test(
    'a subscription says whether it is told, when last, and if not, why not',
    on(async (office) => {
      const post = (url: string, over: object) => made(office, url, { ...ODILE, ...over });
      const odile = await post('/api/subscriptions', {
        ...{ timezone: 'Europe/Paris', preferences: { maxNotifications: 5 } },
      });
      const other = await post('/api/subscriptions', { topic: 'rope' });
      const gone = await post('/api/subscriptions', { contactValue: 'pavel@example.org' });
      const snoozed = await post('/api/subscriptions', {
        ...{ contactValue: 'nuria@example.org', preferences: { snoozeUntil: '2031-12-01T09:00:00Z' } },
      });
      const asked = await post('/api/subscriptions', { contactValue: 'tove@example.org', status: 'pending' });
      const waits = await post('/api/subscriptions', {
        ...{ contactValue: 'wanda@example.org', timezone: 'Europe/Paris' },
        preferences: { deliveryWindow: { startMinutes: 480, endMinutes: 540 } },
      });
      await office.call(office.admin, 'POST', '/api/suppressions', {
        ...{ email: 'PAVEL@example.org', reason: 'hard_bounce' },
      });
      const id = await made(office, '/api/events', EVENT);
      await office.box.start();
      await until(office, id, { sent: 1, scheduled: 1, skipped: 2 });
      const one = (which: string) => get(office, `/api/subscriptions/${which}`);

      expect(await one(odile)).toMatchObject({
        ...{ state: 'active', told: 1, notified: 1, others: 1, dead: 0, waiting: 0, suppression: null },
        plate: {
          level: 'fine',
          sentence: expect.stringMatching(
            /^Told 1 of 5 times, last \d+ s ago\. 4 more, then no further ones\.$/,
          ),
          evidence: 'Mails may leave at any hour. Nothing waits.',
        },
      });
      expect(await one(other)).toMatchObject({
        ...{ told: 0, lastToldAt: null, others: 1, plate: { sentence: 'Not told of anything yet.' } },
      });
      expect(await one(gone)).toMatchObject({
        ...{ status: 'active', state: 'suppressed', suppression: { reason: 'hard_bounce' } },
        plate: {
          level: 'look',
          sentence: 'Suppressed since Mon 3 Mar: its mailbox is gone. Nothing is sent.',
        },
      });
      expect(await one(snoozed)).toMatchObject({ status: 'active', state: 'snoozed' });
      expect(await one(asked)).toMatchObject({ state: 'pending', askedAt: expect.any(String) });
      expect(await one(waits)).toMatchObject({
        ...{ waiting: 1, nextAt: '2031-03-04T07:00:00.000Z' },
        plate: { sentence: 'Waits for Tue 4 Mar, 08:00 in Paris; 1 mail.' },
      });

      const idsOf = async (filter: string) =>
        (await items(office, `/api/subscriptions?${filter}`)).map((each) => each['id']);
      expect(await idsOf('status=suppressed')).toEqual([gone]);
      expect(await idsOf('status=snoozed')).toEqual([snoozed]);
      expect(await idsOf('status=pending')).toEqual([asked]);
      expect(await idsOf('q=odile&topic=rope')).toEqual([other]);
      expect(await get(office, '/api/subscriptions/standing')).toEqual({
        ...{ active: 5, isAll: true, topics: ['bread', 'rope'], topicsAreAll: true },
      });
    }),
  );

  test(
    'a history tells who changed what, before and after, and what was told',
    on(async (office) => {
      const id = await made(office, '/api/subscriptions', ODILE);
      const url = `/api/subscriptions/${id}`;
      const event = await made(office, '/api/events', EVENT);
      await office.box.start();
      await until(office, event, { sent: 1 });
      await office.call(office.admin, 'PATCH', url, {
        preferences: { maxNotifications: 5, deliveryWindow: { startMinutes: 480, endMinutes: 1_200 } },
      });
      await office.call(office.admin, 'PATCH', url, { status: 'paused' });
      await office.call(office.admin, 'PATCH', url, { status: 'unsubscribed' });
      const actor = expect.stringMatching(/^by \S/) as string;
      const history = await items(office, `${url}/history`);
      expect(history).toMatchObject([
        { headline: 'Ended', sentence: actor, changes: [] },
        { headline: 'Paused', sentence: actor },
        {
          ...{ headline: 'Preferences changed', sentence: actor },
          changes: [
            { what: 'at most', before: 'no limit', after: '5' },
            { what: 'hours', before: 'any hour', after: '08:00–20:00' },
          ],
        },
        {
          ...{ headline: 'Told', eventId: event, snapshot: 'statusAfter: Open' },
          about: 'Bread by the tide',
        },
        { headline: 'Subscribed', sentence: actor },
      ]);
      const first = await get(office, `${url}/history?limit=2`);
      expect(await items(office, `${url}/history?limit=9&cursor=${String(first['nextCursor'])}`)).toEqual(
        history.slice(2),
      );
      expect(await get(office, url)).toMatchObject({
        plate: { sentence: 'Ended. Coming back needs the person.' },
      });
    }),
  );

  test(
    'many get one status in one step; who has to agree himself, and who is not here, are left as they are',
    on(async (office) => {
      const post = (name: string, status: string) =>
        made(office, '/api/subscriptions', { ...ODILE, contactValue: `${name}@example.org`, status });
      const active = await post('active', 'active');
      const paused = await post('paused', 'paused');
      const ended = await post('ended', 'unsubscribed');
      const asked = await post('asked', 'pending');
      const other = await office.box.workspace(await office.workspace('Elsewhere'));
      const elsewhere = await other.subscriptions.add({ ...ODILE, status: 'active' });
      const foreign = formatId('subscription', elsewhere.id);
      const bulk = (body: object, as = office.admin) =>
        office.call(as, 'POST', '/api/subscriptions/bulk', body);
      const statuses = async () =>
        Object.fromEntries(
          (await items(office, '/api/subscriptions')).map((each): [string, unknown] => [
            String(each['id']),
            each['status'],
          ]),
        );
      const ids = [active, paused, ended, asked, foreign, 'nonsense', active];

      const resumed = await bulk({ ids, status: 'active' });
      expect(resumed.data).toEqual({
        ...{ done: 2, conflicts: 4, refused: [ended, asked, foreign, 'nonsense'] },
      });
      const before = { [ended]: 'unsubscribed', [asked]: 'pending' };
      expect(await statuses()).toEqual({ ...before, [active]: 'active', [paused]: 'active' });
      // Who had it already has no line of it, and who was refused is not asked to confirm.
      expect(await items(office, `/api/subscriptions/${active}/history`)).toHaveLength(1);
      expect(await items(office, `/api/subscriptions/${ended}/history`)).toHaveLength(1);
      expect(await items(office, `/api/subscriptions/${paused}/history`)).toMatchObject([
        {
          ...{ kind: 'status_changed', headline: 'Resumed', details: { before: 'paused', after: 'active' } },
          actor: expect.stringMatching(/\S/) as string,
        },
        { headline: 'Subscribed' },
      ]);
      expect((await bulk({ ids, status: 'unsubscribed' })).data).toMatchObject({ done: 4, conflicts: 2 });
      expect(new Set(Object.values(await statuses()))).toEqual(new Set(['unsubscribed']));
      expect(await items(office, `/api/subscriptions/${asked}/history`)).toMatchObject([
        { details: { before: 'pending', after: 'unsubscribed' } },
        {},
        {},
      ]);
      expect(await other.subscriptions.get(foreign)).toMatchObject({ status: 'active' });

      const many = Array.from({ length: 1_001 }, (_, n) => `sub_${n}`);
      for (const [field, body] of [
        ['ids', { ids: [], status: 'paused' }],
        ['ids', { ids: many, status: 'paused' }],
        ['status', { ids: [active], status: 'pending' }],
      ] as const)
        expect(await bulk(body)).toMatchObject({ status: 400, error: { details: { field } } });
      await expect(office.box.subscriptions.updateMany(many, 'paused')).rejects.toThrow(/ids: .*1,000/);
      expect((await bulk({ ids, status: 'paused' }, await office.person('viewer'))).status).toBe(403);
    }),
  );

  test(
    'the link of the person is for who may act, and taking it is written down',
    on(async (office) => {
      const id = await made(office, '/api/subscriptions', ODILE);
      const url = `/api/subscriptions/${id}/manage-link`;
      const { manageUrl } = (await office.call(office.admin, 'POST', url)).data;
      const page = new URL(String(manageUrl)).pathname;
      expect((await office.app.inject({ method: 'GET', url: page })).statusCode).toBe(200);
      const viewer = await office.person('viewer');
      expect((await office.call(viewer, 'POST', url)).status).toBe(403);
      expect((await office.call(office.admin, 'POST', '/api/subscriptions/sub_zzz/manage-link')).status).toBe(
        404,
      );
      const audit = await items(office, `/api/audit?target=${id}`);
      expect(audit).toMatchObject([{ target: id }]);
      expect(JSON.stringify(audit)).not.toContain('/m/');
    }),
  );
});
