import { connect, type Socket } from 'node:net';
import { startCatcher, type Catcher } from '#pillarbox/catcher/catcher';
import { Inbox, type Caught } from '#pillarbox/catcher/inbox';
import type { Mail } from '#pillarbox/core/mail';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import type { Store } from '#pillarbox/store/store';
import { SmtpTransport } from '#pillarbox/transport/smtp/transport';
import type { Gate, Outgoing, SendReport } from 'pillarbox';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { FreshDatabase } from '../databases.js';

export const pass: Gate = () => Promise.resolve(true);

let number = 0;

export function outgoing(over: Partial<Mail> = {}): Outgoing {
  const id = `msg_${++number}`;
  const mail: Mail = {
    from: { email: 'box@example.org' },
    to: { email: 'ada@example.org' },
    subject: 'Hello',
    text: 'Hello.',
    ...over,
  };
  const messageId = `<${id}.abc@example.org>`;
  return { id, action: 'email', messageId, date: Date.UTC(2026, 10, 16, 14), dedupeKey: id, mail };
}

export const transportTo = (url: string, maxConnections?: number): SmtpTransport =>
  new SmtpTransport({ url, maxConnections, hosts: { allowPrivate: true } });

/** One mail on a connection of its own. */
export async function sendOnce(url: string, over: Partial<Mail> = {}): Promise<SendReport> {
  const transport = transportTo(url);
  try {
    return await transport.send(outgoing(over), pass);
  } finally {
    await transport.close();
  }
}

const ENVELOPE = 'EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<c@example.org>\r\nDATA\r\n';

/** Speaks SMTP by hand up to DATA, does with the connection as it is told, and answers all that the server said. */
export function byHand(port: number, go: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (heard === '') socket.write(ENVELOPE);
      heard += text;
      if (/^354/m.test(text)) go(socket);
    });
    socket.on('close', () => resolve(heard));
  });
}

/** A catcher with its database, shared by the tests of one describe; each leaves it as empty as it was. */
export class CatcherScene {
  readonly told: Caught[] = [];
  readonly inbox: Inbox;
  /** What the catcher draws next when a rule strikes only a share. */
  chance = 0;

  private constructor(
    readonly databaseUrl: string,
    readonly store: Store,
    readonly catcher: Catcher,
  ) {
    this.inbox = new Inbox(store);
  }

  static async open(databaseUrl: string): Promise<CatcherScene> {
    const store = await openStore({ databaseUrl, leaseMs: 60_000, log: silent });
    const catcher = await startCatcher({
      store,
      port: 0,
      log: silent,
      onCaught: (mail) => scene.told.push(mail),
      random: () => scene.chance,
    });
    const scene = new CatcherScene(databaseUrl, store, catcher);
    return scene;
  }

  get url(): string {
    return this.catcher.url;
  }

  /** Subjects in the inbox, newest first. */
  async subjects(): Promise<string[]> {
    return (await this.inbox.list({ limit: 100 })).items.map(({ subject }) => subject);
  }

  async tidy(): Promise<void> {
    this.catcher.behave();
    this.told.length = 0;
    await this.inbox.clear();
  }

  async close(): Promise<void> {
    await this.catcher.close();
    await this.store.close();
  }
}

/** For a `describe`: one for all of its tests, on a database of its own. */
export function useCatcher(make: () => Promise<FreshDatabase>): () => CatcherScene {
  let database: FreshDatabase;
  let scene: CatcherScene;
  beforeAll(async () => {
    database = await make();
    scene = await CatcherScene.open(database.url);
  });
  afterEach(() => scene.tidy());
  afterAll(async () => {
    await scene.close();
    await database.drop();
  });
  return () => scene;
}
