import type { ErrorClass, ErrorScope } from '../report.js';

/** What a rule decides, and all it may decide: how to wait and try again belongs to the retry policy. */
export interface Judgement {
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  /**
   * The next try, of whatever the scope names, comes no earlier than this. An account fault with a wait is a rest,
   * one without is a pause that a person ends.
   */
  readonly minimumWaitSeconds?: number;
  /** Counts against the address; a few within days suppress it. */
  readonly softBounce?: true;
  /** The account should hold one connection less. */
  readonly lowerConcurrency?: true;
  /** The fault was ours and nothing was tried: the message goes back as if it had not been claimed. */
  readonly attempted?: false;
}

/** A rule is data. `samples` are the answers that earn it: each must be won by this rule and no other. */
export interface Rule<When, Sample> extends Judgement {
  readonly name: string;
  /** Alternatives: one of them must hold, and it holds when all it names is so. */
  readonly when: readonly [When, ...When[]];
  readonly samples: readonly [Sample, ...Sample[]];
  readonly why?: string;
}

export interface Verdict extends Judgement {
  /** The name of the rule that won. */
  readonly rule: string;
  /** What the far side asked for in a header or in its text. */
  readonly retryAfterSeconds?: number;
}

/** First match wins. Every table ends in a rule that takes what is left, so there always is one. */
export function firstMatch<When, Sample>(
  rules: readonly Rule<When, Sample>[],
  holds: (when: When) => boolean,
): Rule<When, Sample> {
  const rule = rules.find((candidate) => candidate.when.some(holds));
  if (rule === undefined) throw new Error('a table of rules must end in one that takes everything');
  return rule;
}

export function verdictOf(rule: Judgement & { readonly name: string }, retryAfterSeconds?: number): Verdict {
  const { minimumWaitSeconds, softBounce, lowerConcurrency, attempted } = rule;
  // A wait asked for is worth hearing only where another try follows.
  const heeded = rule.class === 'retryable' || rule.class === 'rate_limited' ? retryAfterSeconds : undefined;
  return {
    rule: rule.name,
    class: rule.class,
    scope: rule.scope,
    ...(minimumWaitSeconds !== undefined && { minimumWaitSeconds }),
    ...(heeded !== undefined && { retryAfterSeconds: heeded }),
    ...(softBounce !== undefined && { softBounce }),
    ...(lowerConcurrency !== undefined && { lowerConcurrency }),
    ...(attempted !== undefined && { attempted }),
  };
}

/**
 * What a server has to say stands at the beginning. Nothing behind this is read, so that an endless reply costs
 * no more than a short one.
 */
export const READ_AT_MOST = 4_096;

export const saysOneOf = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.includes(word));

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
