// @ts-check
import { fileURLToPath } from 'node:url';
import { Child } from '../children.mjs';

/** Made for tests; for 127.0.0.1, and its own authority. */
const CERTIFICATE = fileURLToPath(new URL('../../test/fixtures/tls/cert.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../../test/fixtures/tls/key.pem', import.meta.url));
const USER = 'bench';
const PASSWORD = 'opensesame';

/**
 * A sink in a Node process of its own, in clear or with TLS and log-in; all else is the same.
 *
 * @param {{ secure: boolean, chunking?: boolean }} options
 * @returns {Promise<import('./smtp-sink.mjs').Sink & { port: number }>}
 */
export async function startNodeSink({ secure, chunking = false }) {
  const child = new Child('node-sink', {
    chunking,
    ...(secure && { tls: { certificate: CERTIFICATE, key: KEY }, login: { user: USER, password: PASSWORD } }),
  });
  const { port } = await child.heard('listening');
  const address = `127.0.0.1:${port}`;
  return {
    port,
    smtp: secure
      ? { url: `smtps://${USER}:${PASSWORD}@${address}`, caFile: CERTIFICATE }
      : { url: `smtp://${address}` },
    received: async () => {
      child.tell({ kind: 'count' });
      return (await child.heard('counted'))['mails'];
    },
    stop: () => child.end(),
  };
}
