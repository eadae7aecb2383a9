// @ts-check
import { readFileSync } from 'node:fs';
import { createServer as createClearServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const END_OF_MAIL = '\r\n.\r\n';

/** @typedef {{ user: string, password: string }} Login */

/**
 * Takes every mail, forgets it, and counts: as little as a server can do, so that the sender is what is measured.
 *
 * @param {{ chunking: boolean, tls?: { certificate: string, key: string }, login?: Login }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ tls, login, chunking }, parent) {
  let mails = 0;
  const serve = (/** @type {import('node:net').Socket} */ socket) =>
    new Session(socket, { login, chunking }, () => (mails += 1));
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }, serve)
    : createClearServer(serve);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  parent.tell({
    kind: 'listening',
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  });
  for (;;) {
    await parent.heard('count');
    parent.tell({ kind: 'counted', mails });
  }
}

/** One connection. Who should log in and did not, delivers nothing. */
class Session {
  #unread = '';
  #inMail = false;
  /** Bytes that BDAT has announced. */
  #announced = 0;
  #trusted;

  /**
   * @param {import('node:net').Socket} socket
   * @param {{ login: Login | undefined, chunking: boolean }} offer
   * @param {() => void} received
   */
  constructor(socket, { login, chunking }, received) {
    this.socket = socket;
    this.chunking = chunking;
    this.received = received;
    this.secret = login && Buffer.from(`\0${login.user}\0${login.password}`).toString('base64');
    this.#trusted = login === undefined;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text) => this.#read(String(text)));
    socket.write('220 sink ESMTP\r\n');
  }

  /** @param {string} text */
  #read(text) {
    this.#unread += text;
    let answers = '';
    for (let answer = this.#next(); answer !== undefined; answer = this.#next()) answers += answer;
    if (answers !== '') this.socket.write(answers);
  }

  /** @returns {string | undefined} the answer to what was read, once all of it is there */
  #next() {
    if (this.#announced > 0) {
      if (this.#unread.length < this.#announced) return undefined;
      this.#unread = this.#unread.slice(this.#announced);
      this.#announced = 0;
      this.received();
      return '250 2.0.0 taken\r\n';
    }
    const end = this.#inMail ? END_OF_MAIL : '\r\n';
    const place = this.#unread.indexOf(end);
    if (place < 0) {
      // Of a mail only so much is kept as could be the beginning of its end.
      if (this.#inMail) this.#unread = this.#unread.slice(1 - END_OF_MAIL.length);
      return undefined;
    }
    const line = this.#unread.slice(0, place);
    this.#unread = this.#unread.slice(place + end.length);
    if (!this.#inMail) return this.#answer(line);
    this.#inMail = false;
    this.received();
    return '250 2.0.0 taken\r\n';
  }

  /** @param {string} line */
  #answer(line) {
    const [command = '', method, secret] = line.split(' ');
    switch (command.toUpperCase()) {
      case 'EHLO':
        return `250-sink\r\n250-PIPELINING\r\n${this.chunking ? '250-CHUNKING\r\n' : ''}${this.secret ? '250-AUTH PLAIN\r\n' : ''}250 8BITMIME\r\n`;
      case 'AUTH':
        this.#trusted = method === 'PLAIN' && secret === this.secret;
        return this.#trusted ? '235 2.7.0 welcome\r\n' : '535 5.7.8 no\r\n';
      case 'BDAT':
        this.#announced = Number(method);
        return '';
      case 'DATA':
        if (!this.#trusted) return '530 5.7.0 log in first\r\n';
        this.#inMail = true;
        // An empty mail ends with the first thing that is said.
        this.#unread = `\r\n${this.#unread}`;
        return '354 go on\r\n';
      case 'QUIT':
        this.socket.end('221 2.0.0 bye\r\n');
        return undefined;
      default:
        return this.#trusted ? '250 2.1.0 fine\r\n' : '530 5.7.0 log in first\r\n';
    }
  }
}
