import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { FakeGmail } from '../transport/fakes/fake-gmail.js';
import { FakeResend } from '../transport/fakes/fake-resend.js';
import { FakeUnipile } from '../transport/fakes/fake-unipile.js';
import { MailServer } from './mail-server.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const PASSWORD = 'p@ss/word: 7%';
const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
const PRIVATE = { secret: 'a secret of the test', allowPrivateHosts: true };
const WINDOW = { sendingDays: [1, 2, 3], startHour: 8, endHour: 17, timezone: 'Europe/Berlin' };
const GMAIL = { kind: 'gmail', clientId: 'id', clientSecret: 'cs', refreshToken: 'rt' };
const HTTP = { kind: 'http', baseUrl: 'https://api.example.org', apiKey: 'ak' };
const UNIPILE = { kind: 'unipile', baseUrl: 'https://api.example.org', apiKey: 'ak', accountId: 'a1' };
const limit = (action: string, period: string, max = 100) => ({ action, period, max });

let server: MailServer;
beforeAll(async () => {
  server = await MailServer.start(PASSWORD);
});
afterAll(() => server.close());

const smtp = (over: object = {}) => ({
  name: 'Ada',
  type: 'email',
  transport: { kind: 'smtp', url: server.url() },
  ...over,
});

const create = async (office: Office, over: object = {}): Promise<Reply['data']> => {
  const reply = await office.call(office.admin, 'POST', '/api/accounts', smtp(over));
  expect(reply).toMatchObject({ status: 200 });
  return reply.data;
};
const pathOf = (account: Reply['data']) => `/api/accounts/${String(account['id'])}`;
const get = async (office: Office, account: Reply['data']) =>
  (await office.call(office.admin, 'GET', pathOf(account))).data;
const patch = (office: Office, account: Reply['data'], body: unknown) =>
  office.call(office.admin, 'PATCH', pathOf(account), body);
/** Without what DNS says of the sender: that depends on where this runs. */
const verify = async (office: Office, account: Reply['data']) => {
  const { data } = await office.call(office.admin, 'POST', `${pathOf(account)}/verify`);
  const { ok, error } = data;
  return { ok, error };
};
const send = (office: Office, account: Reply['data'], over: object = {}) =>
  office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, accountId: account['id'], ...over });
const list = async (office: Office, query = '') =>
  (await office.call(office.admin, 'GET', `/api/accounts${query}`)).data as {
    items: Reply['data'][];
    nextCursor: string | null;
  };

