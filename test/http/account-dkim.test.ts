import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { MailServer } from './mail-server.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const SECRET = 'a secret of the test';
const PRIVATE = { secret: SECRET, allowPrivateHosts: true };
const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
const ED25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Dkim {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: string;
  readonly record: { readonly name: string; readonly value: string };
}

let server: MailServer;
beforeAll(async () => {
  server = await MailServer.start('hunter2');
});
afterAll(() => server.close());

const create = (office: Office, over: object = {}) =>
  office.call(office.admin, 'POST', '/api/accounts', {
    name: 'Ada',
    emailAddress: 'ada@example.org',
    transport: { kind: 'smtp', url: server.url() },
    ...over,
  });
const pathOf = ({ data }: Reply) => `/api/accounts/${String(data['id'])}`;
const patch = (office: Office, account: Reply, body: object) =>
  office.call(office.admin, 'PATCH', pathOf(account), body);
const dkimOf = ({ data }: Reply) => data['dkim'] as Dkim | null;

/** What a receiver with this DNS makes of the mail that arrived last. */
async function verdictsOn(records: Readonly<Record<string, string>>): Promise<string[]> {
  const { results } = await dkimVerify(Buffer.from(server.taken.at(-1)?.text ?? ''), {
    resolver: (name: string) => Promise.resolve([[records[name] ?? '']]),
  });
  return results.map((result) => result.status.result);
}

async function send(office: Office, account: Reply): Promise<void> {
  const body = { ...MAIL, accountId: account.data['id'] };
  expect(await office.call(office.admin, 'POST', '/api/outbox', body)).toMatchObject({
    status: 200,
    data: { delivered: true },
  });
}

describe.each(databases)('DKIM of an account on $name', (database) => {
  const withOffice = officesOn(database);

  test(
    'is switched on with a key that is made, signs what leaves, and is switched off',
    withOffice(async (office) => {
      const account = await create(office);
      expect(dkimOf(account)).toBeNull();
      const signing = await patch(office, account, { dkim: {} });
      const dkim = dkimOf(signing);
      expect(dkim).toMatchObject({
        domain: 'example.org',
        selector: 'pillarbox',
        algorithm: 'rsa-sha256',
        record: {
          name: 'pillarbox._domainkey.example.org',
          value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{300,}={0,2}$/) as string,
        },
      });
      await send(office, account);
      const { name, value } = dkim!.record;
      expect(await verdictsOn({ [name]: value })).toEqual(['pass']);

      // One that has not sent yet: what a process knows of an account it looks up again after some seconds.
      const other = await create(office, { name: 'Bea', dkim: {} });
      expect(dkimOf(await patch(office, other, { dkim: null }))).toBeNull();
      await send(office, other);
      expect(server.taken.at(-1)?.text).not.toMatch(/^DKIM-Signature/m);
    }, PRIVATE),
  );

  test(
    'takes a key that somebody has, from the beginning on, and never shows it',
    withOffice(async (office) => {
      const given = { domain: 'mail.example.org', selector: 's2026', privateKey: ED25519 };
      const account = await create(office, { dkim: given });
      const dkim = dkimOf(account);
      expect(dkim).toMatchObject({
        algorithm: 'ed25519-sha256',
        record: { name: 's2026._domainkey.mail.example.org' },
      });
      await send(office, account);
      expect(await verdictsOn({ [dkim!.record.name]: dkim!.record.value })).toEqual(['pass']);
      const answers = await Promise.all(
        ['', '/activity'].map((rest) => office.call(office.admin, 'GET', pathOf(account) + rest)),
      );
      const audit = await office.call(office.admin, 'GET', '/api/audit');
      const body = ED25519.split('\n')[1]!;
      for (const { text } of [account, audit, ...answers]) expect(text).not.toContain(body);
    }, PRIVATE),
  );

  test(
    'what is answered may come back, and keeps the key; another selector has another',
    withOffice(async (office) => {
      const account = await create(office, { dkim: {} });
      const again = await patch(office, account, { ...account.data });
      expect({ status: again.status, dkim: dkimOf(again) }).toEqual({ status: 200, dkim: dkimOf(account) });
      expect(dkimOf(await patch(office, account, { displayName: 'Ada' }))).toEqual(dkimOf(account));
      const other = dkimOf(await patch(office, account, { dkim: { selector: 'next' } }));
      expect(other).toMatchObject({ domain: 'example.org', selector: 'next' });
      expect(other?.record.value).not.toBe(dkimOf(account)?.record.value);
    }, PRIVATE),
  );

  test.each<[string, object, string]>([
    ['what is no key', { privateKey: 'hunter2' }, 'dkim.privateKey'],
    ['a selector that is none', { selector: 'a b' }, 'dkim.selector'],
    ['a domain that nobody can publish for', { domain: 'localhost' }, 'dkim.domain'],
    ['a field that nobody knows', { colour: 'red' }, 'dkim.colour'],
  ])('refuses %s, and changes nothing', (_what, dkim, field) =>
    withOffice(async (office) => {
      const account = await create(office);
      const reply = await patch(office, account, { dkim });
      expect(reply).toMatchObject({ status: 400, error: { details: { field } } });
      expect(reply.text).not.toContain('hunter2');
      expect(dkimOf(await office.call(office.admin, 'GET', pathOf(account)))).toBeNull();
    }, PRIVATE)(),
  );

  test(
    'is refused where a provider signs, and before an account that signs becomes one',
    withOffice(
      async (office) => {
        const http = { kind: 'http', baseUrl: 'https://api.example.org', apiKey: 'ak' };
        const field = { status: 400, error: { details: { field: 'dkim' } } };
        expect(await create(office, { transport: http, dkim: {} })).toMatchObject(field);
        const account = await create(office, { dkim: {} });
        expect(await patch(office, account, { transport: http })).toMatchObject(field);
        expect(await patch(office, account, { transport: http, dkim: null })).toMatchObject({ status: 200 });
      },
      { ...PRIVATE, resolveTxt: () => Promise.resolve([]) },
    ),
  );

  test(
    'verify tells what DNS says of the sender',
    withOffice(
      async (office) => {
        const account = await create(office, { dkim: {} });
        const verify = async () =>
          (await office.call(office.admin, 'POST', `${pathOf(account)}/verify`)).data;
        expect(await verify()).toMatchObject({
          ok: true,
          records: [
            { kind: 'spf', level: 'fine' },
            { kind: 'dkim', level: 'act', sentence: expect.stringContaining('is not published') as string },
            { kind: 'dmarc', level: 'look', sentence: expect.stringContaining('did not answer') as string },
          ],
        });
        dns.set('pillarbox._domainkey.example.org', dkimOf(account)!.record.value);
        dns.set('_dmarc.example.org', 'v=DMARC1; p=quarantine');
        expect(await verify()).toMatchObject({
          records: [
            { level: 'fine' },
            { level: 'fine' },
            { level: 'fine', sentence: expect.stringContaining('p=quarantine') as string },
          ],
        });
      },
      { ...PRIVATE, resolveTxt: (name) => resolve(name) },
    ),
  );
  const dns = new Map([['example.org', 'v=spf1 mx -all']]);
  const resolve = (name: string) => {
    const value = dns.get(name);
    if (value !== undefined) return Promise.resolve([value.match(/.{1,255}/g) ?? []]);
    const code = name.startsWith('_dmarc') ? 'ESERVFAIL' : 'ENOTFOUND';
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
});
