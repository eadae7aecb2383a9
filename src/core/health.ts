import { HELD_HEADLINE } from './explain.js';

/** What is known about a workspace when someone asks how it is doing. */
export interface HealthFacts {
  readonly now: number;
  /** How long the oldest message waits that could leave now; null: none does. */
  readonly oldestDueMs: number | null;
  /** What waits or is in flight. */
  readonly pending: number;
  readonly dead: number;
  readonly deadCauses: number;
  readonly held: number;
  readonly accounts: readonly AccountFacts[];
  /** How many are alive that could send. */
  readonly workers: number;
}

export interface AccountFacts {
  readonly name: string;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly cooldownUntil: number;
  readonly cooldownReason: string | null;
}

export type HealthLevel = 'fine' | 'look' | 'act';

/** Something that goes on until a person decides. */
export interface Need {
  readonly kind: 'no_worker' | 'late' | 'dead' | 'held' | 'account_paused';
  readonly count: number;
  readonly sentence: string;
  /** What there is to decide, for the page where it is decided. */
  readonly advice?: string;
}

export interface Health {
  /** `act`: mail does not leave. `look`: it leaves, but something waits for a person, or lags. */
  readonly level: HealthLevel;
  /** What is true now, and what a person must do. */
  readonly sentence: string;
  /** What the sentence rests on. */
  readonly evidence: string;
  readonly needs: readonly Need[];
}

/** A worker takes what is due within a second; an idle one within milliseconds. */
const LAGS_AFTER_MS = 10_000;
const LATE_AFTER_MS = 60_000;

/** One sentence for whoever opens the door, and what it rests on. */
export function judgeHealth(facts: HealthFacts): Health {
  const needs = needsOf(facts);
  const flow = flowOf(facts);
  return {
    level: flow.level === 'fine' && needs.length > 0 ? 'look' : flow.level,
    sentence: `${flow.sentence} ${needSentence(needs.length)}`,
    evidence: evidenceOf(facts),
    needs,
  };
}

function flowOf({
  oldestDueMs,
  pending,
  accounts,
  workers,
}: HealthFacts): Pick<Health, 'level' | 'sentence'> {
  const waited = oldestDueMs ?? 0;
  if (oldestDueMs !== null && workers === 0)
    return { level: 'act', sentence: 'No worker is running, so no mail leaves.' };
  if (waited >= LATE_AFTER_MS) return { level: 'act', sentence: 'Mail is not leaving.' };
  const paused = accounts.filter(({ pausedAt }) => pausedAt !== null).length;
  if (paused > 0 && paused === accounts.length) {
    const sentence =
      paused === 1 ? 'The only account is paused.' : `All ${number(paused)} accounts are paused.`;
    return { level: 'act', sentence: `${sentence} No mail leaves.` };
  }
  if (waited >= LAGS_AFTER_MS) return { level: 'look', sentence: 'Mail is leaving, but late.' };
  return { level: 'fine', sentence: pending === 0 ? 'All mail has left.' : 'Mail is leaving on time.' };
}

function needsOf(facts: HealthFacts): readonly Need[] {
  const { oldestDueMs, dead, deadCauses, held, accounts, workers } = facts;
  const needs: Need[] = [];
  if (oldestDueMs !== null && workers === 0) {
    const sentence = `Due mail has waited ${duration(oldestDueMs)} and no worker is running. Start one: pillarbox work`;
    needs.push({ kind: 'no_worker', count: 1, sentence });
  } else if (oldestDueMs !== null && oldestDueMs >= LATE_AFTER_MS) {
    const sentence = `Due mail has waited ${duration(oldestDueMs)}, although ${working(workers)}. Look into their logs.`;
    needs.push({ kind: 'late', count: 1, sentence });
  }
  if (dead > 0) {
    const sentence = `${number(dead)} dead, ${plural(deadCauses, 'cause')}`;
    needs.push({ kind: 'dead', count: dead, sentence });
  }
  if (held > 0) {
    const sentence = `${number(held)} held, outcome unknown`;
    const advice =
      held === 1
        ? HELD_HEADLINE
        : `Nobody knows whether these ${number(held)} mails left. Only you can decide.`;
    needs.push({ kind: 'held', count: held, sentence, advice });
  }
  const paused = accounts.filter(({ pausedAt }) => pausedAt !== null);
  const [only] = paused;
  if (only && paused.length === 1) {
    const why = only.pauseReason ?? 'by a person';
    needs.push({ kind: 'account_paused', count: 1, sentence: `${only.name} is paused: ${why}` });
  } else if (paused.length > 1) {
    needs.push({
      kind: 'account_paused',
      count: paused.length,
      sentence: `${number(paused.length)} accounts are paused`,
    });
  }
  return needs;
}

const COUNTED = ['', 'One thing', 'Two things', 'Three things', 'Four things'];

const working = (workers: number): string =>
  workers === 0
    ? 'no worker answers'
    : `${plural(workers, 'worker')} ${workers === 1 ? 'answers' : 'answer'}`;

function needSentence(decisions: number): string {
  if (decisions === 0) return 'Nothing needs a person.';
  return `${COUNTED[decisions] ?? `${number(decisions)} things`} ${decisions === 1 ? 'needs' : 'need'} a person.`;
}

function evidenceOf({ now, oldestDueMs, pending, accounts, workers }: HealthFacts): string {
  const due =
    oldestDueMs === null ? 'Nothing is due.' : `The oldest due message has waited ${duration(oldestDueMs)}.`;
  const resting = accounts.filter(({ cooldownUntil, pausedAt }) => cooldownUntil > now && pausedAt === null);
  const rests = resting
    .slice(0, 3)
    .map(
      ({ name, cooldownUntil, cooldownReason }) =>
        `${name} rests for ${duration(cooldownUntil - now)}${cooldownReason === null ? '' : ` (${cooldownReason})`}.`,
    );
  return [
    due,
    pending === 0 ? '' : `${plural(pending, 'message')} ${pending === 1 ? 'waits' : 'wait'}.`,
    ...rests,
    capital(`${working(workers)}.`),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const number = (n: number): string => n.toLocaleString('en-GB');
const plural = (n: number, word: string): string => `${number(n)} ${word}${n === 1 ? '' : 's'}`;

/** Two units are enough to act on. */
function duration(ms: number): string {
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${String(minutes)} m ${String(Math.floor(ms / 1_000) % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${String(hours)} h ${String(minutes % 60)} m`;
  return `${number(Math.floor(hours / 24))} days`;
}
