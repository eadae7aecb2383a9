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
      // It is a large package that few need.
      expect(await refusal({ html: null, mjml: '<mjml></mjml>' })).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('npm install mjml'),
        details: { field: 'mjml' },
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
      });
      expect(await preview(office, { id: 'open-seat', locale: 'fr' })).toEqual({
        ...{ subject: null, html: null, text: null, locale: null, direction: 'ltr' },
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
});
