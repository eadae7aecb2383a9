import { describe, expect, test, vi } from 'vitest';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const JOB = {
  ...{ version: '1.0', notificationId: 1, openEventId: 2, subscriptionId: 3, dedupeKey: 'k', locale: 'en' },
  recipient: { email: 'ada@example.org', name: 'Ada' },
  template: {
    ...{ id: 'open-seat', version: 'v1' },
    variables: {
      ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionIndex: '09214' },
      ...{ sectionNumber: '05', meetingSummary: 'Mon 10:20', manageUrl: 'https://courses.example/manage' },
    },
  },
  event: {
    ...{ termId: '20269', campusCode: 'NB', indexNumber: '09214', statusAfter: 'Open' },
    eventAt: new Date().toISOString(),
  },
  links: { manageUrl: 'https://courses.example/manage', unsubscribeUrl: 'https://courses.example/stop' },
};

describe.concurrent.each(databases)('subjects of notifications on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret });

  const get = async (office: Office, url: string) => (await office.call(office.admin, 'GET', url)).data;
  const made = async (office: Office, url: string, body: object): Promise<string> => {
    const { status, data, text } = await office.call(office.admin, 'POST', url, body);
    if (status > 299) throw new Error(`${url} answered ${text}`);
    return String(data['id']);
  };
  const becomes = (read: () => Promise<unknown>, wanted: unknown) =>
    vi.waitFor(async () => expect(await read()).toEqual(wanted), { timeout: PATIENCE_MS, interval: 50 });

  test(
    'lists say the subject that a mail would bear, to its reader, before it is made; and what has left, its own',
    on(async (office) => {
      const template = { id: 'note', version: 'v1', text: 'See {{ manageUrl }}' };
      for (const [locale, subject] of [
        ['en', 'For {{ recipient.name }}: {{ what }}'],
        ['fr', 'Pour {{ recipient.name }} : {{ what }}'],
      ] as const)
        await made(office, '/api/templates', { ...template, locale, subject, fallbackLocale: 'en' });
      // Without a declared fallback nobody gets another language than his own.
      await made(office, '/api/templates', {
        ...{ id: 'strict', version: 'v1', locale: 'en', subject: 'In English', text: 'x' },
      });
      await made(office, '/api/templates', {
        ...{ id: 'linked', version: 'v1', locale: 'en', subject: 'Go to {{ manageUrl }}', text: 'x' },
      });
      for (const [name, locale] of [
        ['Ada', 'en'],
        ['Zoé', 'fr-CA'],
        ['Bob', 'it'],
        ['Cy', null],
      ] as const)
        await made(office, '/api/subscriptions', {
          ...{ topic: 't', contactType: 'email', contactValue: `${name.charCodeAt(0)}@example.org` },
          ...{ name, locale },
        });
      const publish = (id: string, payload: object = { what: 'news' }) =>
        made(office, '/api/events', { type: 'told', topic: 't', template: { id }, payload });
      interface Item {
        readonly id: string;
        readonly eventId: string;
        readonly subject: string | null;
        readonly to: { readonly name: string };
      }
      const items = async (of: string) => {
        const listed = (await get(office, '/api/messages?lane=notification')) as { items: Item[] };
        return listed.items.filter(({ eventId }) => eventId === of);
      };
      const subjects = async (of: string) => (await items(of)).map(({ subject }) => subject).sort();
      const note = await publish('note');
      const expected = ['For Ada: news', 'For Bob: news', 'For Cy: news', 'Pour Zoé : news'];
      await becomes(() => subjects(note), expected);
      for (const { id, to } of await items(note))
        await becomes(
          async () => (await get(office, `/api/messages/${id}`))['subject'],
          expect.stringMatching(new RegExp(`^(For|Pour) ${to.name} ?: news$`)),
        );
      const strict = await publish('strict');
      const lacking = await publish('note', {});
      const unknown = await publish('no-such');
      const linked = await publish('linked');
      await becomes(() => subjects(strict), ['In English', 'In English', null, null]);
      expect(await subjects(lacking)).toEqual([null, null, null, null]);
      expect(await subjects(unknown)).toEqual([null, null, null, null]);
      // Whoever may look may not act for the reader.
      await becomes(
        () => subjects(linked),
        [...[1, 2].map(() => expect.stringMatching(/^Go to .*\/m\/example$/) as string), null, null],
      );
      const job = await made(office, '/api/mail-jobs', JOB);
      const jobs = async () => (await get(office, `/api/messages/${job}`))['subject'];
      await becomes(jobs, 'A seat is open: Linear Algebra (09214)');

      // What looked at it has fixed nothing: no mail has left with it.
      await made(office, '/api/templates', { ...template, locale: 'en', subject: 'Now: {{ what }}' });
      await becomes(async () => (await subjects(note)).includes('Now: news'), true);
      await office.box.start();
      await becomes(
        async () => (await get(office, `/api/events/${note}`))['counts'],
        expect.objectContaining({ sent: 4 }),
      );
      const { items: people } = (await get(office, '/api/subscriptions')) as { items: { id: string }[] };
      for (const { id } of people)
        await office.call(office.admin, 'PATCH', `/api/subscriptions/${id}`, { name: 'Other', locale: 'fr' });
      expect(await subjects(note)).toEqual(['Now: news', 'Now: news', 'Now: news', 'Pour Zoé : news']);
    }),
  );
});
