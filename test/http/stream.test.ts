import { describe, expect, test } from 'vitest';
import { listApiKeys, revokeApiKey } from '#pillarbox/store/scripts/api-keys';
import { databases } from '../databases.js';
import { Listener, type Heard } from './listener.js';
import type { Caller, Office } from './office.js';
import { officesOn } from './offices.js';

const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

const listenTo = async (office: Office): Promise<string> =>
  `${await office.app.listen({ host: '127.0.0.1', port: 0 })}/api/stream`;

const put = async (office: Office, caller: Caller = office.admin): Promise<string> =>
  String((await office.call(caller, 'POST', '/api/outbox', { ...MAIL, mode: 'queue' })).data['id']);

const tells =
  (id: string) =>
  ({ event, data }: Heard): boolean =>
    event === 'message' && (data['ids'] as string[]).includes(id);

const counts = (state: string, n: number) => (heard: Heard) =>
  heard.event === 'counts' && heard.data[state] === n;

const isSubset = (wanted: unknown, found: unknown): boolean =>
  typeof wanted === 'object' && wanted !== null
    ? Object.entries(wanted).every(([name, value]) => isSubset(value, (found as Heard['data'])[name]))
    : wanted === found;

describe.concurrent.each(databases)('the stream on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) =>
    onOffice(act, { secret: 'a secret of some length, for tests' });

  test(
    'says how things stand, and then what moves',
    onOffice(async (office) => {
      await put(office);
      const listener = await Listener.open(await listenTo(office), office.admin);
      expect(listener.status).toBe(200);
      expect(listener.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(listener.headers.get('content-security-policy')).toContain("default-src 'none'");
      const first = await listener.hears('a snapshot', ({ event }) => event === 'snapshot');
      expect(first.data).toMatchObject({ counts: { scheduled: 1, sent: 0, dead: 0 } });
      const id = await put(office);
      await listener.hears('the new message', tells(id));
      await listener.hears('two that wait', counts('scheduled', 2));
      await office.box.pass();
      await listener.hears('two that left', counts('sent', 2));
      const ids = listener.heard.map((heard) => heard.id);
      expect(new Set(ids).size).toBe(ids.length);
      listener.close();
    }),
  );

  test(
    'says how far an event is told, and what became of its mails, to nobody else',
    on(async (office) => {
      const post = async (path: string, body: object) =>
        (await office.call(office.admin, 'POST', path, body)).data;
      for (const name of ['ada', 'bob'])
        await post('/api/subscriptions', {
          ...{ topic: 'news', contactType: 'email', contactValue: `${name}@example.org` },
        });
      await post('/api/templates', {
        ...{ id: 'news', version: 'v1', locale: 'en', subject: 'News', text: 'Some.' },
      });
      const url = await listenTo(office);
      const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
      const listeners = [
        await Listener.open(url, office.admin),
        await Listener.open(url, elsewhere),
      ] as const;
      for (const listener of listeners)
        await listener.hears('a snapshot', ({ event }) => event === 'snapshot');
      const { eventId } = await post('/api/events', {
        ...{ type: 'news', topic: 'news', template: { id: 'news' }, payload: {} },
      });
      const [ours, theirs] = listeners;
      const hears = async (what: string, wanted: object) => {
        const isWanted = ({ event, data }: Heard) =>
          event === 'event' &&
          (data['events'] as object[]).some((each) => isSubset({ id: eventId, ...wanted }, each));
        await ours.hears(what, isWanted);
      };
      await hears('an event that is told', {
        ...{ progress: { seen: 2, total: 2, done: true }, counts: { scheduled: 2, sent: 0 } },
      });
      await office.box.pass();
      await hears('that both have left', {
        ...{ counts: { scheduled: 0, sent: 2 }, plate: { sentence: 'Told 2 of 2.' } },
      });
      // It hears of its own, and so it heard all that came before.
      const other = await put(office, elsewhere);
      await theirs.hears('their message', tells(other));
      expect(theirs.heard.map(({ event }) => event)).not.toContain('event');
      for (const listener of listeners) listener.close();
    }),
  );

  test(
    'tells nobody of another workspace, nor a stranger of any',
    onOffice(async (office) => {
      const url = await listenTo(office);
      const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
      const sender = await office.key(['send']);
      expect((await fetch(url)).status).toBe(401);
      expect((await fetch(url, sender)).status).toBe(403);
      const [ours, theirs] = await Promise.all([
        Listener.open(url, office.admin),
        Listener.open(url, elsewhere),
      ]);
      await theirs.hears('a snapshot', ({ event }) => event === 'snapshot');
      const id = await put(office);
      await ours.hears('our message', tells(id));
      const other = await put(office, elsewhere);
      await theirs.hears('their message', tells(other));
      await theirs.hears('their count', counts('scheduled', 1));
      expect(JSON.stringify(theirs.heard)).not.toContain(`"${id}"`);
      expect(JSON.stringify(ours.heard)).not.toContain(`"${other}"`);
      ours.close();
      theirs.close();
    }),
  );

  test(
    'a listener who comes back and missed nothing goes on; one who did gets a fresh snapshot',
    onOffice(async (office) => {
      const url = await listenTo(office);
      const stays = await Listener.open(url, office.admin);
      const { id: heardAt } = await stays.hears('a snapshot', ({ event }) => event === 'snapshot');
      const goesOn = await Listener.open(url, office.admin, heardAt);
      const message = await put(office);
      await goesOn.hears('what moved', tells(message));
      expect(goesOn.heard.map(({ event }) => event)).not.toContain('snapshot');
      const missed = await Listener.open(url, office.admin, heardAt);
      await missed.hears('a snapshot', ({ event }) => event === 'snapshot');
      for (const listener of [stays, goesOn, missed]) listener.close();
    }),
  );

  test(
    'ends when the key is revoked, and when the session is',
    onOffice(async (office) => {
      const url = await listenTo(office);
      const reader = await office.key(['read']);
      const person = await office.person('viewer');
      const byKey = await Listener.open(url, reader);
      const bySession = await Listener.open(url, person);
      await byKey.hears('a snapshot', ({ event }) => event === 'snapshot');
      await bySession.hears('a snapshot', ({ event }) => event === 'snapshot');
      const { store, home } = office.box;
      const [key] = await store.read(listApiKeys(store, home.id, Number.MAX_SAFE_INTEGER, 1));
      await store.transaction(revokeApiKey(store, home.id, key!.id, await store.now()));
      expect((await office.call(person, 'POST', '/api/auth/logout')).status).toBe(200);
      await byKey.over();
      await bySession.over();
    }),
  );

  test(
    'does not keep the server from stopping',
    onOffice(async (office) => {
      const listener = await Listener.open(await listenTo(office), office.admin);
      await listener.hears('a snapshot', ({ event }) => event === 'snapshot');
      await office.app.close();
      await listener.over();
    }),
  );
});

describe('the stream', () => {
  const onOffice = officesOn(databases[0]!);

  test(
    'has room for many, and says so when it is full',
    onOffice(async (office) => {
      const url = await listenTo(office);
      const listeners = await Promise.all(
        Array.from({ length: 101 }, () => Listener.open(url, office.admin)),
      );
      const refused = listeners.filter(({ status }) => status !== 200);
      expect(refused.map(({ status }) => status)).toEqual([503]);
      expect(refused[0]!.headers.get('retry-after')).toBeTruthy();
      for (const listener of listeners) listener.close();
    }),
  );

  test(
    'is for any id that comes back, however it looks',
    onOffice(async (office) => {
      const url = await listenTo(office);
      for (const lastEventId of ['', 'x'.repeat(4_000), '0.0', '<script>']) {
        const listener = await Listener.open(url, office.admin, lastEventId);
        await listener.hears('a snapshot', ({ event }) => event === 'snapshot');
        listener.close();
      }
    }),
  );
});
