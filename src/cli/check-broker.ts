import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Finding } from './finding.js';

const PATIENCE_MS = 5_000;
const PROTOCOL = Buffer.from('AMQP\0\0\u0009\u0001', 'latin1');
const USUAL_PORT = 5672;
const USUAL_TLS_PORT = 5671;
const METHOD_FRAME = 1;
const HEAD_BYTES = 7;

/** Connects and hears how the broker introduces itself, without logging in. */
export async function checkBroker(amqpUrl: string): Promise<Finding> {
  const what = 'broker';
  const started = performance.now();
  try {
    const product = productIn(await greet(new URL(amqpUrl)));
    const ms = (performance.now() - started).toFixed(0);
    if (product === undefined)
      return { what, level: 'act', text: 'what answers there does not speak AMQP 0-9-1' };
    return { what, level: 'fine', text: `${product} answers, ${ms} ms` };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { what, level: 'act', text: `AMQP_URL: nobody answers (${code ?? message})` };
  }
}

/** The first frame that the broker sends. */
function greet({ protocol, hostname, port }: URL): Promise<Buffer> {
  const secure = protocol === 'amqps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const place = { host, port: Number(port) || (secure ? USUAL_TLS_PORT : USUAL_PORT) };
    const socket = secure
      ? connectTls({ ...place, servername: host }, () => socket.write(PROTOCOL))
      : connectPlain(place, () => socket.write(PROTOCOL));
    let heard = Buffer.alloc(0);
    const end = (act: () => void) => {
      socket.destroy();
      act();
    };
    socket.setTimeout(PATIENCE_MS, () => end(() => reject(new Error('it takes too long'))));
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      const wanted = heard.length >= HEAD_BYTES ? heard.readUInt32BE(3) + HEAD_BYTES : Infinity;
      if (heard.length >= wanted || heard[0] !== METHOD_FRAME) end(() => resolve(heard));
    });
    socket.on('error', (error: Error) => end(() => reject(error)));
    socket.on('close', () => resolve(heard));
  });
}

/** Out of the table of properties: each is a short name, a type, and if that is `S` a long text. */
function productIn(frame: Buffer): string | undefined {
  if (frame[0] !== METHOD_FRAME) return undefined;
  const text = (name: string): string | undefined => {
    const key = Buffer.from(`${String.fromCharCode(name.length)}${name}S`, 'latin1');
    const at = frame.indexOf(key);
    if (at < 0 || at + key.length + 4 > frame.length) return undefined;
    const from = at + key.length + 4;
    return frame.toString('utf8', from, from + frame.readUInt32BE(from - 4));
  };
  const product = text('product');
  return product === undefined ? undefined : `${product} ${text('version') ?? ''}`.trim();
}
