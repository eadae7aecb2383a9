import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log/log.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { countMessages } from './count-messages.js';
import type { SenderName } from './letters/house.js';
import { postingsOf, SLOT_MS } from './postings.js';
import type { Provider } from './provider.js';
import { tellNotice } from './notices.js';
import { post } from './tell.js';

export interface TrafficOptions {
  readonly box: Pillarbox;
  readonly provider: Provider;
  readonly bornAt: number;
  readonly accounts: Readonly<Record<SenderName, string>>;
  readonly log: Logger;
}

/** With a fast virtual clock a stretch would be over in no time. */
const SHORTEST_WAIT_MS = 500;
/** Some hours of it: nobody watches for longer, and a database that is left alone must not grow for ever. */
const MOST_MAILS_A_RUN = 2_000;
const MOST_MAILS_IN_ALL = 5_000;

/**
 * The house goes on posting while the service runs, a mail every few seconds. What is posted when is fixed by the
 * birth of the demo and has a key: two processes that do so post it once.
 */
export class Traffic {
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #posted = 0;

  constructor(private readonly options: TrafficOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** When it resolves, nothing more is posted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.options;
    const { signal } = this.#stopping;
    let last = -Infinity;
    while (!signal.aborted) {
      let waitMs = SLOT_MS;
      try {
        last = await this.#tick(last);
        waitMs = await this.#untilNextSlot();
      } catch (error) {
        // A database that is away comes back.
        log.debug({ err: error }, 'the demo could not post anything');
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #tick(last: number): Promise<number> {
    const { box, provider, bornAt } = this.options;
    const age = (await box.now()) - bornAt;
    const slot = Math.floor(age / SLOT_MS);
    if (slot <= last) return last;
    // Also when nothing more is posted: what waits is tried again, and must find it recovered.
    provider.behaveAsAt(age);
    if (!(await this.#isEnough())) await this.#post(slot);
    return slot;
  }

  async #post(slot: number): Promise<void> {
    const { box, bornAt, accounts, log } = this.options;
    for (const posting of postingsOf(slot, bornAt)) {
      if (this.#stopping.signal.aborted) return;
      this.#posted += 1;
      // An account that a person has removed posts nothing more; the others do.
      await post(box, accounts, posting).catch((error: unknown) => {
        log.debug({ err: error, key: posting.key }, 'the demo could not post a mail');
      });
    }
    await tellNotice(box, slot, bornAt);
  }

  async #isEnough(): Promise<boolean> {
    if (this.#posted >= MOST_MAILS_A_RUN) return true;
    return (await countMessages(this.options.box)).messages >= MOST_MAILS_IN_ALL;
  }

  async #untilNextSlot(): Promise<number> {
    const { box, bornAt } = this.options;
    const left = SLOT_MS - (((await box.now()) - bornAt) % SLOT_MS);
    return Math.max(SHORTEST_WAIT_MS, left / box.store.speed);
  }
}
