import { describe, expect, test, vi } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { signLink, linkKeys } from '#pillarbox/core/link-token';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const FORM = 'application/x-www-form-urlencoded';

describe.concurrent.each(databases)('the pages of who gets notifications, on $name', (database) => {
  const onOffice = officesOn(database);
  // Always in the middle of an hour, which some of it is counted by.
  const clock = '2031-03-03T09:10:00Z*1';
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret, clock });

  async function subscribe(office: Office, over: object = {}) {
    const { data } = await office.call(office.admin, 'POST', '/api/subscriptions', {
      ...{ topic: 'Algebra & more', contactType: 'email', contactValue: 'Ada@example.org', ...over },
    });
    const id = String(data['id']);
    const { links, home } = office.box;
    const number = parseId('subscription', id)!;
    const urls = links.subscriptionUrls(home.id, number);
    const pathOf = (url: string) => new URL(url).pathname;
    const confirm = pathOf(links.confirmUrl(home.id, number, await office.box.now()));
    return { id, number, manage: pathOf(urls.manageUrl), stop: pathOf(urls.unsubscribeUrl), confirm };
  }
  const get = (office: Office, url: string) => office.app.inject({ method: 'GET', url });
  const post = (office: Office, url: string, fields: Readonly<Record<string, string>> = {}) =>
    office.app.inject({
      ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
      headers: { 'content-type': FORM },
    });
  const shown = async (office: Office, id: string) =>
    (await office.call(office.admin, 'GET', `/api/subscriptions/${id}`)).data;
  const heading = (body: string) => /<h1>(.*?)<\/h1>/.exec(body)?.[1]?.replace(/<[^>]*>/g, '');

  test(
    'a link ends its topic, and everything only by its own button; a GET changes nothing',
    on(async (office) => {
      const { id, stop } = await subscribe(office);
      const other = await subscribe(office, { topic: 'Physics' });
      for (const method of ['GET', 'HEAD', 'GET'] as const)
        expect((await office.app.inject({ method, url: stop })).statusCode).toBe(200);
      expect((await get(office, stop)).body).toContain('No more mails about <bdi>Algebra &amp; more</bdi>?');
      expect(await shown(office, id)).toMatchObject({ status: 'active' });

      const click = await post(office, stop, { 'List-Unsubscribe': 'One-Click' });
      expect({ status: click.statusCode, body: click.body }).toEqual({ status: 200, body: '' });
      expect(click.headers['set-cookie']).toBeUndefined();
      expect(await shown(office, id)).toMatchObject({ status: 'unsubscribed' });
      expect(await shown(office, other.id)).toMatchObject({ status: 'active' });

      expect(heading((await post(office, stop, { do: 'undo' })).body)).toBe('Your mails from default');
      expect(await shown(office, id)).toMatchObject({ status: 'active' });
      expect(heading((await post(office, stop, { do: 'everything' })).body)).toContain('Nothing more from');
      const ask = '/api/suppressions/ada@example.org';
      expect((await office.call(office.admin, 'GET', ask)).data).toMatchObject({
        ...{ reason: 'unsubscribed', lanes: null },
      });
      await post(office, stop, { do: 'undo' });
      expect((await office.call(office.admin, 'GET', ask)).status).toBe(404);
    }),
  );

  test(
    'on their page people choose their topics, their hours and a break, all in one form',
    on(async (office) => {
      const { id, manage } = await subscribe(office, { timezone: 'America/New_York' });
      const other = await subscribe(office, { topic: 'Physics', status: 'paused' });
      const theirs = await subscribe(office, { topic: 'Physics', contactValue: 'bob@example.org' });
      const page = (await get(office, manage)).body;
      expect(page).toContain('Time in New York, for all topics above.');
      const { number } = await shown(office, id);
      const [own, second] = [String(number), String((await shown(office, other.id))['number'])];
      expect(page).toContain(
        `name="was.${own}" value="on"><input type="checkbox" name="tell.${own}" checked>`,
      );
      expect(page).toContain(
        `name="was.${second}" value="off"><input type="checkbox" name="tell.${second}">`,
      );
      expect(page).not.toContain(`tell.${String((await shown(office, theirs.id))['number'])}`);
      const press = async (fields: Readonly<Record<string, string>>) => {
        const { body, statusCode } = await post(office, manage, fields);
        expect(statusCode).toBe(200);
        return body;
      };
      const save = (fields: Readonly<Record<string, string>>) => press({ do: 'save', ...fields });
      const both = async () => [await shown(office, id), await shown(office, other.id)];

      // Only what differs from what the page began with is a choice.
      const statuses = async () => (await both()).map(({ status }) => status);
      await save({ [`was.${own}`]: 'on', [`tell.${own}`]: 'on', [`was.${second}`]: 'off' });
      expect(await statuses()).toEqual(['active', 'paused']);
      await save({ [`was.${own}`]: 'on', [`was.${second}`]: 'off', [`tell.${second}`]: 'on' });
      expect(await statuses()).toEqual(['unsubscribed', 'active']);
      // Within the hour it was a slip.
      await save({ [`was.${own}`]: 'off', [`tell.${own}`]: 'on' });
      expect(await statuses()).toEqual(['active', 'active']);
      const foreign = String((await shown(office, theirs.id))['number']);
      await save({ [`was.${foreign}`]: 'on', 'was.999999999999999': 'off', 'tell.999999999999999': 'on' });
      expect(await shown(office, theirs.id)).toMatchObject({ status: 'active' });

      expect(await save({ break: '7' })).toMatch(
        /<option value="keep">Until .*<option value="none">No break/,
      );
      const snoozed = { status: 'active', preferences: { snoozeUntil: expect.any(String) as string } };
      expect(await both()).toMatchObject([snoozed, snoozed]);
      await save({ break: 'keep' });
      expect(await both()).toMatchObject([snoozed, snoozed]);
      await save({ break: 'none' });
      for (const { preferences } of await both()) expect(preferences).toMatchObject({ snoozeUntil: null });

      expect(await save({ hours: '/', from: '22:00', to: '06:30' })).toContain('value="22:00/06:30"');
      const deliveryWindow = { startMinutes: 1320, endMinutes: 390 };
      expect(await both()).toMatchObject([
        { preferences: { deliveryWindow } },
        { preferences: { deliveryWindow } },
      ]);
      for (const times of [
        { from: '09:00', to: '' },
        { from: '9', to: '10' },
        { from: '09:00', to: '09:00' },
      ])
        expect(await save({ hours: '22:00/06:30', ...times })).toContain('These times are none');
      await save({ hours: '22:00/06:30', from: '', to: '' });
      expect((await shown(office, id))['preferences']).not.toHaveProperty('deliveryWindow.startMinutes');
      const before = await shown(office, id);
      await press({ do: 'something else' });
      expect(await shown(office, id)).toEqual(before);
    }),
  );

  test(
    'on their page people choose what they are told of and how often, in their language, in few bytes',
    on(async (office) => {
      const topic = 'Algebra & more';
      for (const statusAfter of ['Open', 'Closed', '<b>"Wait"</b>'])
        await office.box.events.publish({
          ...{ type: 'moved', topic, template: { id: 'open-seat' }, payload: { statusAfter } },
        });
      await office.box.events.publish({
        ...{ type: 'moved', topic: 'Physics', template: { id: 'open-seat' } },
        payload: { statusAfter: 'Elsewhere' },
      });
      const { id, manage } = await subscribe(office, { preferences: { notifyOn: ['Rare'] } });
      const page = (await get(office, manage)).body;
      const ticks = Array.from(
        page.matchAll(/<input type="checkbox" name="on\.\d" value="([^"]*)"( checked)?>/g),
        ([, value, checked]) => [value, checked !== undefined],
      );
      expect(ticks).toEqual([
        ['Rare', true],
        ['&lt;b&gt;&quot;Wait&quot;&lt;/b&gt;', false],
        ['Closed', false],
        ['Open', false],
      ]);
      const preferences = async () => (await shown(office, id))['preferences'];
      const press = async (fields: Readonly<Record<string, string>>) =>
        (await post(office, manage, { do: 'save', ...fields })).body;
      const saved = await press({ 'on.0': 'Open', 'on.1': '<b>"Wait"</b>', 'on.2': 'Made up', most: '5' });
      expect(saved).toContain('Saved.');
      expect(saved).toContain('0 of 5 mails sent.');
      expect(await preferences()).toMatchObject({ notifyOn: ['<b>"Wait"</b>', 'Open'], maxNotifications: 5 });
      for (const most of ['0', '-1', '1.5', 'many', '1e9', '99999999999'])
        expect(await press({ 'on.0': 'Closed', most })).toContain('That is no number of mails');
      expect(await preferences()).toMatchObject({ notifyOn: ['<b>"Wait"</b>', 'Open'], maxNotifications: 5 });
      await press({ most: '' });
      expect(await preferences()).toMatchObject({ notifyOn: null, maxNotifications: null });
      for (const [locale, words] of [
        ['en', 'Tell me about'],
        ['de', 'Ich möchte hören von'],
        ['fr', 'Prévenez-moi pour'],
      ] as const) {
        await office.call(office.admin, 'PATCH', `/api/subscriptions/${id}`, { locale });
        const { body } = await get(office, manage);
        expect(body).toContain(`<legend>${words}</legend>`);
        expect(body).not.toContain('<script');
        expect(Buffer.byteLength(body)).toBeLessThan(6 * 1_024);
      }
    }),
  );

  test(
    'a limit that only the API sets can be saved again as it is, and not by those who have another',
    on(async (office) => {
      const { id, manage } = await subscribe(office, { preferences: { maxNotifications: 0 } });
      const stored = async () => (await shown(office, id))['preferences'];
      const press = async (most: string) => (await post(office, manage, { do: 'save', most })).body;
      expect((await get(office, manage)).body).toMatch(/name="most" min="0" max="999999999" [^>]*value="0"/);
      expect(await press('0')).toContain('Saved.');
      expect(await stored()).toMatchObject({ maxNotifications: 0 });
      await office.call(office.admin, 'PATCH', `/api/subscriptions/${id}`, {
        preferences: { maxNotifications: 1_000_000_000 },
      });
      expect((await get(office, manage)).body).toMatch(/name="most" min="1" max="1000000000" /);
      expect(await press('1000000000')).toContain('Saved.');
      expect(await press('0')).toContain('That is no number of mails');
      expect(await stored()).toMatchObject({ maxNotifications: 1_000_000_000 });
    }),
  );

  test(
    'a confirmation is good for a week, once, and only as long as it is waited for',
    on(async (office) => {
      const { id, number, confirm, stop, manage } = await subscribe(office, { status: 'pending' });
      // Whoever did not ask for it can end it there and then, by one click.
      await office.box.start();
      await vi.waitUntil(() => office.carrier.left.length > 0, { timeout: PATIENCE_MS });
      const { mail } = office.carrier.left[0]!;
      expect(new URL(mail.unsubscribeUrl!).pathname).toBe(stop);
      expect(mail.text).toContain(confirm);
      expect(heading((await get(office, confirm)).body)).toContain('Be told about');
      expect(await shown(office, id)).toMatchObject({ status: 'pending' });
      // The link of the other page is none for this.
      expect((await post(office, manage.replace('/m/', '/c/'))).statusCode).toBe(404);
      for (let turn = 0; turn < 2; turn += 1)
        expect(heading((await post(office, confirm)).body)).toContain('Confirmed.');
      expect(await shown(office, id)).toMatchObject({ status: 'active' });

      await post(office, stop, { do: 'stop' });
      for (const reply of [await get(office, confirm), await post(office, confirm)])
        expect(reply.statusCode).toBe(404);
      expect(await shown(office, id)).toMatchObject({ status: 'unsubscribed' });

      const { links, home, store } = office.box;
      const old = links.confirmUrl(home.id, number, (await store.now()) - 8 * 86_400_000);
      expect((await get(office, new URL(old).pathname)).statusCode).toBe(404);
    }),
  );

  test(
    'coming back later takes a fresh confirmation',
    on(async (office) => {
      const { id, number, manage, stop } = await subscribe(office);
      await post(office, stop, { do: 'stop' });
      const { store } = office.box;
      // An hour ago: it was no slip.
      await store.transaction(function* () {
        yield {
          sql: `update ${store.at('subscriptions')} set updated_at = updated_at - 3600001`,
          parameters: [],
        };
      });
      expect((await get(office, manage)).body).not.toContain('value="undo"');
      await post(office, manage, { do: 'undo' });
      expect(await shown(office, id)).toMatchObject({ status: 'unsubscribed' });
      expect((await get(office, stop)).body).toContain('value="again"');
      const fields = { do: 'save', [`was.${number}`]: 'off', [`tell.${number}`]: 'on' };
      expect((await post(office, manage, fields)).body).toContain('once you confirm it there');
      expect(await shown(office, id)).toMatchObject({ status: 'pending' });
      const { links, home } = office.box;
      await post(office, new URL(links.confirmUrl(home.id, number, await office.box.now())).pathname);
      expect(await shown(office, id)).toMatchObject({ status: 'active' });
    }),
  );

  test(
    'whoever asks for a link gets the same answer, and one mail an hour if he is known',
    on(async (office) => {
      await subscribe(office, { locale: 'de-AT' });
      const page = await get(office, '/m');
      expect(page.body).toContain('<input type="email" name="email"');
      const answers = [];
      for (const email of ['ada@example.org', 'nobody@example.org', 'no address', 'ADA@example.org'])
        answers.push(await post(office, '/m', { email }));
      expect(new Set(answers.map(({ body, statusCode }) => `${statusCode} ${body}`)).size).toBe(1);
      const mails = async () =>
        (await office.call(office.admin, 'GET', '/api/messages?lane=outbox')).data['items'] as object[];
      await vi.waitUntil(async () => (await mails()).length > 0, { timeout: PATIENCE_MS });
      await post(office, '/m', { email: 'ada@example.org' });
      expect(await mails()).toMatchObject([{ subject: expect.stringContaining('Ihre Mails von') }]);
      const replies = [];
      for (let turn = 0; turn < 12; turn += 1) replies.push((await post(office, '/m')).statusCode);
      expect(replies.at(-1)).toBe(429);
      expect(await mails()).toHaveLength(1);
    }),
  );

  test(
    'carry the name of the sender, not ours; of several, where nobody can know which, none',
    on(async (office) => {
      await office.call(office.admin, 'PUT', '/api/settings/workspace', {
        ...{ name: 'Harbour & Rooms', postalAddress: '11 Ropewalk Lane\nSaltmere' },
      });
      const { number } = await subscribe(office);
      const { store, home } = office.box;
      const [own] = linkKeys([secret], store.installation);
      const past = (await store.now()) - 2 * 3_600_000;
      const link = { purpose: 'confirm', workspaceId: home.id, subject: number, matter: 0 } as const;
      const old = `/c/${signLink(own!, link, past)}`;
      const sender = /<header>Harbour &amp; Rooms<\/header>[^]*<footer>Harbour &amp; Rooms\n11 Ropewalk Lane/;
      for (const url of ['/m', '/u/made-up', old]) expect((await get(office, url)).body).toMatch(sender);
      expect((await post(office, '/m', { email: 'nobody@example.org' })).body).toMatch(sender);
      expect(heading((await get(office, '/m')).body)).toBe('See what you get from Harbour &amp; Rooms');
      await office.call(office.admin, 'POST', '/api/workspaces', { name: 'Somebody else' });
      await vi.waitUntil(async () => !(await get(office, '/m')).body.includes('<header>'), {
        timeout: PATIENCE_MS,
      });
      expect(heading((await get(office, '/m')).body)).toBe('Change or end your mails');
      expect((await get(office, '/u/made-up')).body).not.toContain('Harbour');
      // Nobody learns that it was once a good one.
      expect((await get(office, old)).body).toBe((await get(office, '/u/made-up')).body);
    }),
  );

  test(
    'are in the reader’s language, and say the same of every link that is none',
    on(async (office) => {
      const { manage, stop, number } = await subscribe(office, { locale: 'fr-CA' });
      expect((await get(office, stop)).body).toContain('<html lang="fr" dir="ltr">');
      expect((await get(office, manage)).body).toContain('Vos messages de');
      const { store, home } = office.box;
      const [key] = linkKeys(['another secret of some length'], store.installation);
      const link = { purpose: 'manage', workspaceId: home.id, subject: number, matter: 0 } as const;
      const [own] = linkKeys([secret], store.installation);
      const gone = signLink(own!, { ...link, subject: number + 1_000 });
      for (const token of [signLink(key!, link), gone, 'example', 'made-up'])
        for (const page of ['u', 'm', 'c']) {
          const { statusCode, body } = await get(office, `/${page}/${token}`);
          expect(body).toContain('<form method="post" action="../m">');
          expect({ statusCode, h1: heading(body) }).toEqual({
            ...{ statusCode: 404, h1: 'This link is too old. Ask for a new one.' },
          });
        }
    }),
  );

  test(
    'take no link of another purpose, of another installation, or of former days',
    on(async (office) => {
      const { id, number } = await subscribe(office, { status: 'pending' });
      const { store, home } = office.box;
      const link = { workspaceId: home.id, subject: number, matter: 0 };
      const [own] = linkKeys([secret], store.installation);
      const [foreign] = linkKeys([secret], `another ${store.installation}`);
      const past = (await store.now()) - 2 * 3_600_000;
      const manage = { ...link, purpose: 'manage' } as const;
      const confirm = { ...link, purpose: 'confirm' } as const;
      for (const [pages, token] of [
        ['umc', signLink(foreign!, manage)],
        ['umc', signLink(foreign!, confirm)],
        ['um', signLink(own!, manage, past)],
        ['c', signLink(own!, confirm, past)],
        ['c', signLink(own!, manage)],
        ['um', signLink(own!, confirm, past + 86_400_000)],
        ['mc', signLink(own!, { ...link, purpose: 'unsubscribe' })],
        ['mc', signLink(own!, { ...link, purpose: 'sample' })],
      ] as const)
        for (const page of pages)
          for (const reply of [
            await get(office, `/${page}/${token}`),
            await post(office, `/${page}/${token}`, { do: 'everything' }),
          ])
            expect([page, token, reply.statusCode]).toEqual([page, token, 404]);
      expect(await shown(office, id)).toMatchObject({ status: 'pending' });
      expect((await office.call(office.admin, 'GET', '/api/suppressions/ada@example.org')).status).toBe(404);
    }),
  );
});
