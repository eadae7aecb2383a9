import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach } from 'vitest';

export const cert = readFileSync(new URL('../fixtures/tls/cert.pem', import.meta.url), 'utf8');
export const key = readFileSync(new URL('../fixtures/tls/key.pem', import.meta.url), 'utf8');
export const PASSWORD = 'Correct-Horse 7';
export const ACCESS_TOKEN = 'ya29.token';

export interface Taken {
  readonly bytes: number;
  readonly secure: boolean;
  readonly user: unknown;
  readonly from: unknown;
}

interface AdaServer {
  readonly port: number;
  readonly taken: Taken[];
  /** By which methods somebody tried to log in. */
  readonly tried: string[];
}

/** For a file or a `describe`: starts real servers at which only Ada may log in; each test's are closed after it. */
export function useAdaServers(): (options?: SMTPServerOptions) => Promise<AdaServer> {
  const open = new Set<SMTPServer>();
  afterEach(async () => {
    await Promise.all([...open].map((server) => new Promise<void>((resolve) => server.close(resolve))));
    open.clear();
  });
  return async (options = {}) => {
    const taken: Taken[] = [];
    const tried: string[] = [];
    const server = new SMTPServer({
      key,
      cert,
      size: 50_000,
      logger: false,
      closeTimeout: 100,
      onAuth: (auth, _session, answer) => {
        tried.push(auth.method);
        const right =
          auth.method === 'XOAUTH2' ? auth.accessToken === ACCESS_TOKEN : auth.password === PASSWORD;
        if (right && auth.username === 'ada') answer(null, { user: auth.username });
        else if (auth.method === 'XOAUTH2') answer(null, { data: { status: '401', schemes: 'bearer' } });
        else answer(new Error('Invalid username or password'));
      },
      onData: (stream, session, answer) => {
        let bytes = 0;
        stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
        stream.on('end', () => {
          const from = session.envelope.mailFrom;
          const { secure, user } = session;
          taken.push({ bytes, secure, user, from: from ? from.address : undefined });
          answer(null);
        });
      },
      ...options,
    });
    // Clients that do not trust it hang up on it: that is the test.
    server.on('error', () => undefined);
    open.add(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.server.address() as AddressInfo).port, taken, tried };
  };
}
