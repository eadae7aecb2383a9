import { describe, expect, test } from 'vitest';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';

import { PASSWORD, PASSWORD_HASH, type Office } from './office.js';
import { officesOn } from './offices.js';
import { KINDS, NAME, Proxy } from './proxies.js';

const ORIGIN = `https://${NAME}`;
const ADA = 'ada@example.org';
const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };

interface Asked {
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function call(proxy: Proxy, method: string, path: string, { from, headers, body }: Asked = {}) {
  const json = body && { 'content-type': 'application/json' };
  const options = { method, path, localAddress: from ?? '127.0.0.1', headers: { ...json, ...headers } };
  const answer = await proxy.open(options, body && JSON.stringify(body));
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  const data = text.startsWith('{') ? (JSON.parse(text) as { data?: Record<string, unknown> }).data : {};
  return { status: answer.statusCode, cookies: answer.headers['set-cookie'] ?? [], text, data: data ?? {} };
}

const logIn = (proxy: Proxy, asked: Omit<Asked, 'body'> = {}) =>
  call(proxy, 'POST', '/api/auth/login', { ...asked, body: { email: ADA, password: PASSWORD } });

/** What stands between is the same on every database. */
describe.each(Object.entries(KINDS))('behind %s, configured as docs/proxy.md says', (_, kind) => {
  const onOffice = officesOn(databases[0]!);
  const behind = (act: (proxy: Proxy, office: Office) => Promise<void>) =>
    onOffice(
      async (office) => {
        const { store, home } = office.box;
        const ada = { email: ADA, role: 'admin', password: PASSWORD_HASH } as const;
        await store.transaction(addMember(store, home.id, ada, await store.now()));
        const proxy = await Proxy.start(kind, await office.app.listen({ host: '127.0.0.1', port: 0 }));
        try {
          await act(proxy, office);
        } finally {
          await proxy.stop();
        }
      },
      { publicUrl: ORIGIN, trustedProxies: ['127.0.0.1'] },
    );

  test(
    'people log in with a cookie for TLS alone and write with their token, and plain HTTP is sent on',
    behind(async (proxy) => {
      const { status, cookies, data } = await logIn(proxy);
      expect(status).toBe(200);
      expect(cookies[0]).toMatch(/; Secure/);
      const cookie = cookies[0]!.split(';')[0]!;
      const write = (headers: Readonly<Record<string, string>>) =>
        call(proxy, 'POST', '/api/outbox', { headers: { cookie, ...headers }, body: MAIL });
      const token = { 'x-csrf-token': String(data['csrfToken']) };
      expect((await write({ origin: ORIGIN })).status).toBe(403);
      expect((await write({ origin: 'https://elsewhere.example', ...token })).status).toBe(403);
      expect((await write({ origin: ORIGIN, ...token })).status).toBe(202);

      const sentOn = await proxy.openPlain('/queue?state=dead');
      expect([301, 308]).toContain(sentOn.statusCode);
      expect(sentOn.headers.location).toBe(`${ORIGIN}/queue?state=dead`);
      sentOn.resume();
    }),
  );

  test(
    'what happens is streamed when it happens, while the answer goes on',
    behind(async (proxy, office) => {
      const { headers } = office.admin;
      const stream = await proxy.open({ path: '/api/stream', headers });
      expect(stream.statusCode).toBe(200);
      let heard = '';
      stream.setEncoding('utf8').on('data', (text: string) => (heard += text));
      await expect.poll(() => heard).toContain('event: snapshot');
      const { data } = await call(proxy, 'POST', '/api/outbox', { headers, body: MAIL });
      await expect.poll(() => heard).toContain(String(data['id']));
      expect(stream.complete).toBe(false);
      stream.destroy();
    }),
  );

  test(
    'a mail of several megabytes passes whole',
    behind(async (proxy, office) => {
      const contentBase64 = Buffer.alloc(6 * 1024 * 1024, 'pillarbox ').toString('base64');
      const attachments = [{ filename: 'plan.bin', contentType: 'application/octet-stream', contentBase64 }];
      const { headers } = office.admin;
      const sent = await call(proxy, 'POST', '/api/outbox', { headers, body: { ...MAIL, attachments } });
      expect(sent).toMatchObject({ status: 202, data: { state: 'scheduled' } });
    }),
  );

  test(
    'log-ins are counted by the address that the proxy talks to, whatever that says of itself',
    behind(async (proxy, { box: { store } }) => {
      const failed = { subject: 'place 127.0.0.2', failed_at: Date.now() };
      const failures = Array.from({ length: 100 }, () => failed);
      await store.transaction(ask(store.db.insertInto('login_failures').values(failures)));
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      expect((await logIn(proxy, { from: '127.0.0.2' })).status).toBe(429);
      expect((await logIn(proxy, { from: '127.0.0.2', headers })).status).toBe(429);
      expect((await logIn(proxy, { from: '127.0.0.3' })).status).toBe(200);
    }),
  );
});
