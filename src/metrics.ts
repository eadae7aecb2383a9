import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from './engine/counters.js';
import type { Settled } from './engine/settler.js';
import { queueFigures, type QueueFigures } from './store/scripts/queue-figures.js';
import type { Store } from './store/store.js';

const FIGURES_KEPT_MS = 2_000;
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3_600, 14_400];

/**
 * What this process has done, counted as it happens, and what is in the queue, asked when somebody looks. Labels
 * are words of ours: no address, subject or reply of a stranger ever becomes one.
 */
export class Metrics implements Observer {
  readonly registry = new Registry();
  readonly #messages = this.#gauge('messages', 'Messages by state and lane', ['state', 'lane']);
  readonly #due = this.#gauge('due_messages', 'Messages that could leave now');
  readonly #dueRetries = this.#gauge('due_retries', 'Those of them that have failed before');
  readonly #workers = this.#gauge('workers', 'Workers and relays that are alive');
  readonly #requeued = this.#counter('requeued_total', 'Retries that came due and were taken up again');
  readonly #sent = this.#counter('sent_total', 'Mails that a transport took', ['lane', 'transport']);
  readonly #attempts = this.#counter('attempts_total', 'Tries by how they ended', ['outcome', 'class']);
  readonly #dead = this.#counter('dead_total', 'Messages given up', ['reason']);
  readonly #rescheduled = this.#counter('rescheduled_total', 'Messages that went back untried', ['reason']);
  readonly #leaseLost = this.#counter('lease_lost_total', 'Results that came after their lease was lost');
  readonly #attemptSeconds = this.#histogram('attempt_seconds', 'How long tries took', LONG_SECONDS);
  readonly #claimSeconds = this.#histogram('claim_seconds', 'How long claims took', SHORT_SECONDS);
  readonly #queueDelay = this.#histogram(
    'queue_delay_seconds',
    'From the time a message was meant to leave to its first try',
    LONG_SECONDS,
  );
  #figures: Promise<QueueFigures> | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  claimed(_count: number, seconds: number): void {
    this.#claimSeconds.observe(seconds);
  }

  settled({ entry, outcome, message, sender, seconds }: Settled): void {
    const { event, attempt, error } = outcome;
    if (message.datedAt !== null) this.#requeued.inc();
    if (attempt) {
      this.#attempts.inc({ outcome: attempt, class: error?.class ?? 'none' });
      if (seconds !== undefined) this.#attemptSeconds.observe(seconds);
    }
    const startedAt = entry.attempt?.startedAt;
    if (typeof startedAt === 'number' && message.datedAt === null) {
      this.#queueDelay.observe(Math.max(0, (startedAt - message.scheduledFor) / 1_000));
    }
    if (event === 'accepted') this.#sent.inc({ lane: message.lane, transport: sender.transport.kind });
    if (event === 'rejected' || event === 'exhausted' || event === 'poisoned') {
      this.#dead.inc({ reason: outcome.reason ?? 'unknown' });
    }
    if (event === 'released') this.#rescheduled.inc({ reason: error?.class ?? 'not_let' });
  }

  leaseLost(count: number): void {
    this.#leaseLost.inc(count);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Without the queue's figures while the database is away: what this process knows itself is told anyway. */
  async text(store: Store, patienceMs: number): Promise<string> {
    const impatience = sleep(patienceMs, undefined, { ref: false });
    const figures = await Promise.race([this.#askFigures(store).catch(() => undefined), impatience]);
    this.#messages.reset();
    for (const { state, lane, n } of figures?.messages ?? []) this.#messages.set({ state, lane }, n);
    // Unknown is not none.
    this.#due.set(figures?.due ?? NaN);
    this.#dueRetries.set(figures?.dueRetries ?? NaN);
    this.#workers.set(figures?.workers ?? NaN);
    return this.registry.metrics();
  }

  /** One question at a time, and its answer is kept for a while: looking often must not cost often. */
  #askFigures(store: Store): Promise<QueueFigures> {
    this.#figures ??= (async () => {
      try {
        return await store.read(queueFigures(store, await store.now()));
      } finally {
        setTimeout(() => (this.#figures = undefined), FIGURES_KEPT_MS).unref();
      }
    })();
    return this.#figures;
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name: `pillarbox_${name}`, help, labelNames, registers: [this.registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `pillarbox_${name}`, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name: `pillarbox_${name}`, help, buckets, registers: [this.registry] });
  }
}
