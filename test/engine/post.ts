import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPillarbox,
  type MailInput,
  type Message,
  type Pillarbox,
  type PillarboxOptions,
  type State,
} from 'pillarbox';
import { parseId } from '#pillarbox/core/ids';
import { isOutage } from '#pillarbox/core/errors';
import { Carrier } from './carrier.js';
import { PATIENCE_MS } from '../patience.js';
import { Signal } from './signal.js';

export const aMail = (over: Partial<MailInput> = {}): MailInput => ({
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'See you on Monday.',
  ...over,
});

/** A virtual clock that runs ten minutes a second: a back-off of a minute passes in a tenth of a second. */
export const FAST = { clock: '2031-03-03T09:00:00Z*600' };

/** A virtual clock that starts at this instant and runs as clocks do. */
export const clockAt = (instant: number) => ({ clock: `${new Date(instant).toISOString()}*1` });

/** A Pillarbox and its carrier. Tells when a message was settled, so that no test has to guess how long that takes. */
export class Post {
  readonly #signal: Signal;
  readonly #settled: ReadonlyMap<number, number>;

  private constructor(
    readonly box: Pillarbox,
    readonly carrier: Carrier,
    settled: { readonly times: ReadonlyMap<number, number>; readonly signal: Signal },
  ) {
    this.#signal = settled.signal;
    this.#settled = settled.times;
  }

  static async open(
    place: Pick<PillarboxOptions, 'databaseUrl'>,
    carrier = new Carrier(),
    options: Partial<PillarboxOptions> = {},
  ): Promise<Post> {
    const times = new Map<number, number>();
    const signal = new Signal();
    const box = await createPillarbox({
      ...place,
      from: 'box@example.org',
      transport: carrier,
      // Not the machine's speed decides whether a caller has his answer.
      inlineSeconds: 30,
      graceSeconds: 1,
      probe: (point, number) => {
        if (point !== 'settled') return;
        times.set(number, (times.get(number) ?? 0) + 1);
        signal.tell();
      },
      ...options,
    });
    return new Post(box, carrier, { times, signal });
  }

  /** Puts one mail into the queue and answers its id. */
  async put(over: Partial<MailInput> = {}): Promise<string> {
    return (await this.box.outbox.enqueue(aMail(over))).id;
  }

  /** Many at once, to people who get no other. */
  async putMany(count: number, over: Partial<MailInput> = {}): Promise<readonly string[]> {
    const mails = Array.from({ length: count }, (_, n) => aMail({ to: `r${n}@example.org`, ...over }));
    return (await this.box.outbox.enqueueMany(mails)).ids.map((id) => id!);
  }

  get(id: string): Promise<Message> {
    return this.box.messages.get(id);
  }

  /** The message, once this worker has settled it so many times. */
  async settled(id: string, times = 1): Promise<Message> {
    await this.#signal.until(`settlement ${times} of ${id}`, () => this.#timesSettled(id) >= times);
    return this.get(id);
  }

  /** The message, once it is in this state by whatever hand. */
  async becomes(state: State, id: string): Promise<Message> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      // A test that takes the database away may find it still away.
      const message = await this.get(id).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
      });
      if (message?.state === state) return message;
      if (performance.now() > deadline)
        throw new Error(`${id} is ${String(message?.state)} and not ${state}`);
      await sleep(10);
    }
  }

  allSettled(ids: readonly string[]): Promise<void> {
    return this.#signal.until('all settlements', () => ids.every((id) => this.#timesSettled(id) > 0));
  }

  #timesSettled(id: string): number {
    return this.#settled.get(parseId('message', id)!) ?? 0;
  }
}
