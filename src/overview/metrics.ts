import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../engine/counters.js';
import type { Verdict } from '../engine/intake.js';
import type { Result } from '../engine/result.js';
import type { PassedKind, RelayObserver } from '../relay/observer.js';
import { queueFigures, type QueueFigures } from '../store/scripts/queue-figures.js';
import type { Store } from '../store/store.js';

const FIGURES_KEPT_MS = 2_000;
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3_600, 14_400];

/** Gauges that prom-client names like counters, which Prometheus' own check complains of; each kind is there beside them. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/**
 * What this process has done, counted as it happens, and what is in the queue, asked when somebody looks. Labels
 * are words of ours: no address, subject or reply of a stranger ever becomes one.
 */
export class Metrics implements Observer, RelayObserver {
  readonly registry = new Registry();
  readonly #messages = this.#gauge('messages', 'Messages by state and lane', ['state', 'lane']);
  readonly #due = this.#gauge('due_messages', 'Messages that could leave now');
  readonly #dueRetries = this.#gauge('due_retries', 'Those of them that have failed before');
  readonly #workers = this.#gauge('workers', 'Workers and relays that are alive');
  readonly #relays = this.#gauge('relays', 'Those of them that pass mail on to a broker');
  readonly #requeued = this.#counter(
    'requeued_total',
    'Retries that came due: passed on by a relay, taken up by a worker',
  );
  readonly #sent = this.#counter('sent_total', 'Mails that a transport took', ['lane', 'transport']);
  readonly #attempts = this.#counter('attempts_total', 'Tries by how they ended', ['outcome', 'class']);
  readonly #dead = this.#counter('dead_total', 'Messages given up', ['reason']);
  readonly #rescheduled = this.#counter('rescheduled_total', 'Messages that went back untried', ['reason']);
  readonly #leaseLost = this.#counter('lease_lost_total', 'Results that came after their lease was lost');
  readonly #unstored = this.#gauge('unstored_results', 'Results that the database refuses in every form');
  readonly #attemptSeconds = this.#histogram('attempt_seconds', 'How long tries took', LONG_SECONDS);
  readonly #claimSeconds = this.#histogram('claim_seconds', 'How long claims took', SHORT_SECONDS);
  readonly #queueDelay = this.#histogram(
    'queue_delay_seconds',
    'From the time a message was meant to leave to its first try',
    LONG_SECONDS,
  );
  readonly #published = this.#counter('relay_published_total', 'Messages that the broker has taken', [
    'kind',
  ]);
  readonly #unpublished = this.#counter('relay_failed_total', 'Messages that the broker did not take', [
    'reason',
  ]);
  readonly #confirmSeconds = this.#histogram(
    'relay_confirm_seconds',
    'How long the broker took to confirm',
    SHORT_SECONDS,
  );
  readonly #outstanding = this.#gauge('relay_outstanding', 'Passed on and not taken by a sender');
  readonly #brokerUp = this.#gauge('broker_up', 'Whether the broker answers this process');
  readonly #brokerBlocked = this.#gauge(
    'broker_blocked',
    'Whether the broker takes nothing for want of memory or disk',
  );
  readonly #deliveries = this.#counter('deliveries_total', 'Deliveries by what became of them', ['verdict']);
  readonly #directClaims = this.#counter('direct_claims_total', 'Messages claimed past the broker');
  readonly #announcements = this.#gauge(
    'announcements_waiting',
    'Dead letters that the broker is not told of',
  );
  /** What a relay has done since it started. */
  readonly passed = { published: 0, returned: 0 };
  #figures: Promise<QueueFigures> | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
  }

  claimed(_count: number, seconds: number): void {
    this.#claimSeconds.observe(seconds);
  }

  settled({ outcome, message, sender, startedAt, seconds }: Result): void {
    const { event, attempt, error } = outcome;
    if (message.datedAt !== null) this.#requeued.inc();
    if (attempt) {
      this.#attempts.inc({ outcome: attempt, class: error?.class ?? 'none' });
      if (seconds !== undefined) this.#attemptSeconds.observe(seconds);
    }
    if (attempt && startedAt !== null && message.datedAt === null) {
      this.#queueDelay.observe(Math.max(0, (startedAt - message.scheduledFor) / 1_000));
    }
    if (event === 'accepted') this.#sent.inc({ lane: message.lane, transport: sender.transport.kind });
    if (event === 'rejected' || event === 'exhausted' || event === 'poisoned') {
      this.#dead.inc({ reason: outcome.reason ?? 'unknown' });
    }
    if (event === 'released')
      this.#rescheduled.inc({ reason: error?.class ?? outcome.reason ?? 'lease_lost' });
  }

  leaseLost(count: number): void {
    this.#leaseLost.inc(count);
  }

  delivered(verdict: Verdict, count: number): void {
    this.#deliveries.inc({ verdict }, count);
  }

  claimedDirectly(count: number): void {
    this.#directClaims.inc(count);
  }

  passedOn(kind: PassedKind, count: number): void {
    this.#published.inc({ kind }, count);
    if (kind === 'retry') this.#requeued.inc(count);
    this.passed.published += count;
  }

  confirmed(seconds: number): void {
    this.#confirmSeconds.observe(seconds);
  }

  cameBack(reason: string, count: number): void {
    this.#unpublished.inc({ reason }, count);
    this.passed.returned += count;
  }

  outstanding(count: number): void {
    this.#outstanding.set(count);
  }

  unstored(count: number): void {
    this.#unstored.set(count);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Without the queue's figures while the database is away: what this process knows itself is told anyway. */
  async text(store: Store, patienceMs: number, broker?: 'up' | 'blocked' | 'down'): Promise<string> {
    const impatience = sleep(patienceMs, undefined, { ref: false });
    const figures = await Promise.race([this.#askFigures(store).catch(() => undefined), impatience]);
    this.#messages.reset();
    for (const { state, lane, n } of figures?.messages ?? []) this.#messages.set({ state, lane }, n);
    // Unknown is not none.
    this.#due.set(figures?.due ?? NaN);
    this.#dueRetries.set(figures?.dueRetries ?? NaN);
    this.#workers.set(figures?.workers ?? NaN);
    this.#relays.set(figures?.relays ?? NaN);
    this.#announcements.set(figures?.announcements ?? NaN);
    // Where there is none, it is neither up nor down.
    this.#brokerUp.set(broker === undefined ? NaN : Number(broker !== 'down'));
    this.#brokerBlocked.set(broker === undefined ? NaN : Number(broker === 'blocked'));
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
