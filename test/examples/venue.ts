import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Rule } from '#pillarbox/catcher/behaviour';
import { startCatcher, type Catcher } from '#pillarbox/catcher/catcher';
import { Inbox } from '#pillarbox/catcher/inbox';
import { parseId } from '#pillarbox/core/ids';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import type { Store } from '#pillarbox/store/store';
import { createPillarbox, type Message, type Pillarbox, type PillarboxOptions } from 'pillarbox';
import { buildBookingApp, type BookingOptions } from '../../examples/booking/app.js';
import { Signal } from '../engine/signal.js';

export const HOST = { name: 'Grace Hopper', email: 'grace@example.org' };
export const POSTS = ['inline', 'transaction'] as const;

export const aWish = (over: object = {}) => ({
  guest: { name: 'Ada Lovelace', email: 'ada@example.org' },
  title: 'First talk',
  startsAt: '2040-12-03T09:00:00Z',
  minutes: 30,
  ...over,
});

interface ShownBooking {
  readonly id: string;
  readonly sequence: number;
  readonly startsAt: string;
  readonly cancelledAt: string | null;
}

export interface Answer {
  readonly status: number;
  readonly booking: ShownBooking;
}

/** A mail as it came over the wire, and what a calendar would read in it. */
export interface Arrived {
  readonly recipients: readonly string[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly raw: string;
  readonly event: Readonly<Record<string, string>>;
}

type Options = Partial<Pick<BookingOptions, 'post'>> & Pick<PillarboxOptions, 'clock' | 'smtpUrl'>;

/** The booking example with its worker, and a mail server that can be switched off and on. */
export class Venue {
  readonly #inbox: Inbox;
  #catcher: Catcher | undefined;

  private constructor(
    readonly box: Pillarbox,
    readonly app: FastifyInstance,
    private readonly far: {
      readonly store: Store;
      readonly port: number;
      readonly caught: string[];
      readonly settled: Map<number, number>;
      readonly signal: Signal;
    },
    private readonly directory: string,
  ) {
    this.#inbox = new Inbox(far.store);
  }

  static async open({ post = 'inline', clock, smtpUrl }: Options = {}): Promise<Venue> {
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-venue-'));
    const signal = new Signal();
    const settled = new Map<number, number>();
    const caught: string[] = [];
    const databasePath = join(directory, 'booking.db');
    const store = await openStore({
      databaseUrl: `sqlite:${join(directory, 'caught.db')}`,
      leaseMs: 60_000,
      log: silent,
    });
    const reserved = await startCatcher({ store, port: 0, log: silent });
    const { port, url } = reserved;
    await reserved.close();
    const box = await createPillarbox({
      databaseUrl: `sqlite:${databasePath}`,
      smtpUrl: smtpUrl ?? url,
      from: 'Bookings <bookings@example.org>',
      clock,
      graceSeconds: 1,
      // A guest who had to wait for a try of his mail would never have his answer in time.
      inlineSeconds: 3_600,
      probe: (point, number) => {
        if (point !== 'settled') return;
        settled.set(number, (settled.get(number) ?? 0) + 1);
        signal.tell();
      },
    });
    const app = buildBookingApp({ box, databasePath, host: HOST, post, log: silent });
    await box.start();
    return new Venue(box, app, { store, port, caught, settled, signal }, directory);
  }

  /** It answers from now on; with rules, not always well. */
  async mailServerUp(...rules: readonly Rule[]): Promise<void> {
    const { store, port, caught, signal } = this.far;
    this.#catcher ??= await startCatcher({
      store,
      port,
      log: silent,
      onCaught: ({ id }) => {
        caught.push(id);
        signal.tell();
      },
    });
    this.#catcher.behave(...rules);
  }

  book(over: object = {}): Promise<Answer> {
    return this.#post('/bookings', aWish(over));
  }

  cancel(id: string): Promise<Answer> {
    return this.#post(`/bookings/${id}/cancel`);
  }

  async #post(url: string, payload?: object): Promise<Answer> {
    const reply = await this.app.inject({ method: 'POST', url, ...(payload && { payload }) });
    return { status: reply.statusCode, booking: reply.json<ShownBooking>() };
  }

  /** All that is in the outbox or has been, oldest first. */
  async messages(): Promise<readonly Message[]> {
    return [...(await this.box.messages.list()).items].reverse();
  }

  /** The messages, once there are so many and each has been settled so often. */
  async settled(count: number, times = 1): Promise<readonly Message[]> {
    const { signal, settled } = this.far;
    const ready = () => [...settled.values()].filter((each) => each >= times).length >= count;
    await signal.until(`${count} messages settled ${times} times`, ready);
    return this.messages();
  }

  async settledAgain(id: string, act: () => Promise<void>): Promise<void> {
    const { signal, settled } = this.far;
    const number = parseId('message', id)!;
    const before = settled.get(number) ?? 0;
    await act();
    await signal.until(`a settlement of ${id}`, () => (settled.get(number) ?? 0) > before);
  }

  /** What the mail server took, once it is so many, in the order of the versions of the event. */
  async arrived(count: number): Promise<readonly Arrived[]> {
    const { caught, signal } = this.far;
    await signal.until(`${count} mails`, () => caught.length >= count);
    const mails = await Promise.all(caught.map((id) => this.#read(id)));
    return mails.sort((a, b) => Number(a.event['SEQUENCE']) - Number(b.event['SEQUENCE']));
  }

  async #read(id: string): Promise<Arrived> {
    const { recipients, headers, raw, calendar } = await this.#inbox.read(id);
    const lines = calendar!.content.replace(/\r?\n /g, '').split(/\r?\n/);
    const event = Object.fromEntries(
      lines.filter((line) => line.includes(':')).map((line) => line.split(/[;:](.*)/s).slice(0, 2)),
    ) as Record<string, string>;
    return { recipients, headers, raw: raw.toString('latin1'), event };
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.box.stop();
    await this.#catcher?.close();
    await this.far.store.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
