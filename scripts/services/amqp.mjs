// @ts-check
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

const ANSWER_TIMEOUT_MS = 5_000;
const MOST_BYTES = 128 * 1024;
const HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1');
const METHOD_FRAME = 1;
const CONNECTION_START = 0x000a_000a;

/**
 * Says hello to a broker as every AMQP 0-9-1 client does, reads its answer, and leaves. The answer comes before
 * any password, so this works with any account.
 *
 * @param {string} url
 * @returns {Promise<{ product: string, version: string, clusterName: string }>}
 */
export async function greet(url) {
  const properties = readConnectionStart(await firstFrame(url));
  const text = (/** @type {string} */ key) => properties.get(key) ?? 'unknown';
  return { product: text('product'), version: text('version'), clusterName: text('cluster_name') };
}

/**
 * @param {string} url
 * @returns {Promise<Buffer>} the body of the first method frame
 */
function firstFrame(url) {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = protocol === 'amqps:';
  const target = { host, port: Number(port || (secure ? 5671 : 5672)) };
  return new Promise((resolve, reject) => {
    const socket = secure ? connectTls({ ...target, servername: host }) : connectTcp(target);
    const fail = (/** @type {Error} */ error) => {
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new Error(`no AMQP answer within ${ANSWER_TIMEOUT_MS / 1000} s`)),
      ANSWER_TIMEOUT_MS,
    );
    let received = Buffer.alloc(0);
    socket.once(secure ? 'secureConnect' : 'connect', () => socket.write(HEADER));
    socket.once('error', fail);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed before an AMQP answer'));
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received[0] !== METHOD_FRAME)
        return fail(new Error('the answer is not an AMQP 0-9-1 method frame'));
      if (received.length < 7) return;
      const end = 7 + received.readUInt32BE(3);
      if (end > MOST_BYTES) return fail(new Error('the first AMQP frame is implausibly large'));
      if (received.length < end) return;
      socket.destroy();
      resolve(received.subarray(7, end));
    });
  });
}

/**
 * The server properties that are strings, from the body of `connection.start`: class and method, two bytes of
 * protocol version, then the table.
 *
 * @param {Buffer} body
 * @returns {Map<string, string>}
 */
function readConnectionStart(body) {
  if (body.readUInt32BE(0) !== CONNECTION_START)
    throw new Error('the first AMQP frame is not connection.start');
  /** @type {Map<string, string>} */
  const properties = new Map();
  const end = 10 + body.readUInt32BE(6);
  for (let at = 10; at < end;) {
    const keyEnd = at + 1 + body.readUInt8(at);
    const key = body.toString('utf8', at + 1, keyEnd);
    const type = String.fromCharCode(body.readUInt8(keyEnd));
    const value = keyEnd + 1;
    const size = sizeOf(type, body, value);
    if (type === 'S') properties.set(key, body.toString('utf8', value + 4, value + size));
    at = value + size;
  }
  return properties;
}

/** Sizes in bytes of the values whose type alone tells. */
const FIXED_SIZES = new Map(
  Object.entries({ V: 0, t: 1, b: 1, B: 1, s: 2, u: 2, I: 4, i: 4, f: 4, D: 5, l: 8, L: 8, d: 8, T: 8 }),
);

/**
 * @param {string} type
 * @param {Buffer} body
 * @param {number} at
 */
function sizeOf(type, body, at) {
  if ('SFAx'.includes(type)) return 4 + body.readUInt32BE(at);
  const size = FIXED_SIZES.get(type);
  if (size === undefined) throw new Error(`the AMQP table holds a value of unknown type "${type}"`);
  return size;
}
