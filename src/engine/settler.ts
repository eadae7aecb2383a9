import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../core/lifecycle.js';
import { fingerprintOf } from '../core/fingerprint.js';
import { consequencesOf, type Outcome } from '../core/outcome.js';
import type { SendReport } from '../core/report.js';
import { isOutage } from '../errors.js';
import type { Logger } from '../log.js';
import { coolAccount, forgetCooldowns, pauseAccount } from '../store/scripts/accounts.js';
import { noteDeadCause } from '../store/scripts/dead-groups.js';
import { resolveLate } from '../store/scripts/moves.js';
import { noteSoftBounce, suppress } from '../store/scripts/suppressions.js';
import type { Script } from '../store/script.js';
import type { ClaimedMessage, SettleEntry, Store } from '../store/store.js';
import type { Counters } from './counters.js';
import { GroupWriter } from './group-writer.js';
import type { Sender } from './senders.js';

/** An outcome on its way into the store, with all that its consequences need. */
export interface Settled {
  readonly entry: SettleEntry;
  readonly outcome: Outcome;
  readonly report?: SendReport | undefined;
  readonly message: ClaimedMessage;
  readonly sender: Sender;
  /** How long the try took, by this process's steady clock; undefined if there was none of ours. */
  readonly seconds?: number | undefined;
}

const RETRY_MS = 250;
/** A success that means nothing for anybody else: nearly all of them, so it takes no detour. */
const isPlain = ({ report, sender }: Settled): boolean =>
  report?.status === 'sent' && report.refused === undefined && sender.cooldowns === 0;

/** A late reply may come while a successor is still deciding about the doubt it resolves. */
const LATE_TRIES = 20;

/** Writes outcomes: consequences first, so that a crash in between can only repeat them, then the settlement. */
export class Settler {
  readonly #writer: GroupWriter<SettleEntry, boolean>;
  #abandoned = false;

  constructor(
    private readonly store: Store,
    private readonly counters: Counters,
    private readonly log: Logger,
  ) {
    this.#writer = new GroupWriter((entries) => this.#persist(entries));
  }

  async settle(settled: Settled): Promise<void> {
    const entry = isPlain(settled) ? settled.entry : await this.#withConsequences(settled);
    const ours = await this.#writer.write(entry);
    if (!ours) return this.#tooLate(settled);
    this.counters.settled(settled);
  }

  /** The process is about to end: stop insisting on a store that does not answer. Leases run out by themselves. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Results are facts: they are kept until the store takes them, whatever it takes. */
  async #persist(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    while (!this.#abandoned) {
      try {
        return await this.store.settle(entries);
      } catch (error) {
        if (!isOutage(error)) return this.#persistApart(entries, error);
        this.log.warn({ err: error, results: entries.length }, 'could not store results; trying again');
      }
      await sleep(RETRY_MS);
    }
    return entries.map(() => false);
  }

  /** One result that the store will never take must not keep the others: its lease runs out, and that is told. */
  async #persistApart(entries: readonly SettleEntry[], error: unknown): Promise<readonly boolean[]> {
    const [only, ...others] = entries;
    if (only && others.length === 0) {
      this.log.error({ err: error, message: only.id }, 'a result cannot be stored; its lease will run out');
      return [false];
    }
    const settled: boolean[] = [];
    for (const entry of entries) settled.push(...(await this.#persist([entry])));
    return settled;
  }

  async #withConsequences(settled: Settled): Promise<SettleEntry> {
    const { entry, report, outcome } = settled;
    if (report?.status === 'sent') await this.#forgetCooldowns(settled.sender);
    if (report) await this.#applyConsequences(settled, report);
    const error = outcome.error;
    if (finalState(outcome.event) !== 'dead' || !error) return entry;
    const transport = settled.sender.transport.kind;
    const fingerprint = fingerprintOf({
      transport,
      class: error.class,
      code: error.code,
      message: error.message,
    });
    const cause = {
      workspaceId: entry.workspaceId,
      fingerprint,
      transport,
      class: error.class,
      code: error.code,
    };
    await this.#insist(() => noteDeadCause(this.store, { ...cause, sample: error.message }));
    return { ...entry, fingerprint };
  }

  async #forgetCooldowns(sender: Sender): Promise<void> {
    if (sender.cooldowns === 0) return;
    sender.cooldowns = 0;
    await this.#insist(() => forgetCooldowns(this.store, sender.accountId));
  }

  async #applyConsequences({ entry, message, sender }: Settled, report: SendReport): Promise<void> {
    const {
      pauseAccount: pause,
      coolAccount: cool,
      suppress: addresses,
      softBounces,
    } = consequencesOf(report, message.recipient);
    if (!pause && !cool && !addresses && !softBounces) return;
    // What this worker has claimed before goes back untried: it would only be told the same.
    if (pause || cool) sender.blockedTick = performance.now();
    const now = await this.#persistently(() => this.store.now());
    if (now === undefined) return;
    const { workspaceId } = entry;
    const { accountId } = sender;
    if (pause) {
      await this.#insist(() => pauseAccount(this.store, accountId, pause.reason, now));
      this.log.error({ accountId, reason: pause.reason }, 'paused an account; its mail waits for a person');
    }
    if (cool) {
      await this.#insist(() => coolAccount(this.store, accountId, cool.reason, now, cool.retryAfterSeconds));
      sender.cooldowns += 1;
    }
    for (const address of addresses ?? []) {
      await this.#insist(() => suppress(this.store, workspaceId, address, 'hard_bounce', now));
    }
    for (const address of softBounces ?? []) {
      await this.#insist(() => noteSoftBounce(this.store, workspaceId, address, message.id, now));
    }
  }

  /** Our lease was lost. A definite reply still resolves the doubt that it left behind. */
  async #tooLate({ entry, report }: Settled): Promise<void> {
    this.counters.leaseLost(1);
    if (!report || report.status === 'in_doubt') return;
    for (let tries = 0; tries < LATE_TRIES && !this.#abandoned; tries += 1) {
      const now = await this.store.now().catch(() => undefined);
      const resolved =
        now !== undefined &&
        (await this.store
          .transaction(resolveLate(this.store, entry.id, entry.lease, report.status === 'sent', now))
          .catch(() => false));
      if (resolved) return;
      await sleep(RETRY_MS);
    }
  }

  async #insist(script: () => Script<unknown>): Promise<void> {
    await this.#persistently(() => this.store.transaction(script()));
  }

  async #persistently<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (!this.#abandoned) {
      try {
        return await work();
      } catch (error) {
        this.log.warn({ err: error }, 'could not store what an error means; trying again');
      }
      await sleep(RETRY_MS);
    }
    return undefined;
  }
}
