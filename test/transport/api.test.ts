import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiEnd } from '#pillarbox/transport/api/answer';
import { ApiClient, type ApiClientOptions } from '#pillarbox/transport/api/client';
import { errorOf } from '#pillarbox/transport/api/report';
import { pass } from '../catcher/fixture.js';
import { PATIENCE_MS } from '../patience.js';

const cert = readFileSync(new URL('../fixtures/tls/cert.pem', import.meta.url), 'utf8');
const key = readFileSync(new URL('../fixtures/tls/key.pem', import.meta.url), 'utf8');
const POST = { method: 'POST', path: '/', headers: {}, body: 'mail' } as const;
/** Nothing here is to end because the machine is busy. */
const LIMITS = { connectMs: PATIENCE_MS, sendMs: PATIENCE_MS, askMs: PATIENCE_MS };
/** For what would go on for ever. */
const SHORT_MS = 300;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that says these words, whatever it hears: at once, or when it has heard something. */
const speaking = (words: string, when: 'at once' | 'when asked') =>
  listening(
    createServer((socket) => {
      if (when === 'at once') socket.write(words);
      else socket.once('data', () => socket.write(words));
    }),
  );

function clientTo(baseUrl: string, over: Partial<ApiClientOptions> = {}): ApiClient {
  const client = new ApiClient({ baseUrl, hosts: { allowPrivate: true }, limits: LIMITS, ...over });
  closing.push(() => client.close());
  return client;
}

/** What it came to, in a word or two, and whether the gate was asked. */
async function sending(client: ApiClient): Promise<{ end: ApiEnd; asked: number }> {
  let asked = 0;
  const end = await client.send(POST, () => {
    asked += 1;
    return pass();
  });
  return { end, asked };
}

const classOf = (end: ApiEnd): string => errorOf(end, { provider: 'gmail', secrets: [] }).class;

describe('TLS', () => {
  const tlsServer = () =>
    listening(createTlsServer({ cert, key }, (_, response) => response.end('{"id":"1"}')));

  test('is spoken with who is trusted and called by his name', async () => {
    const { end } = await sending(clientTo(`https://localhost:${await tlsServer()}`, { ca: cert }));
    expect(end).toMatchObject({ answer: { status: 200, body: { id: '1' }, whole: true } });
  });

  test('with a stranger is an account fault, before the gate', async () => {
    const { end, asked } = await sending(clientTo(`https://localhost:${await tlsServer()}`));
    expect(end).toMatchObject({ fault: { phase: 'tls', left: false } });
    expect([classOf(end), asked]).toEqual(['account', 0]);
  });

  test('under another name is an account fault, before the gate', async () => {
    const resolver = () => Promise.resolve(['127.0.0.1']);
    const baseUrl = `https://other.example.org:${await tlsServer()}`;
    const { end, asked } = await sending(
      clientTo(baseUrl, { ca: cert, hosts: { allowPrivate: true, resolver } }),
    );
    expect(end).toMatchObject({ fault: { code: 'ERR_TLS_CERT_ALTNAME_INVALID', left: false } });
    expect([classOf(end), asked]).toEqual(['account', 0]);
  });

  test('with one who does not speak it is an account fault, and nothing goes in clear', async () => {
    const port = await speaking('HTTP/1.1 400 Bad Request\r\n\r\n', 'when asked');
    const { end, asked } = await sending(clientTo(`https://localhost:${port}`, { ca: cert }));
    expect([classOf(end), asked]).toEqual(['account', 0]);
  });

  test('that never comes to an end is given up, before the gate', async () => {
    const port = await listening(createServer(() => undefined));
    const limits = { ...LIMITS, connectMs: SHORT_MS };
    const { end, asked } = await sending(clientTo(`https://localhost:${port}`, { ca: cert, limits }));
    expect(end).toMatchObject({ fault: { phase: 'tls', code: 'ETIMEDOUT', left: false } });
    expect([classOf(end), asked]).toEqual(['retryable', 0]);
  });
});

test('what is said before anything was asked is not the answer', async () => {
  const port = await speaking('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', 'at once');
  const client = clientTo(`http://127.0.0.1:${port}`);
  const end = await client.send(POST, async () => {
    // What was said on a later connection has arrived after what was said on ours.
    const later = connect(port, '127.0.0.1');
    await new Promise((resolve) => later.once('data', resolve));
    later.destroy();
    return true;
  });
  expect(end).toMatchObject({ fault: { left: false } });
  expect(classOf(end)).toBe('retryable');
});

test('an answer before all was heard is one', async () => {
  const port = await speaking('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n', 'when asked');
  const end = await clientTo(`http://127.0.0.1:${port}`).send(
    { ...POST, body: Buffer.alloc(8_000_000) },
    pass,
  );
  expect(end).toMatchObject({ answer: { status: 413 } });
});

test.each([
  ['a head without end', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(5_000)}`],
  ['an answer of no known kind', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['only a preliminary answer', 'HTTP/1.1 102 Processing\r\n\r\n', SHORT_MS],
])('%s leaves a doubt', async (_what, words, sendMs = PATIENCE_MS) => {
  const port = await speaking(words, 'when asked');
  const { end } = await sending(clientTo(`http://127.0.0.1:${port}`, { limits: { ...LIMITS, sendMs } }));
  expect(end).toMatchObject({ fault: { phase: 'reply', left: true } });
  expect(classOf(end)).toBe('in_doubt');
});

test('a kept connection is not used once nothing may leave this machine', async () => {
  const port = await speaking('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', 'when asked');
  const rule: { onlyLoopback?: string } = {};
  const hosts = {
    allowPrivate: true,
    resolver: () => Promise.resolve(['127.0.0.1']),
    get onlyLoopback() {
      return rule.onlyLoopback;
    },
  };
  const client = clientTo(`http://api.example.org:${port}`, { hosts, keptConnections: 1 });
  expect((await sending(client)).end).toMatchObject({ answer: { status: 200 } });
  rule.onlyLoopback = 'nothing leaves this machine';
  const { end, asked } = await sending(client);
  expect(end).toMatchObject({ fault: { code: 'EHOST_REFUSED', detail: rule.onlyLoopback, left: false } });
  expect(asked).toBe(0);
});

test('a question has less time than a mail', async () => {
  const port = await listening(createServer(() => undefined));
  const client = clientTo(`http://127.0.0.1:${port}`, { limits: { ...LIMITS, askMs: SHORT_MS } });
  const end = await client.ask({ method: 'GET', path: '/', headers: {} });
  expect(end).toMatchObject({ fault: { code: 'ETIMEDOUT' } });
});
