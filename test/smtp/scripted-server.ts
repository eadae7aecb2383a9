import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the server says: text as it stands (empty: nothing, ever again), or what else it does with the socket. */
export type Answer = string | ((peer: Socket) => void | Promise<void>);

export interface Script {
  greeting?: Answer;
  ehlo?: Answer;
  mail?: Answer;
  rcpt?: Answer;
  /** Recipients that get a 550. */
  refuses?: (address: string) => boolean;
  data?: Answer;
  dot?: Answer;
  rset?: Answer;
  other?: Answer;
}

/** What it does with the mail of this sender, if not the same with all. */
export type ScriptOf = (from: string) => Script;

const EHLO = '250-scripted\r\n250-PIPELINING\r\n250 SIZE 20000000\r\n';
export const WITH_CHUNKING = '250-scripted\r\n250-PIPELINING\r\n250-CHUNKING\r\n250 SIZE 20000000\r\n';
export const WITHOUT_PIPELINING = '250-scripted\r\n250 SIZE 20000000\r\n';

/** Byte by byte, each in a packet of its own. */
export const dribble =
  (text: string): Answer =>
  async (peer) => {
    for (const byte of text) {
      peer.write(byte);
      await nextTurn();
    }
  };
export const thenClose =
  (text: string): Answer =>
  (peer) => {
    peer.end(text);
  };
export const reset: Answer = (peer) => {
  peer.resetAndDestroy();
};
export const vanish: Answer = (peer) => {
  peer.destroy();
};

/** An SMTP server that does what its script says, and counts every dot, also one that stands alone. */
export class ScriptedServer {
  readonly commands: string[] = [];
  /** As they travelled, dots doubled. */
  readonly mails: string[] = [];
  readonly peers = new Set<Socket>();
  /** What arrived together, one connection after the other. */
  readonly packets: string[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #scriptOf: ScriptOf;

  private constructor(script: Script | ScriptOf) {
    this.#scriptOf = typeof script === 'function' ? script : () => script;
    this.#server = createServer((peer) => void this.#serve(peer));
  }

  static async start(script: Script | ScriptOf = {}): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(script);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    return scripted;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get dots(): number {
    return this.mails.length;
  }

  /** Does something to every client, unasked. */
  async interject(answer: Answer): Promise<void> {
    for (const peer of this.peers) await say(peer, answer);
  }

  /** Once all clients have gone, so that whatever they sent has been seen. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all([...this.peers].map((peer) => new Promise((resolve) => peer.once('close', resolve))));
  }

  async #serve(peer: Socket): Promise<void> {
    this.connections++;
    this.peers.add(peer);
    peer.setNoDelay(true);
    // The test looks at what the client made of it.
    peer.on('error', () => undefined);
    peer.on('close', () => this.peers.delete(peer));
    let unread = '';
    let inBody = false;
    /** Octets that BDAT has announced. */
    let announced: number | undefined;
    let script = this.#scriptOf('');
    await say(peer, script.greeting ?? '220 scripted\r\n');
    for await (const chunk of readable(peer)) {
      this.packets.push(chunk.toString('latin1'));
      unread += chunk.toString('latin1');
      for (;;) {
        if (announced !== undefined) {
          if (unread.length < announced) break;
          this.mails.push(unread.slice(0, announced));
          unread = unread.slice(announced);
          announced = undefined;
          await say(peer, script.dot ?? '250 2.0.0 ok\r\n');
          continue;
        }
        if (inBody) {
          const end = unread.startsWith('.\r\n') ? 0 : unread.indexOf('\r\n.\r\n') + 2;
          if (end === 1) break;
          this.mails.push(unread.slice(0, end));
          unread = unread.slice(end + 3);
          inBody = false;
          await say(peer, script.dot ?? '250 2.0.0 ok\r\n');
          continue;
        }
        const end = unread.indexOf('\r\n');
        if (end < 0) break;
        const command = unread.slice(0, end);
        unread = unread.slice(end + 2);
        this.commands.push(command);
        if (command.startsWith('MAIL')) script = this.#scriptOf(/<(.*)>/.exec(command)?.[1] ?? '');
        announced = command.startsWith('BDAT') ? Number(command.split(' ')[1]) : undefined;
        if (announced !== undefined) continue;
        const answer = answerTo(command, script);
        inBody = command === 'DATA' && (typeof answer === 'function' || answer.startsWith('354'));
        await say(peer, answer);
      }
    }
  }
}

function answerTo(command: string, script: Script): Answer {
  switch (command.slice(0, 4)) {
    case 'EHLO':
      return script.ehlo ?? EHLO;
    case 'MAIL':
      return script.mail ?? '250 2.1.0 ok\r\n';
    case 'RCPT':
      if (script.refuses?.(/<(.*)>/.exec(command)?.[1] ?? '')) return '550 5.1.1 no such user\r\n';
      return script.rcpt ?? '250 2.1.5 ok\r\n';
    case 'DATA':
      return script.data ?? '354 go ahead\r\n';
    case 'RSET':
      return script.rset ?? '250 2.0.0 ok\r\n';
    case 'QUIT':
      return thenClose('221 bye\r\n');
    default:
      return script.other ?? '250 ok\r\n';
  }
}

const mute = new WeakSet<Socket>();

async function say(peer: Socket, answer: Answer): Promise<void> {
  if (peer.destroyed || mute.has(peer)) return;
  if (typeof answer === 'function') await answer(peer);
  else if (answer === '') mute.add(peer);
  else peer.write(answer);
}

async function* readable(peer: Socket): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of peer) yield chunk as Buffer;
  } catch {
    // A client that hangs up in the middle is what these tests are about.
  }
}
