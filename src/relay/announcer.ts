import { QUEUES, writeDeath } from '../core/dispatch-message.js';
import { formatId } from '../core/ids.js';
import type { Publisher } from '../broker/publisher.js';
import { OutageLog, type Logger } from '../log/log.js';
import {
  forgetAnnouncements,
  putAnnouncementsBack,
  takeAnnouncements,
  type Announcement,
} from '../store/scripts/announcements.js';
import type { Store } from '../store/store.js';
import type { Probe } from './fault-points.js';

const AT_ONCE = 200;
/** So long one that died with them in hand keeps them from the others. */
const HOLD_MS = 30_000;
const EVERY_MS = 500;

/**
 * Tells the broker of dead letters: those that the settlements have written down, in their order, each until the broker
 * has confirmed it. A relay that dies in between has told some twice, under the same message id.
 */
export class Announcer {
  readonly #troubles: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #running = true;

  constructor(
    private readonly store: Store,
    private readonly publisher: Publisher,
    log: Logger,
    private readonly probe?: Probe,
    private readonly holdMs = HOLD_MS,
  ) {
    this.#troubles = new OutageLog(
      log,
      'could not announce dead letters; trying again',
      'dead letters are announced again',
    );
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.#tellAll().finally(() => (this.#round = undefined));
    }, EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#running = false;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #tellAll(): Promise<void> {
    try {
      while (this.#running && this.publisher.ready && (await this.#tellSome()));
      this.#troubles.worked();
    } catch (error) {
      this.#troubles.failed(error);
    }
  }

  /** True: there may be more. */
  async #tellSome(): Promise<boolean> {
    const { store, probe } = this;
    const taken = await store.transaction(() => takeAnnouncements(store, this.holdMs, AT_ONCE));
    if (taken.length === 0) return false;
    for (const { messageId } of taken) probe?.('announcement_taken', messageId);
    const told = await Promise.all(taken.map((each) => this.#tell(each)));
    const done = taken.filter((_, n) => told[n]);
    const left = taken.filter((_, n) => !told[n]).map(({ id }) => id);
    if (done.length > 0) await store.transaction(() => forgetAnnouncements(store, done));
    if (left.length > 0) await store.transaction(() => putAnnouncementsBack(store, left));
    return left.length === 0 && taken.length === AT_ONCE;
  }

  #tell(announcement: Announcement): Promise<boolean> {
    const publication = {
      queue: QUEUES.dead,
      body: Buffer.from(writeDeath(announcement)),
      messageId: `dead:${formatId('message', announcement.messageId)}`,
      persistent: true,
    };
    return new Promise((resolve) => {
      this.publisher.publish(publication, (failure) => {
        if (!failure) this.probe?.('announcement_confirmed', announcement.messageId);
        resolve(failure === undefined);
      });
    });
  }
}
