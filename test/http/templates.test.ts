import { describe, expect, test } from 'vitest';
import { findVersion, localesOf, markUsed } from '#pillarbox/store/scripts/templates';
import { databases } from '../databases.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const BOOKED = {
  id: 'booked',
  version: 'v1',
  locale: 'en',
  subject: 'Room {{ room }}',
  html: '<p>{{ room }}</p>',
};

describe.concurrent.each(databases)('templates over HTTP on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret });
  const save = (office: Office, over: object = {}) =>
    office.call(office.admin, 'POST', '/api/templates', { ...BOOKED, ...over });
  const preview = async (office: Office, body: object) =>
    (await office.call(office.admin, 'POST', '/api/templates/preview', body)).data;

  test(
    'a new workspace has open-seat in English, and more are saved, listed and shown',
    on(async (office) => {
      const list = async (query = '') =>
        (await office.call(office.admin, 'GET', `/api/templates${query}`)).data as {
          items: Record<string, unknown>[];
          nextCursor: string | null;
        };
      expect(await list()).toMatchObject({
        items: [{ id: 'open-seat', version: 'v1', locale: 'en', fallbackLocale: null, isUsed: false }],
        nextCursor: null,
      });
      const { status, data } = await save(office, { fallbackLocale: 'EN' });
      expect({ status, data }).toMatchObject({
        status: 200,
        data: { ...BOOKED, text: null, mjml: null, fallbackLocale: 'en', direction: 'ltr', isUsed: false },
      });
      expect(data['variables']).toEqual([{ name: 'room', required: true }]);
      await save(office, { locale: 'ar', text: '{{ room | default: "-" }}' });
      const first = await list('?limit=2');
      expect(first.items.map(({ id, locale }) => [id, locale])).toEqual([
        ['booked', 'ar'],
        ['booked', 'en'],
      ]);
      const rest = await list(`?limit=2&cursor=${String(first.nextCursor)}`);
      expect(rest).toMatchObject({ items: [{ id: 'open-seat' }], nextCursor: null });

      await save(office, { version: 'v2', fallbackLocale: null });
      const shown = await office.call(office.admin, 'GET', '/api/templates/booked');
      expect(shown.data).toMatchObject({ version: 'v2', versions: ['v2', 'v1'], fallbackLocale: null });
      const older = await office.call(office.admin, 'GET', '/api/templates/booked?version=v1');
      expect(older.data).toMatchObject({
        ...{ version: 'v1', fallbackLocale: 'en' },
        locales: [{ locale: 'ar', direction: 'rtl' }, { locale: 'en' }],
      });
      for (const url of ['/api/templates/nothing', '/api/templates/booked?version=v9'])
        expect((await office.call(office.admin, 'GET', url)).status).toBe(404);
    }),
  );

  test(
    'what does not make sense is refused by the field and line that is at fault',
    on(async (office) => {
      const refusal = async (over: object) => (await save(office, over)).error;
      expect(await refusal({ html: '<p>\n{{ room | upcas }}</p>' })).toMatchObject({
        code: 'invalid_input',
        message: 'html: line 2: there is no filter “upcas”; is upcase meant?',
        details: { field: 'html' },
      });
      for (const [over, field] of [
        [{ subject: '{{ room' }, 'subject'],
        [{ html: null }, 'text'],
        [{ locale: 'no such thing' }, 'locale'],
        [{ fallbackLocale: '?!' }, 'fallbackLocale'],
        [{ id: 'a:b' }, 'id'],
        [{ version: '' }, 'version'],
        [{ mjml: '<mjml></mjml>' }, 'html'],
      ] as const)
        expect(await refusal(over)).toMatchObject({ code: 'invalid_input', details: { field } });
      expect(
        await refusal({ html: null, mjml: '<mjml><mj-include path="/etc/passwd" /></mjml>' }),
      ).toMatchObject({
        ...{ code: 'invalid_input', details: { field: 'mjml' } },
      });
    }),
  );

  test(
    'in MJML are kept as they were written, and leave as the html that was made of them',
    on(async (office) => {
      const mjml = (text: string) =>
        `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
      const { status, data } = await save(office, { html: null, mjml: mjml('Room {{ room | upcase }}') });
      expect({ status, data }).toMatchObject({
        ...{ status: 200, data: { mjml: mjml('Room {{ room | upcase }}'), text: null } },
      });
      expect(data['variables']).toEqual([{ name: 'room', required: true }]);
      const seen = await preview(office, { id: 'booked', locale: 'en', payload: { room: 'b<4' } });
      expect(seen).toMatchObject({ html: expect.stringContaining('Room B&lt;4'), faults: [] });
      expect(String(seen['text'])).toMatch(/Room B<4/);
      expect((await save(office, { html: null, mjml: mjml('{{ room | upcas }}') })).error).toMatchObject({
        ...{ code: 'invalid_input', details: { field: 'mjml' } },
        message: expect.stringContaining('is upcase meant?'),
      });
    }),
  );

  test(
    'are shown as a reader would get them, or why not',
    on(async (office) => {
      expect(await preview(office, { id: 'open-seat', locale: 'en' })).toMatchObject({
        subject: 'A seat is open: Linear Algebra (09214)',
        html: expect.stringContaining('<html lang="en" dir="ltr">'),
        text: expect.stringContaining('Section 05, index 09214'),
        ...{ locale: 'en', direction: 'ltr', faults: [] },
        headers: {
          From: expect.stringContaining('@') as string,
          To: 'Ada <reader@example.org>',
          Subject: 'A seat is open: Linear Algebra (09214)',
          'List-Unsubscribe': expect.stringMatching(/^<http.*\/u\/example>$/) as string,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          'Auto-Submitted': 'auto-generated',
        },
      });
      expect(await preview(office, { id: 'open-seat', locale: 'fr' })).toEqual({
        ...{ subject: null, html: null, text: null, locale: null, direction: 'ltr', remoteImages: 0 },
        headers: {},
        faults: [{ code: 'template_missing_locale', message: expect.stringContaining('only in en') }],
      });
      const { faults } = await preview(office, {
        ...{ id: 'open-seat', locale: 'en', payload: { courseTitle: 'x' } },
      });
      expect(faults).toMatchObject([{ code: 'template_missing_variable' }]);

      await save(office, {
        locale: 'ar',
        fallbackLocale: 'ar',
        html: '<p>{{ room.name }} {{ room.floor }}</p>',
      });
      expect(await preview(office, { id: 'booked', locale: 'he' })).toMatchObject({
        ...{ subject: expect.stringContaining('Room'), direction: 'rtl', locale: 'ar', faults: [] },
        html: '<div dir="rtl" lang="ar"><p>[room.name] [room.floor]</p></div>',
        text: '[room.name] [room.floor]',
      });
      expect(
        await preview(office, { id: 'booked', locale: 'ar', payload: { room: { name: '<b>', floor: 2 } } }),
      ).toMatchObject({ html: '<div dir="rtl" lang="ar"><p>&lt;b&gt; 2</p></div>' });
      const asked = (body: object) => office.call(office.admin, 'POST', '/api/templates/preview', body);
      expect((await asked({ id: 'nothing', locale: 'en' })).status).toBe(404);
      expect((await asked({ id: 'booked', locale: 'en', eventId: 'evt_1', payload: {} })).status).toBe(400);
    }),
  );

  test(
    'a text that mail has left with stays as it is, and the same again is no change',
    on(async (office) => {
      await save(office, { fallbackLocale: 'en' });
      expect((await save(office, { html: '<p>corrected {{ room }}</p>' })).status).toBe(200);
      const { store, home } = office.box;
      await store.transaction(function* () {
        const version = yield* findVersion(store, home.id, 'booked', 'v1');
        const [text] = yield* localesOf(store, version!.id);
        yield* markUsed(store, version!.id, text!.locale, text!.hash, 1);
      });
      for (const over of [{}, { fallbackLocale: 'fr' }])
        expect(await save(office, over)).toMatchObject({ status: 409, error: { code: 'conflict' } });
      expect(await save(office, { html: '<p>corrected {{ room }}</p>' })).toMatchObject({
        ...{ status: 200, data: { isUsed: true, fallbackLocale: 'en' } },
      });
      expect((await save(office, { locale: 'fr' })).status).toBe(200);
      expect((await save(office, { version: 'v2' })).status).toBe(200);
    }),
  );

  test(
    'a whole version is saved at once or not at all, and only once if it is to be new',
    on(async (office) => {
      const version = (body: object, id = 'booked') =>
        office.call(office.admin, 'POST', `/api/templates/${id}/versions`, body);
      const en = { locale: 'en', subject: 'Room {{ room }}', html: '<p>{{ room }}</p>' };
      const fr = { locale: 'fr', subject: 'Salle {{ room }}', text: '{{ room }}' };
      expect(
        await version({ version: 'v1', isNew: true, fallbackLocale: 'en', texts: [en, fr] }),
      ).toMatchObject({
        status: 200,
        data: { version: 'v1', fallbackLocale: 'en', locales: [{ locale: 'en' }, { locale: 'fr' }] },
      });
      expect(await version({ version: 'v1', isNew: true, texts: [en] })).toMatchObject({
        ...{ status: 409, error: { code: 'conflict', details: { field: 'version' } } },
      });
      expect(
        await version({ version: 'v2', texts: [en, { ...fr, text: '{{ room | upcas }}' }] }),
      ).toMatchObject({ status: 400, error: { details: { field: 'texts.1.text' } } });
      expect((await office.call(office.admin, 'GET', '/api/templates/booked?version=v2')).status).toBe(404);
      for (const [body, field] of [
        [{ version: 'v3', texts: [en, en] }, 'texts.1.locale'],
        [{ version: 'v 3', texts: [en] }, 'version'],
      ] as const)
        expect(await version(body)).toMatchObject({ status: 400, error: { details: { field } } });
      expect((await version({ version: 'v3', fallbackLocale: 'en', texts: [] })).status).toBe(404);
      // A fallback alone, also of what mail has left with.
      expect(await version({ version: 'v1', fallbackLocale: 'fr', texts: [] }, 'open-seat')).toMatchObject({
        ...{ status: 200, data: { fallbackLocale: 'fr', locales: [{ locale: 'en' }] } },
      });
    }),
  );

  test(
    'who writes them learns what events bring, who reads which locale, and what would die of what',
    on(async (office) => {
      const call = async (method: 'GET' | 'POST', url: string, body?: object) =>
        (await office.call(office.admin, method, url, body)).data;
      await save(office, { locale: 'en' });
      await save(office, { locale: 'ar', html: '<p>{{ rom }}</p>' });
      const subscribe = (n: number, locale: string) =>
        call('POST', '/api/subscriptions', {
          ...{ topic: 'rooms', contactType: 'email', contactValue: `${locale}${n}@example.org` },
          ...{ locale, status: 'active' },
        });
      for (const [n, locale] of ['en', 'en', 'ar', 'it'].entries()) await subscribe(n, locale);
      const published = await call('POST', '/api/events', {
        ...{
          type: 'room.free',
          topic: 'rooms',
          template: { id: 'booked' },
          payload: { room: '7', nested: { a: 1 } },
        },
      });
      const text = (locale: string, html: string) => ({ locale, subject: 'Room {{ room }}', html });
      const check = (texts: object[]) => call('POST', '/api/templates/check', { id: 'booked', texts });
      const faulty = (await check([text('en', '<p>{{ room }}</p>'), text('ar', '<p>\n{{ rom }}</p>')])) as {
        plate: object;
        texts: object[];
        variables: object[];
      };
      expect(faulty.plate).toEqual({
        level: 'act',
        sentence: 'Arabic has a fault: 1 person could be hit.',
        evidence:
          'Line 2 wants rom; events bring room. English is whole. No mail has left with v1 yet: saving corrects it.',
      });
      expect(faulty.texts).toMatchObject([
        {
          locale: 'en',
          language: 'English',
          readers: 2,
          faults: [],
          verdict: expect.stringContaining('in the events'),
        },
        {
          ...{ locale: 'ar', direction: 'rtl', readers: 1 },
          faults: [
            {
              ...{ part: 'html', line: 2, name: 'rom', suggestion: 'room', blocks: true, count: 1 },
              sentence: 'no rom in the events',
            },
          ],
        },
      ]);
      expect(faulty.variables).toContainEqual({ name: 'room', filled: 1, of: 1, example: '7' });
      expect(faulty.variables).toContainEqual({ name: 'nested.a', filled: 1, of: 1, example: '1' });
      const missing = await check([text('en', '<p>{{ room }}</p>'), text('ar', '<p>{{ room }}</p>')]);
      expect(missing).toMatchObject({
        plate: { level: 'look', sentence: '1 person reads Italian, which is missing; their mail would die.' },
      });
      // What looks like nothing that is known may come with an event of tomorrow.
      const unknown = await check([text('en', '<p>{{ elsewhere }}</p>')]);
      expect(unknown).toMatchObject({ texts: [{ faults: [{ name: 'elsewhere', blocks: false }] }] });

      const standing = await call('GET', '/api/templates/booked/standing');
      expect(standing).toMatchObject({
        usedBy: { topics: 1, subscriptions: 4, isMore: false },
        versions: [{ version: 'v1', sentence: 'in use: 1 event in 7 days asks for it' }],
        matrix: [
          { locale: 'ar', cells: ['faulty'] },
          { locale: 'en', cells: ['whole'] },
          { locale: 'it', cells: ['none'] },
        ],
        events: [{ id: published['eventId'], topic: 'rooms' }],
        missing: [{ locale: 'it', count: 1 }],
      });
      expect(await call('GET', '/api/template-heads?limit=1')).toMatchObject({
        items: [{ id: 'booked', version: 'v1', versions: 1, locales: ['ar', 'en'], topics: 1 }],
        nextCursor: 'booked',
      });
      expect(await call('GET', '/api/template-heads?cursor=booked')).toMatchObject({
        items: [{ id: 'open-seat' }],
        nextCursor: null,
      });
      for (const url of ['/api/templates/nothing/standing', '/api/templates/booked/standing?version=v9'])
        expect((await office.call(office.admin, 'GET', url)).status).toBe(404);
    }),
  );

  test(
    'what is not saved yet is shown and sent as a test; it fixes nothing',
    on(async (office) => {
      await save(office);
      const draft = {
        subject: 'Try {{ room }}',
        html: '<p>Here: {{ room }}</p><img src="https://example.org/x.png">',
      };
      const what = { id: 'booked', locale: 'ar', draft, payload: { room: 'seven' } };
      expect(await preview(office, what)).toMatchObject({
        ...{ subject: 'Try seven', locale: 'ar', direction: 'rtl', faults: [], remoteImages: 1 },
        html: expect.stringContaining('Here: seven') as string,
      });
      const test = (over: object) =>
        office.call(office.admin, 'POST', '/api/templates/test', { ...what, to: 'me@example.org', ...over });
      const { status, data } = await test({});
      expect(status).toBe(200);
      const shown = await office.call(office.admin, 'GET', `/api/messages/${String(data['id'])}`);
      expect(shown.data).toMatchObject({ subject: 'Try seven', to: { email: 'me@example.org' } });
      for (const [over, field] of [
        [{ to: 'nobody' }, 'to'],
        [{ accountId: 'acc_999' }, 'accountId'],
        [{ draft: { ...draft, html: '{{ gone }}' } }, 'draft'],
      ] as const)
        expect(await test(over)).toMatchObject({ status: 400, error: { details: { field } } });
      const known = await office.call(office.admin, 'GET', '/api/templates/booked');
      expect(known.data).toMatchObject({ locales: [{ locale: 'en', isUsed: false }] });
    }),
  );

  test(
    'the pages of recipients are shown as they are, with nothing to press',
    on(async (office) => {
      const { data } = await office.call(office.admin, 'GET', '/api/recipient-pages');
      const { pages, locales } = data as unknown as {
        pages: { name: string }[];
        locales: { locale: string }[];
      };
      expect(locales.map(({ locale }) => locale)).toEqual(['en', 'de', 'fr', 'ar']);
      for (const { name } of pages)
        for (const { locale } of locales) {
          const { body: page } = await office.app.inject({
            url: `/api/recipient-pages/${name}?locale=${locale}`,
            headers: office.admin.headers,
          });
          expect(page).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`);
          expect(page).not.toContain('<script');
          expect(Buffer.byteLength(page)).toBeLessThan(6_000);
        }
      const get = (path: string) => office.call(office.admin, 'GET', `/api/recipient-pages/${path}`);
      expect((await get('nothing')).status).toBe(400);
      expect((await get('manage?locale=xx')).status).toBe(400);
    }),
  );
});
