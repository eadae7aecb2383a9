import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { expect, vi } from 'vitest';
import type { State } from '#pillarbox/core/lifecycle';
import { PATIENCE_MS } from '../patience.js';
import { ScriptedServer } from '../smtp/scripted-server.js';
import type { Stage } from './stage.js';

/** The tag in the address by which the catcher knows what to do; see docs/catcher.md. */
const FATES = {
  sent: { tag: '', ends: 'sent' },
  dead: { tag: '+550', ends: 'dead' },
  retrying: { tag: '+451', ends: 'retry_scheduled' },
  held: { tag: '+drop', ends: 'held' },
  waiting: { tag: '', ends: 'scheduled' },
} as const satisfies Record<string, { readonly tag: string; readonly ends: State }>;

export type Fate = keyof typeof FATES;

/** A mail of that fate, once it has met it. Answers its id. */
export async function aMailThatIs(
  fate: Fate,
  stage: Stage,
  { name = 'ada', ...over }: { readonly name?: string } & Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { tag, ends } = FATES[fate];
  const { id } = await stage.call('POST', '/api/outbox', {
    to: `${name}${tag}@example.org`,
    subject: `Booked and ${fate}`,
    text: 'See you on Monday.',
    onDoubt: 'hold',
    ...(fate === 'waiting' && { mode: 'queue', sendAt: new Date(Date.now() + 3_600_000).toISOString() }),
    ...over,
  });
  await untilIs(ends, String(id), stage);
  return String(id);
}

/** Works where a house is furnished, too: what polls for a test works in tests only. */
export async function untilIs(state: State, id: string, stage: Stage): Promise<void> {
  const look = async () =>
    expect((await stage.call('GET', `/api/messages/${id}`))['state'], `of ${id}`).toBe(state);
  await vi.waitFor(look, { interval: 50, timeout: PATIENCE_MS });
}

/** An account whose server refuses everything for one cause, until somebody sets that server right. */
export class BrokenAccount {
  readonly #peers = new Set<Socket>();
  #repaired = false;

  private constructor(
    private readonly stage: Stage,
    private readonly refusing: ScriptedServer,
    private readonly door: Server,
    readonly id: string,
  ) {
    door.on('connection', (peer) => this.#lead(peer));
  }

  static async open(stage: Stage, reply = '554 5.7.1 relaying denied'): Promise<BrokenAccount> {
    const refusing = await ScriptedServer.start({ rcpt: `${reply}\r\n` });
    const door = createServer().listen(0, '127.0.0.1');
    await once(door, 'listening');
    const url = `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`;
    const name = `bookings at ${new URL(url).port}`;
    const account = { name, emailAddress: 'bookings@example.org', transport: { kind: 'smtp', url } };
    const { id } = await stage.call('POST', '/api/accounts', account);
    return new BrokenAccount(stage, refusing, door, String(id));
  }

  /** A dead mail that a retry can save once the server is repaired. */
  deadMail(over: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return aMailThatIs('dead', this.stage, { to: 'ada@example.org', accountId: this.id, ...over });
  }

  /** From now on it takes everything, into the development inbox. */
  repair(): void {
    this.#repaired = true;
    this.#hangUp();
  }

  async close(): Promise<void> {
    this.door.close();
    this.#hangUp();
    await this.refusing.close();
  }

  #lead(peer: Socket): void {
    const port = this.#repaired ? Number(new URL(this.stage.catcherUrl).port) : this.refusing.port;
    const beyond = connect(port, '127.0.0.1');
    pipeline(peer, beyond, peer, () => this.#peers.delete(peer));
    this.#peers.add(peer);
  }

  #hangUp(): void {
    for (const peer of this.#peers) peer.destroy();
  }
}
