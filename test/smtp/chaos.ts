import { createServer, type AddressInfo, type Socket } from 'node:net';

import type { ConnectionOptions, SmtpConnection } from '#pillarbox/transport/smtp/connection';
import { Deadlines } from '#pillarbox/transport/smtp/deadlines';
import { PeerHabits } from '#pillarbox/transport/smtp/habits';
import { SmtpPool } from '#pillarbox/transport/smtp/pool';
import type { Transmission } from '#pillarbox/transport/smtp/report';
import { PATIENCE_MS } from '../patience.js';

export interface ChaosOptions {
  seed: number;
  mails: number;
  /** The share of the server's steps that go wrong. */
  faults: number;
  /** The server offers CHUNKING, and so many mails are in the air on each connection. */
  mailsInFlight?: number;
  connect?: (options: ConnectionOptions) => SmtpConnection;
}

/** What one run came to. `wrong` must be empty, whatever the seed. */
export interface ChaosOutcome {
  left: Record<Transmission['left'], number>;
  /** Each a sentence with the mail's name. */
  wrong: string[];
  connections: number;
  gatesRefused: number;
  /** Mails that came with their envelopes. */
  chunks: number;
}

/** A number in [0, 1) for each list of words: the same for the same seed, whatever happens in between. */
function dice(seed: number): (...words: (string | number)[]) => number {
  return (...words) => {
    let hash = seed ^ 0x9e3779b9;
    for (const char of words.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** What really happened, as the server and the gate saw it. */
class Witness {
  readonly taken = new Map<string, number>();
  readonly dots = new Map<string, number>();
  readonly passed = new Set<string>();
  readonly ungated: string[] = [];
  chunks = 0;

  dot(mail: string): void {
    this.dots.set(mail, (this.dots.get(mail) ?? 0) + 1);
    if (!this.passed.has(mail)) this.ungated.push(mail);
  }

  take(mail: string): void {
    this.taken.set(mail, (this.taken.get(mail) ?? 0) + 1);
  }

  /** Compares a verdict with what happened. */
  objection(mail: string, { left, gated }: Transmission): string | undefined {
    const taken = this.taken.get(mail) ?? 0;
    if (gated !== this.passed.has(mail)) return `${mail} was reported with another answer than its gate gave`;
    if (left === 'yes' && taken !== 1) return `${mail} was reported as sent and taken ${taken} times`;
    if (left === 'no' && taken !== 0) return `${mail} was reported as not sent and taken ${taken} times`;
    if ((this.dots.get(mail) ?? 0) > 1) return `${mail} got more than one dot`;
    return undefined;
  }
}

/**
 * A server in which every step may fail: refused, closed, reset, answered with rubbish or half a reply. The name of
 * a mail stands in its MAIL command, so that a dot is counted for it even if its recipients were refused.
 */
function chaoticPeer(
  peer: Socket,
  number: number,
  roll: ReturnType<typeof dice>,
  { faults, mailsInFlight }: Pick<ChaosOptions, 'faults' | 'mailsInFlight'>,
  witness: Witness,
) {
  let unread = '';
  let inBody = false;
  /** Octets that BDAT has announced. */
  let announced: number | undefined;
  let mail = '';
  let isOpen = false;
  let recipients = 0;
  let steps = 0;
  /** The other half of what was said, and what was said behind it. */
  let held = '';
  let gone = false;
  peer.setNoDelay(true).on('error', () => undefined);

  const chance = (what: string): number => roll(number, steps, what);
  const say = (text: string): void => {
    if (gone) return;
    // What is said behind a half comes behind the whole.
    if (held !== '') return void (held += text);
    const cut = 1 + Math.floor(chance('cut') * (text.length - 1));
    if (chance('split') > 0.1) return void peer.write(text);
    peer.write(text.slice(0, cut));
    held = text.slice(cut);
    setImmediate(() => {
      if (!gone) peer.write(held);
      held = '';
    });
  };
  const sayLast = (text: string): void => {
    gone = true;
    peer.end(held + text);
  };
  const vanish = (): void => {
    gone = true;
    const how = chance('vanish');
    if (how < 0.33) peer.destroy();
    else if (how < 0.66) peer.resetAndDestroy();
    else peer.end();
  };
  const leave = (): void => {
    if (chance('leave') < 0.75) return vanish();
    sayLast('421 4.3.2 bye\r\n');
  };
  const onDot = (): void => {
    witness.dot(mail);
    if (chance('dot') >= faults) {
      witness.take(mail);
      return say(chance('lines') < 0.2 ? '250-2.0.0 taken\r\n250 2.0.0 ok\r\n' : '250 2.0.0 ok\r\n');
    }
    const kind = chance('kind');
    if (kind < 0.15) return say('550 5.7.1 no\r\n');
    if (kind < 0.3) return say('451 4.3.0 later\r\n');
    // From here on the client can't know, and the server itself may have done either.
    if (chance('taken') < 0.5) witness.take(mail);
    if (kind < 0.5) return vanish();
    if (kind < 0.75) return say('huh\r\n');
    sayLast(kind < 0.9 ? '25' : '250-2.0.0 taken\r\n');
  };
  /** Of a mail that came with its envelope. It has come all the same, so its gate must have passed. */
  const refuse = (): void => {
    witness.dot(mail);
    say('503 5.5.1 no recipients\r\n');
  };
  const onCommand = (command: string): void => {
    const verb = command.slice(0, 4);
    if (verb === 'EHLO') {
      const pipelining = roll(number, 'pipelining') < 0.8 ? '250-PIPELINING\r\n' : '';
      const chunking = mailsInFlight === undefined ? '' : '250-CHUNKING\r\n';
      return say(`250-chaos\r\n${pipelining}${chunking}250 SIZE 9000000\r\n`);
    }
    if (verb === 'QUIT') return sayLast('221 bye\r\n');
    if (verb === 'MAIL') {
      const nested = mail !== '';
      mail = /<(\w+)@/.exec(command)?.[1] ?? '';
      recipients = 0;
      if (nested) return say('503 5.5.1 nested MAIL\r\n');
    }
    if (verb === 'RSET') mail = '';
    const fails = chance(verb) < faults;
    if (fails && chance('how') < 0.4) return leave();
    if (verb === 'BDAT') {
      announced = Number(command.split(' ')[1]);
      return;
    }
    if (verb === 'MAIL') isOpen = !fails;
    if (verb === 'RCPT') {
      if (!isOpen) return say('503 5.5.1 no sender\r\n');
      if (fails) return say('450 4.2.1 busy\r\n');
      recipients++;
    }
    if (verb === 'DATA') {
      if (fails) return say('451 4.3.0 no\r\n');
      // A careless server invites the body of a mail that has no recipient.
      if (recipients === 0 && chance('careless') < 0.5) return say('554 5.5.1 no recipients\r\n');
      inBody = true;
      return say('354 go\r\n');
    }
    return say(fails && verb === 'MAIL' ? '451 4.3.0 no\r\n' : '250 2.0.0 ok\r\n');
  };

  say('220 chaos\r\n');
  peer.on('data', (chunk) => {
    unread += chunk.toString('latin1');
    while (!gone) {
      steps++;
      if (announced !== undefined) {
        if (unread.length < announced) {
          if (chance('body') < faults / 10) leave();
          return;
        }
        unread = unread.slice(announced);
        announced = undefined;
        witness.chunks += 1;
        if (recipients > 0) onDot();
        else refuse();
        mail = '';
        continue;
      }
      if (inBody) {
        const end = unread.startsWith('.\r\n') ? 0 : unread.indexOf('\r\n.\r\n') + 2;
        if (end === 1) {
          if (chance('body') < faults / 10) leave();
          return;
        }
        unread = unread.slice(end + 3);
        inBody = false;
        onDot();
        mail = '';
        continue;
      }
      const end = unread.indexOf('\r\n');
      if (end < 0) return;
      const command = unread.slice(0, end);
      unread = unread.slice(end + 2);
      onCommand(command);
    }
  });
}

const LIMITS = {
  ...{ greetingMs: PATIENCE_MS, ehloMs: PATIENCE_MS, envelopeMs: PATIENCE_MS },
  ...{ bodyMs: PATIENCE_MS, replyMs: PATIENCE_MS },
};
const SENDERS = 30;
const CONNECTIONS = 20;
const SMALL = Buffer.from(`Subject: small\r\n\r\n${'words and words\r\n.dot\r\n'.repeat(20)}`);
const LARGE = Buffer.from(`Subject: large\r\n\r\n${`${'z'.repeat(70)}\r\n`.repeat(2_000)}`);

/** Forgives this server everything: it is to have mails written behind each other for as long as the run takes. */
class Forgiving extends PeerHabits {
  override misfit(): void {
    // Another would be given one mail at a time from here on.
  }
}

/** Twenty connections, more senders than they can take at once, a gate that answers in groups and refuses 2 %. */
export async function chaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { seed, mails, mailsInFlight, connect } = options;
  const roll = dice(seed);
  const witness = new Witness();
  let connections = 0;
  const server = createServer((peer) => chaoticPeer(peer, ++connections, roll, options, witness));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  let gatesRefused = 0;
  let asking: (() => void)[] = [];
  const groups = setInterval(() => {
    const group = asking;
    asking = [];
    for (const answer of group) answer();
  }, 2);
  const pending = new Set<string>();
  const gateOf = (mail: string) => () =>
    new Promise<boolean>((resolve) => {
      pending.add(mail);
      asking.push(() => {
        pending.delete(mail);
        const passes = roll(mail, 'gate') >= 0.02;
        if (passes) witness.passed.add(mail);
        else gatesRefused++;
        resolve(passes);
      });
    });

  const pool = new SmtpPool({
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      tls: 'none',
      name: 'chaos.example.test',
      hosts: { allowPrivate: true },
      // This server may do anything but fall silent: a limit that passes would be the machine's doing.
      limits: LIMITS,
    },
    maxConnections: CONNECTIONS,
    maxMailsPerConnection: 40,
    deadlines: new Deadlines(20),
    habits: new Forgiving(),
    ...(connect ? { connect } : {}),
    ...(mailsInFlight !== undefined && { mailsInFlight }),
  });
  const wrong: string[] = [];
  const verdicts = new Map<string, Transmission>();
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < mails) {
      const mail = `m${next++}`;
      const to = roll(mail, 'to') < 0.1 ? [1, 2, 3].map((i) => `r${i}@example.org`) : ['r@example.org'];
      const envelope = { from: `${mail}@example.org`, to, partial: to.length > 1 ? 'any' : 'all' } as const;
      const body = roll(mail, 'size') < 0.01 ? LARGE : SMALL;
      verdicts.set(mail, await pool.send(envelope, body, gateOf(mail)));
      if (pending.has(mail)) wrong.push(`${mail} was reported while its gate was still being asked`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS * (mailsInFlight ?? 1) }, sender));
  await pool.drain();
  clearInterval(groups);
  // Once the last client has gone the server has seen every byte.
  await new Promise((resolve) => server.close(resolve));

  const left = { yes: 0, no: 0, unknown: 0 };
  wrong.push(...witness.ungated.map((mail) => `${mail} got a dot before its gate passed`));
  for (const [mail, transmission] of verdicts) {
    left[transmission.left]++;
    const objection = witness.objection(mail, transmission);
    if (objection !== undefined) wrong.push(objection);
  }
  return { left, wrong, connections, gatesRefused, chunks: witness.chunks };
}
