import { describe, expect, test } from 'vitest';
import { formatId, parseId } from '#pillarbox/core/ids';
import { ask } from '#pillarbox/store/script';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import { enrol, insertCampaign, readCampaign } from '#pillarbox/store/scripts/campaigns';
import type { NewMessage } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { addPerson } from '../sequences/people.js';
import { PUBLIC_URL, type Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = '----boundary';
const MULTIPART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${BOUNDARY}--\r\n`;

const MAIL: Omit<NewMessage, 'workspaceId' | 'channelId'> = {
  ...{ lane: 'campaign', action: 'email', idempotencyKey: null, bodyHash: null, traceId: null },
  ...{ recipient: 'ada@example.org', recipientName: null, sender: 'box@example.org', subject: 'Hello' },
  ...{
    dueAt: null,
    expiresAt: null,
    retryPolicy: 'campaign',
    doubtPolicy: 'hold',
    transactional: false,
    mail: '{}',
  },
};

describe.concurrent.each(databases)('the link in a mail on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret });

  /** Somebody, and the address behind his link. */
  async function somebody({ box }: Office, email = 'ada@example.org', workspaceId = box.home.id) {
    const contactId = parseId('contact', await addPerson(box, { email, name: 'Ada' }, workspaceId))!;
    const path = new URL(box.links.unsubscribeUrl(workspaceId, contactId, 1)).pathname;
    return { contactId, path };
  }
  const get = (office: Office, url: string) => office.app.inject({ method: 'GET', url });
  const post = (office: Office, url: string, payload: string, type = FORM) =>
    office.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
  const suppressionOf = async (office: Office, email = 'ada@example.org') => {
    const { status, data } = await office.call(office.admin, 'GET', `/api/suppressions/${email}`);
    return status === 404 ? undefined : { reason: data['reason'], lanes: data['lanes'] };
  };

  test(
    'shows a page that changes nothing, however often machines follow it',
    on(async (office) => {
      await office.call(office.admin, 'PUT', '/api/settings/workspace', {
        ...{ name: 'Harbour <Rooms>', postalAddress: '11 Ropewalk Lane\nSaltmere' },
      });
      const { path } = await somebody(office);
      for (let turn = 0; turn < 3; turn += 1) {
        const reply = await get(office, path);
        expect(reply.statusCode).toBe(200);
        expect(reply.body).toContain('Stop mails from Harbour &lt;Rooms&gt;?');
        expect(reply.body).toContain('ada@example.org');
        expect(reply.body).toContain('11 Ropewalk Lane\nSaltmere');
        expect(reply.body.length).toBeLessThan(6_000);
      }
      expect((await office.app.inject({ method: 'HEAD', url: path })).statusCode).toBe(200);
      expect(await suppressionOf(office)).toBeUndefined();
    }),
  );

  test(
    'allows nothing but its own style, keeps nobody’s referrer, and sets no cookie',
    on(async (office) => {
      const { path } = await somebody(office);
      for (const reply of [
        await get(office, path),
        await get(office, '/u/nonsense'),
        await post(office, path, ''),
      ]) {
        expect(reply.headers['content-security-policy']).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        );
        expect(reply.headers).toMatchObject({
          ...{ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' },
          'content-type': 'text/html; charset=utf-8',
        });
        expect(reply.headers['set-cookie']).toBeUndefined();
        expect(reply.body).not.toMatch(/<script|<link|src=|url\(/);
      }
    }),
  );

  test.each([
    ['as a form', ONE_CLICK, FORM],
    ['in parts', MULTIPART, `multipart/form-data; boundary=${BOUNDARY}`],
  ])('unsubscribes by one click of a mail program, %s', (_how, payload, type) =>
    on(async (office) => {
      const { path } = await somebody(office);
      for (let turn = 0; turn < 2; turn += 1) {
        const reply = await post(office, path, payload, type);
        expect([reply.statusCode, reply.body, reply.headers.location]).toEqual([200, '', undefined]);
        expect(await suppressionOf(office)).toEqual({ reason: 'unsubscribed', lanes: ['campaign'] });
      }
    })(),
  );

  test(
    'stops, stops everything, and takes it back',
    on(async (office) => {
      const { path } = await somebody(office);
      const stopped = await post(office, path, 'stop=campaigns');
      expect(stopped.body).toContain('Stopped. No more of these mails.');
      expect(stopped.body).toContain('name="undo"');
      expect((await get(office, path)).body).toContain('Stopped. No more of these mails.');
      const all = await post(office, path, 'stop=everything');
      expect(all.body).toContain('Stopped. Nothing more from');
      expect(await suppressionOf(office)).toEqual({ reason: 'unsubscribed', lanes: null });
      const undone = await post(office, path, 'undo=1');
      expect(undone.body).toContain('Taken back.');
      expect(await suppressionOf(office)).toBeUndefined();
      expect((await get(office, path)).body).toContain('Stop mails from');
    }),
  );

  test(
    'takes back nothing that somebody else has decided',
    on(async (office) => {
      const { path } = await somebody(office);
      await office.call(office.admin, 'POST', '/api/suppressions', {
        email: 'ada@example.org',
        reason: 'complaint',
      });
      const reply = await post(office, path, 'undo=1');
      expect(reply.body).not.toContain('name="undo"');
      expect(await suppressionOf(office)).toEqual({ reason: 'complaint', lanes: null });
    }),
  );

  test(
    'ends what its reader is in',
    on(async (office) => {
      const { store, home } = office.box;
      const { contactId, path } = await somebody(office);
      const now = await store.now();
      const campaign = {
        ...{ workspaceId: home.id, name: 'autumn', sequenceId: null, accountIds: [1], terms: '{}' },
        ...{ stopOnReply: true, seed: 1 },
      };
      await store.transaction(function* () {
        const id = yield* insertCampaign(store, campaign, now);
        yield* enrol(store, (yield* readCampaign(store, home.id, id, { lock: true }))!, [contactId], now);
      });
      await post(office, path, ONE_CLICK);
      const enrolments = store.db
        .selectFrom('enrolments')
        .select('state')
        .where('contact_id', '=', contactId);
      expect(await store.read(ask(enrolments))).toEqual([{ state: 'unsubscribed' }]);
    }),
  );

  test(
    'is good for who was taken off the list since',
    on(async (office) => {
      const { store, home } = office.box;
      const { contactId, path } = await somebody(office);
      const channelId = await store.transaction(() => ensureChannel(store, 1, 'email', 'campaign'));
      await store.enqueue([{ ...MAIL, workspaceId: home.id, channelId, contactId }]);
      expect(
        (await office.call(office.admin, 'DELETE', `/api/contacts/${formatId('contact', contactId)}`)).status,
      ).toBe(200);
      expect((await get(office, path)).body).toContain('ada@example.org');
      expect((await post(office, path, ONE_CLICK)).statusCode).toBe(200);
      expect(await suppressionOf(office)).toEqual({ reason: 'unsubscribed', lanes: ['campaign'] });
    }),
  );

  test(
    'of a test mail does nothing',
    on(async (office) => {
      const { contactId } = await somebody(office);
      const path = new URL(office.box.links.sampleUrl(office.box.home.id, contactId)).pathname;
      for (const reply of [await get(office, path), await post(office, path, 'stop=everything')])
        expect(reply.body).toContain('This was a test.');
      expect((await post(office, path, ONE_CLICK)).statusCode).toBe(200);
      expect(await suppressionOf(office)).toBeUndefined();
    }),
  );

  test(
    'that is forged, cut, of another workspace’s number or of nobody is one page [T15]',
    on(async (office) => {
      const { path, contactId } = await somebody(office);
      const elsewhere = await office.workspace('elsewhere');
      const { links } = office.box;
      const nobody = new URL(links.unsubscribeUrl(office.box.home.id, 999_999, 1)).pathname;
      const theirs = new URL(links.unsubscribeUrl(elsewhere, contactId, 1)).pathname;
      const flipped = path.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'));
      const bodies = new Set<string>();
      for (const url of [
        nobody,
        theirs,
        flipped,
        path.slice(0, -1),
        `${path}A`,
        '/u/x',
        '/u/%00',
        `/u/${'a'.repeat(400)}`,
      ]) {
        for (const reply of [await get(office, url), await post(office, url, ONE_CLICK)]) {
          if (url === '/u/%00') expect(reply.statusCode).toBe(400);
          else {
            expect([url, reply.statusCode]).toEqual([url, 404]);
            bodies.add(reply.body);
          }
        }
      }
      expect(bodies.size).toBe(1);
      expect(await suppressionOf(office)).toBeUndefined();
    }),
  );

  test(
    'is good after the secret has changed, as long as the former one is known',
    on(async (office) => {
      const { path } = await somebody(office);
      const { Links } = await import('#pillarbox/links/links');
      const { installation } = office.box.store;
      const token = path.slice('/u/'.length);
      const later = new Links(['another secret of some length', secret], installation, PUBLIC_URL);
      expect(later.read(token, 0)).toMatchObject({ purpose: 'unsubscribe' });
      expect(
        new Links(['another secret of some length'], installation, PUBLIC_URL).read(token, 0),
      ).toBeUndefined();
    }),
  );

  test(
    'bears bodies of any kind, and no more than a few a minute',
    on(async (office) => {
      const { path } = await somebody(office);
      for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'x/y'])
        expect((await post(office, path, '{"a":\u0000', type)).statusCode).toBeLessThan(500);
      expect((await post(office, path, `a=${'x'.repeat(20_000)}`)).statusCode).toBe(413);
      const replies = await Promise.all(Array.from({ length: 40 }, () => get(office, path)));
      expect(replies.some(({ statusCode }) => statusCode === 429)).toBe(true);
      // Of one link: others are not kept waiting.
      const other = await somebody(office, 'bob@example.org');
      expect((await get(office, other.path)).statusCode).toBe(200);
    }),
  );

  test(
    'speaks the language of its sender',
    on(async (office) => {
      const { path } = await somebody(office);
      const inLanguage = async (defaultLocale: string) => {
        await office.call(office.admin, 'PUT', '/api/settings/workspace', { defaultLocale });
        return (await get(office, path)).body;
      };
      expect(await inLanguage('fr-CA')).toMatch(/<html lang="fr" dir="ltr">[^]*Arrêter ces messages/);
      expect(await inLanguage('de')).toContain('Diese Mails abbestellen');
      expect(await inLanguage('ja')).toContain('Stop these mails');
    }),
  );
});
