import { OutageLog, type Logger } from '../log/log.js';
import { resolveLate, type LateReply, type LateVerdict } from '../store/scripts/late-replies.js';
import type { Store } from '../store/store.js';
import { PatientWriter } from './patient-writer.js';
import { Pauses, pauseAfter } from './pauses.js';

/** How much longer than a lease a successor may take to decide about the doubt that a late reply resolves. */
const PATIENCE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 10_000;
/** More than any process has in flight. */
const MOST_AT_ONCE = 10_000;
const LARGEST_GROUP = 100;

/**
 * Definite replies that came after their lease was lost. Each resolves the doubt that it left behind, also one that
 * stands only later: a successor may still be deciding. Nobody waits for them; they are tried until they are
 * resolved, or nothing is left that they could resolve. Time without a database does not count.
 */
export class LateReplies {
  readonly #writer: PatientWriter<LateReply, LateVerdict>;
  readonly #pauses = new Pauses();
  readonly #underWay = new Set<Promise<void>>();

  constructor(
    store: Store,
    insistence: Pauses,
    private readonly leaseMs: number,
    private readonly log: Logger,
  ) {
    const outage = new OutageLog(
      log,
      'could not store late replies; trying again',
      'late replies can be stored again',
    );
    const write = async (replies: readonly LateReply[]) => {
      const now = await store.now();
      return store.transaction(() => resolveLate(store, replies, now));
    };
    this.#writer = new PatientWriter(write, insistence, outage, { largest: LARGEST_GROUP });
  }

  take(reply: LateReply): void {
    if (this.#underWay.size >= MOST_AT_ONCE) {
      this.log.error({ message: reply.id }, 'too many late replies; a doubt is left to a person');
      return;
    }
    const work = this.#resolve(reply).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** One more try for each, and no more after that. */
  async lastTries(): Promise<void> {
    this.#pauses.end();
    await Promise.all(this.#underWay);
  }

  async #resolve(reply: LateReply): Promise<void> {
    let patienceMs = this.leaseMs + PATIENCE_MS;
    for (let tries = 0; ; tries += 1) {
      const last = this.#pauses.over;
      let verdict: LateVerdict | undefined;
      try {
        verdict = await this.#writer.write(reply);
      } catch (error) {
        this.log.error({ err: error, message: reply.id }, 'a late reply cannot be stored; given up');
        return;
      }
      if (verdict !== 'not_yet' || last) return;
      const pauseMs = pauseAfter(tries, LONGEST_PAUSE_MS);
      patienceMs -= pauseMs;
      if (patienceMs < 0) {
        this.log.warn({ message: reply.id }, 'a late reply found no doubt to resolve in time; given up');
        return;
      }
      await this.#pauses.take(pauseMs);
    }
  }
}
