import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, test } from 'vitest';
import { createPillarbox } from '#pillarbox/library/pillarbox';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';

const BACKLOG = 5_000;
const HOUR_MS = 3_600_000;
/** What one account has unless it says otherwise, times the slots of one worker at most. */
const CONNECTIONS = 20;
const PATIENT = { timeout: 7 * PATIENCE_MS };
const WAIT = { timeout: 2 * PATIENCE_MS, interval: 100 };

/** A mail server behind a door that can be shut: then whoever comes is cut off at once. */
class Door {
  isOpen = false;
  refused = 0;
  mostAtOnce = 0;
  readonly taken: string[] = [];
  #atOnce = 0;
  readonly #server: SMTPServer;
  readonly #door: Server;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, session, answer) => {
        stream.resume().on('end', () => {
          this.taken.push(...session.envelope.rcptTo.map(({ address }) => address));
          answer();
        });
      },
    });
    this.#server.on('error', () => undefined);
    // Between small answers the kernel would wait 40 ms for an acknowledgement, mail by mail.
    this.#server.server.on('connection', (inside: Socket) => inside.setNoDelay());
    this.#door = createServer({ noDelay: true }, (caller) => {
      if (!this.isOpen) {
        this.refused += 1;
        caller.resetAndDestroy();
        return;
      }
      this.#atOnce += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
      const { port } = this.#server.server.address() as AddressInfo;
      const inside = connect({ port, host: '127.0.0.1', noDelay: true });
      caller.on('error', () => inside.destroy()).pipe(inside);
      inside.on('error', () => caller.destroy()).pipe(caller);
      caller.once('close', () => {
        this.#atOnce -= 1;
        inside.destroy();
      });
    });
  }

  static async build(): Promise<Door> {
    const door = new Door();
    await new Promise<void>((resolve) => door.#server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => door.#door.listen(0, '127.0.0.1', resolve));
    return door;
  }

  get url(): string {
    const { port } = this.#door.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
    await new Promise((resolve) => this.#door.close(resolve));
  }
}

describe.concurrent.each(databases)(
  'a mail server that is away for an hour, on $name',
  PATIENT,
  ({ ready }) => {
    test('is asked now and then, and when it is back gets the backlog of 5,000 over a few connections, each mail once [F17]', async ({
      expect,
    }) => {
      const database = await ready();
      const door = await Door.build();
      const box = await createPillarbox({
        ...{ databaseUrl: database.url, from: 'box@example.org', smtpUrl: door.url },
        // An hour passes in six seconds; what is paced for the server's sake goes by real time.
        clock: '2026-11-16T08:00:00Z*600',
      });
      try {
        const mails = Array.from({ length: BACKLOG }, (_, n) => ({
          ...{
            to: `r${n}@example.org`,
            subject: 'Hello',
            text: 'Hello.',
            retryPolicy: 'dispatcher' as const,
          },
        }));
        const { accepted } = await box.outbox.enqueueMany(mails);
        expect(accepted).toBe(BACKLOG);
        const since = await box.now();
        await box.start();
        await expect.poll(async () => (await box.now()) - since, WAIT).toBeGreaterThan(HOUR_MS);
        expect(door.taken).toEqual([]);
        expect(door.refused).toBeGreaterThan(0);
        const { refused } = door;
        door.isOpen = true;
        // On a busy machine it is seen late that the hour is over.
        const hours = Math.ceil(((await box.now()) - since) / HOUR_MS);
        // Far fewer than there are mails: nobody knocks for each of them.
        expect(refused).toBeLessThan((hours * BACKLOG) / 20);

        await expect.poll(() => new Set(door.taken).size, WAIT).toBe(BACKLOG);
        await expect.poll(async () => (await box.messages.countByState()).sent, WAIT).toBe(BACKLOG);
        expect(door.taken).toHaveLength(BACKLOG);
        expect(door.mostAtOnce).toBeLessThanOrEqual(CONNECTIONS);
        const { items } = await box.messages.list({ limit: 200 });
        expect(Math.max(...items.map(({ attempts }) => attempts))).toBeLessThan(8 * hours);
      } finally {
        await box.stop();
        await door.close();
        await database.drop();
      }
    });
  },
);