/** What, how it differs from an account that can work, and the field that is named. */
const MALFORMED: readonly [string, object, string][] = [
  ['an unknown field', { colour: 'red' }, 'colour'],
  ['no transport', { transport: undefined }, 'transport'],
  ['an unknown kind', { transport: { kind: 'pigeon' } }, 'transport.kind'],
  ['no URL', { transport: { kind: 'smtp' } }, 'transport.url'],
  [
    'an authority that is none',
    { transport: { kind: 'smtp', url: 'smtp://127.0.0.1', ca: 'hunter2' } },
    'transport.ca',
  ],
  [
    'a file of this machine',
    { transport: { kind: 'smtp', url: 'smtps://127.0.0.1?ca=/etc/passwd' } },
    'transport.url',
  ],
  ['a foreign field', { transport: { ...HTTP, url: 'x' } }, 'transport.url'],
  ['a URL of another kind', { transport: { kind: 'smtp', url: 'https://example.org' } }, 'transport.url'],
  ['a blank in the URL', { transport: { kind: 'smtp', url: 'smtp://a:b c@example.org' } }, 'transport.url'],
  ['a mask for a secret', { transport: { ...HTTP, apiKey: '********' } }, 'transport.apiKey'],
  ['a key with a line break', { transport: { ...HTTP, apiKey: 'a\r\nb' } }, 'transport.apiKey'],
  ['a key in the base', { transport: { ...HTTP, baseUrl: 'https://k:s@example.org' } }, 'transport.baseUrl'],
  ['linkedin over SMTP', { type: 'linkedin' }, 'type'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['an address that is none', { emailAddress: 'nobody' }, 'emailAddress'],
  ['a line break for people', { displayName: 'a\r\nBcc: eve@example.org' }, 'displayName'],
  ['no days', { window: { ...WINDOW, sendingDays: [] } }, 'window.sendingDays'],
  ['an eighth day', { window: { ...WINDOW, sendingDays: [8] } }, 'window.sendingDays'],
  [
    'a window that ends before it starts',
    { window: { ...WINDOW, startHour: 17, endHour: 8 } },
    'window.endHour',
  ],
  ['half a window', { window: { sendingDays: [1] } }, 'window'],
  ['a window without hours', { window: { ...WINDOW, endHour: undefined } }, 'window.endHour'],
  ['a window of nothing', { window: { timezone: 'UTC', hours: { 1: [] } } }, 'window.hours'],
  [
    'hours that overlap',
    {
      window: {
        timezone: 'UTC',
        hours: {
          1: [
            ['09:00', '12:00'],
            ['11:00', '13:00'],
          ],
        },
      },
    },
    'window.hours.1.1',
  ],
  ['a time that is none', { window: { ...WINDOW, hours: { 2: [['9', '12:00']] } } }, 'window.hours.2.0.0'],
  ['a limit of what it can not do', { limits: [limit('message', 'day')] }, 'limits.0.action'],
  ['a limit of nothing known', { limits: [limit('pigeon', 'day')] }, 'limits.0.action'],
  ['a limit of a moon', { limits: [limit('email', 'moon')] }, 'limits.0.period'],
  ['a limit of less than none', { limits: [limit('email', 'day', -1)] }, 'limits.0.max'],
  ['a limit twice', { limits: [limit('email', 'day'), limit('email', 'day', 2)] }, 'limits.1'],
  ['a zone of nowhere', { window: { ...WINDOW, timezone: 'Mars/Olympus' } }, 'window.timezone'],
  ['a limit below none', { dailyLimitEmails: -1 }, 'dailyLimitEmails'],
  ['a limit as text', { dailyLimitEmails: '20' }, 'dailyLimitEmails'],
  ['spacing the wrong way round', { spacing: { minSeconds: 9, maxSeconds: 8 } }, 'spacing'],
  ['a ramp that starts at none', { rampUp: { enabled: true, start: 0, step: 1 } }, 'rampUp.start'],
  ['a holiday that is no day', { holidays: ['2026-02-30'] }, 'holidays.0'],
  ['no connections', { maxConnections: 0 }, 'maxConnections'],
  ['more mails in flight than it may', { mailsInFlight: 9 }, 'mailsInFlight'],
  ['an unknown status', { status: 'asleep' }, 'status'],
];

const NOT_PUBLIC = [
  { kind: 'smtp', url: 'smtp://127.0.0.1:25' },
  { kind: 'smtp', url: 'smtp://localhost:25' },
  { kind: 'smtp', url: 'smtps://[::1]' },
  { kind: 'smtp', url: 'smtp://2130706433' },
  { kind: 'smtp', url: 'smtp://169.254.169.254:80' },
  { ...HTTP, baseUrl: 'https://10.0.0.1' },
  { ...UNIPILE, baseUrl: 'http://1.1.1.1' },
  { ...GMAIL, baseUrl: 'https://[::ffff:127.0.0.1]' },
  { kind: 'file', directory: '/tmp/mail' },
];

describe.concurrent.each(databases)('accounts on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'an account is made, and shown without its password and with what holds unless it says otherwise',
    onOffice(async (office) => {
      const made = await create(office, { window: WINDOW, dailyLimitEmails: 7 });
      expect(made).toMatchObject({
        id: expect.stringMatching(/^acc_/),
        name: 'Ada',
        type: 'email',
        emailAddress: 'ada@example.org',
        transport: { kind: 'smtp', url: expect.stringContaining(':********@127.0.0.1:') },
        dailyLimitEmails: 7,
        dailyLimitMessages: 50,
        dailyLimitConnections: 20,
        dailyLimitInmails: 10,
        window: WINDOW,
        spacing: null,
        maxConnections: 5,
        mailsInFlight: 1,
        status: 'active',
        pauseReason: null,
        cooldownUntil: null,
      });
      expect(await get(office, made)).toEqual(made);
      const { items } = await list(office);
      expect(items.map((item) => item['name'])).toEqual(['default', 'Ada']);
      expect(items[1]).toEqual(made);
    }, PRIVATE),
  );

  test(
    'lists go on from their cursor',
    onOffice(async (office) => {
      for (const name of ['one', 'two', 'three']) await create(office, { name });
      const first = await list(office, '?limit=2');
      const second = await list(office, `?limit=2&cursor=${first.nextCursor!}`);
      const names = [...first.items, ...second.items].map((item) => item['name']);
      expect(names).toEqual(['default', 'one', 'two', 'three']);
      expect(await list(office, `?limit=2&cursor=${second.nextCursor!}`)).toEqual({
        items: [],
        nextCursor: null,
      });
    }, PRIVATE),
  );

  test(
    'what was shown can be sent back, and the password stays as it was',
    onOffice(async (office) => {
      const made = await create(office, { window: WINDOW, holidays: ['2026-12-25'] });
      const back = await patch(office, made, made);
      expect(back).toMatchObject({ status: 200 });
      expect({ ...back.data, updatedAt: made['updatedAt'] }).toEqual(made);
      expect(await verify(office, made)).toEqual({ ok: true, error: null });
      for (const [field, value] of [
        ['cooldownReason', 'x'.repeat(100_000)],
        ['id', { deep: ['as', 'you', 'like'] }],
      ] as const) {
        const refused = await patch(office, made, { ...made, [field]: value });
        expect(refused).toMatchObject({ status: 400, error: { details: { field } } });
      }
    }, PRIVATE),
  );

  test(
    'an account has hours of its own, and whole ones are told beside them',
    onOffice(async (office) => {
      const hours = {
        2: [['09:30', '12:30']],
        4: [
          ['13:00', '15:15'],
          ['00:00', '00:05'],
        ],
      };
      const made = await create(office, { window: { timezone: 'Europe/Berlin', hours } });
      const outline = { sendingDays: [2, 4], startHour: 0, endHour: 16 };
      expect(made['window']).toEqual({ ...outline, timezone: 'Europe/Berlin', hours });
      const back = await patch(office, made, made);
      expect({ ...back.data, updatedAt: made['updatedAt'] }).toEqual(made);
      const unfinished = await patch(office, made, { window: { timezone: 'UTC', hours: null } });
      expect(unfinished).toMatchObject({
        status: 400,
        error: { details: { field: 'window.sendingDays' } },
      });
      expect((await get(office, made))['window']).toEqual(made['window']);
      const whole = await patch(office, made, { window: { ...WINDOW, hours: null } });
      expect(whole.data['window']).toEqual(WINDOW);
    }, PRIVATE),
  );

  test(
    'limits of longer and shorter periods are of what its type can do, and begin anew with another type',
    onOffice(async (office) => {
      const mailbox = await create(office);
      expect(mailbox['limits']).toEqual([]);
      const limits = [limit('email', 'hour', 5), limit('email', 'month', 0)];
      expect((await patch(office, mailbox, { limits })).data['limits']).toEqual(limits);
      const invitations = [limit('connection_request', 'week')];
      const refused = await patch(office, mailbox, { limits: invitations });
      expect(refused).toMatchObject({ status: 400, error: { details: { field: 'limits.0.action' } } });
      expect((await get(office, mailbox))['limits']).toEqual(limits);

      const became = await patch(office, mailbox, { type: 'linkedin', transport: UNIPILE });
      expect(became).toMatchObject({ status: 200, data: { limits: invitations } });
      expect((await patch(office, mailbox, { limits: [] })).data['limits']).toEqual([]);
      expect((await patch(office, mailbox, { limits: null })).data['limits']).toEqual(invitations);
      const foreign = await patch(office, mailbox, { limits });
      expect(foreign).toMatchObject({ status: 400, error: { details: { field: 'limits.0.action' } } });
    }, PRIVATE),
  );

  test(
    'a password stays with the server that it was given for',
    onOffice(async (office) => {
      const made = await create(office);
      const { url } = made['transport'] as { url: string };
      const elsewhere = { kind: 'smtp', url: url.replace('127.0.0.1', 'evil.example') };
      const refused = await patch(office, made, { transport: elsewhere });
      expect(refused).toMatchObject({ status: 400, error: { details: { field: 'transport.url' } } });
      expect(await verify(office, made)).toMatchObject({ ok: true });
    }, PRIVATE),
  );

  test(
    'verifying logs in without sending, and says what the server said, but not the password',
    onOffice(async (office) => {
      const own = await MailServer.start(PASSWORD);
      try {
        const made = await create(office, { transport: { kind: 'smtp', url: own.url() } });
        expect(await verify(office, made)).toEqual({ ok: true, error: null });
        await patch(office, made, { transport: { kind: 'smtp', url: own.url('wr0ng-canary') } });
        const wrong = await verify(office, made);
        expect(wrong).toMatchObject({
          ok: false,
          error: { code: expect.stringContaining('535'), class: 'account' },
        });
        expect(JSON.stringify(wrong)).not.toContain('wr0ng-canary');
        await patch(office, made, { transport: { kind: 'smtp', url: 'smtp://127.0.0.1:1' } });
        expect(await verify(office, made)).toMatchObject({ ok: false, error: { code: 'ECONNREFUSED' } });
        expect(own.logIns).toBe(2);
        expect(own.taken).toEqual([]);
      } finally {
        await own.close();
      }
    }, PRIVATE),
  );

  test(
    'mail leaves through its own server, as itself',
    onOffice(async (office) => {
      const made = await create(office, { emailAddress: 'desk@example.org', displayName: 'The desk' });
      const subject = `through its own on ${database.name}`;
      expect(await send(office, made, { subject })).toMatchObject({ status: 200, data: { delivered: true } });
      const taken = server.taken.find(({ text }) => text.includes(subject));
      expect(taken).toMatchObject({ user: 'ada@example.org', from: 'desk@example.org' });
      expect(taken!.text).toMatch(/^From: "?The desk"? <desk@example\.org>/m);
      expect(office.carrier.offered).toEqual([]);
    }, PRIVATE),
  );

  test(
    'a new password is used for the very next mail',
    onOffice(async (office) => {
      const made = await create(office, { transport: { kind: 'smtp', url: server.url('wrong') } });
      const kept = await send(office, made);
      expect(kept).toMatchObject({ status: 202, data: { state: 'scheduled' } });
      expect(await get(office, made)).toMatchObject({
        status: 'paused',
        pauseReason: expect.stringContaining('535'),
      });
      const mended = { transport: { kind: 'smtp', url: server.url() }, status: 'active' };
      expect(await patch(office, made, mended)).toMatchObject({
        status: 200,
        data: { status: 'active', pauseReason: null },
      });
      expect(await send(office, made)).toMatchObject({ status: 200, data: { delivered: true } });
    }, PRIVATE),
  );

  test('mail goes into a directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-files-'));
    try {
      await onOffice(async (office) => {
        const made = await create(office, { transport: { kind: 'file', directory } });
        expect(await verify(office, made)).toMatchObject({ ok: true });
        expect(await send(office, made)).toMatchObject({ data: { delivered: true } });
        const [file] = await readdir(directory);
        expect(await readFile(join(directory, file!), 'utf8')).toContain('Subject: Booked');
      }, PRIVATE)();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  test.each([
    ['gmail', new FakeGmail(), { refreshToken: 'wrong-canary' }, '400 invalid_grant'],
    ['http', new FakeResend(), { apiKey: 'wrong-canary' }, '403 invalid_api_key'],
    ['unipile', new FakeUnipile(), { apiKey: 'wrong-canary' }, '401 errors/missing_credentials'],
  ])(
    'mail leaves through %s, and its credentials are verified without any',
    async (kind, fake, wrong, code) => {
      await fake.listen();
      try {
        await onOffice(async (office) => {
          const transport = { kind, ...fake.account };
          const made = await create(office, { transport: { ...transport, ...wrong } });
          expect(await verify(office, made)).toMatchObject({ ok: false, error: { code, class: 'account' } });
          expect(JSON.stringify(await verify(office, made))).not.toContain('canary');
          expect(await send(office, made)).toMatchObject({ status: 202, data: { state: 'scheduled' } });
          expect(await get(office, made)).toMatchObject({
            status: 'paused',
            pauseReason: expect.stringContaining(code),
          });
          expect(await patch(office, made, { transport, status: 'active' })).toMatchObject({ status: 200 });
          expect(await verify(office, made)).toEqual({ ok: true, error: null });
          expect(fake.taken).toEqual([]);
          expect(await send(office, made)).toMatchObject({ status: 200, data: { delivered: true } });
          expect(fake.taken).toHaveLength(1);
          expect(await patch(office, made, await get(office, made))).toMatchObject({ status: 200 });
          expect(await verify(office, made)).toEqual({ ok: true, error: null });
        }, PRIVATE)();
      } finally {
        await fake.close();
      }
    },
  );

  test(
    'a paused account keeps its mail, and says why',
    onOffice(async (office) => {
      const made = await create(office, { status: 'paused', pauseReason: 'moving house' });
      expect(made).toMatchObject({ status: 'paused', pauseReason: 'moving house' });
      const { data } = await send(office, made);
      const explained = await office.call(office.admin, 'GET', `/api/messages/${String(data['id'])}/explain`);
      expect(explained.data['sentence']).toContain('moving house');
      await patch(office, made, { status: 'paused', pauseReason: 'still moving' });
      expect(await get(office, made)).toMatchObject({ pauseReason: 'still moving' });
      expect(await patch(office, made, { status: 'active' })).toMatchObject({
        data: { status: 'active', pauseReason: null },
      });
    }, PRIVATE),
  );

  test(
    'activity lists every try, newest first, page by page',
    onOffice(async (office) => {
      const made = await create(office);
      for (const subject of ['one', 'two', 'three']) await send(office, made, { subject });
      const subjects: unknown[] = [];
      let query = '?limit=2';
      for (let pages = 0; pages < 3 && query !== ''; pages++) {
        const { data } = await office.call(office.admin, 'GET', `${pathOf(made)}/activity${query}`);
        const { items, nextCursor } = data as {
          items: { message: { subject: string } }[];
          nextCursor: string | null;
        };
        subjects.push(...items.map(({ message }) => message.subject));
        expect(items[0]).toMatchObject({
          outcome: 'success',
          inline: true,
          message: { to: { email: 'bob@example.org' } },
        });
        query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`;
      }
      expect(subjects).toEqual(['three', 'two', 'one']);
      const wrong = await office.call(office.admin, 'GET', `${pathOf(made)}/activity?cursor=1-2`);
      expect(wrong).toMatchObject({ status: 400, error: { details: { field: 'cursor' } } });
    }, PRIVATE),
  );

  test(
    'an account with unfinished mail stays; without, it goes, and its name is free',
    onOffice(async (office) => {
      const made = await create(office);
      const { data: sent } = await send(office, made);
      const { data: queued } = await send(office, made, { mode: 'queue' });
      const refused = await office.call(office.admin, 'DELETE', pathOf(made));
      expect(refused).toMatchObject({
        status: 409,
        error: { message: expect.stringContaining('1 message waits for Ada'), details: { waiting: 1 } },
      });
      await office.call(office.admin, 'POST', `/api/messages/${String(queued['id'])}/cancel`);
      expect(await office.call(office.admin, 'DELETE', pathOf(made))).toMatchObject({ status: 200 });
      expect(await office.call(office.admin, 'GET', pathOf(made))).toMatchObject({ status: 404 });
      expect((await list(office)).items).toHaveLength(1);
      expect(await send(office, made)).toMatchObject({
        status: 400,
        error: { details: { field: 'accountId' } },
      });
      const past = await office.call(office.admin, 'GET', `/api/messages/${String(sent['id'])}/explain`);
      expect(past).toMatchObject({ status: 200, data: { state: 'sent' } });
      await create(office);
    }, PRIVATE),
  );

  test(
    'two accounts do not share a name',
    onOffice(async (office) => {
      await create(office);
      const second = await office.call(office.admin, 'POST', '/api/accounts', smtp());
      expect(second).toMatchObject({ status: 409, error: { code: 'conflict' } });
      const other = await create(office, { name: 'Other' });
      expect(await patch(office, other, { name: 'Ada' })).toMatchObject({ status: 409 });
      expect(await get(office, other)).toMatchObject({ name: 'Other' });
      const post = () => office.call(office.admin, 'POST', '/api/accounts', smtp({ name: 'Together' }));
      const statuses = (await Promise.all([post(), post(), post(), post()])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 409, 409, 409]);
    }, PRIVATE),
  );

  test(
    'what can not work is refused with its field, and nothing is stored',
    onOffice(async (office) => {
      const told = [];
      for (const [what, over] of MALFORMED) {
        const { status, error } = await office.call(office.admin, 'POST', '/api/accounts', smtp(over));
        told.push([what, status, error.details?.field]);
      }
      expect(told).toEqual(
        MALFORMED.map(([what, , field]): unknown[] => [what, 400, expect.stringMatching(`^${field}`)]),
      );
      expect((await list(office)).items).toHaveLength(1);
    }, PRIVATE),
  );

  test(
    'what is not public is refused unless it is allowed [F51] [T8]',
    onOffice(
      async (office) => {
        const told = [];
        for (const transport of NOT_PUBLIC) {
          const { status, error } = await office.call(
            office.admin,
            'POST',
            '/api/accounts',
            smtp({ transport }),
          );
          told.push([transport, status, error.details?.field]);
        }
        const field = expect.stringMatching(/^transport\.(?:url|baseUrl|directory)$/);
        expect(told).toEqual(NOT_PUBLIC.map((transport): unknown[] => [transport, 400, field]));
        expect((await list(office)).items).toHaveLength(1);
      },
      { secret: PRIVATE.secret },
    ),
  );
});
