import { changeWords, type Cause } from './cause-words.js';
import type { HealthLevel } from './health.js';

/** What is known of one cause when someone asks whether a retry would help. */
export interface CauseFacts extends Cause {
  readonly fingerprint: string;
  readonly count: number;
  readonly lastAt: number;
  /** Those that it happened to. */
  readonly accounts: readonly string[];
  readonly paused: readonly string[];
  /** What left through these accounts since, counted from `countedFrom` on. */
  readonly successesSince: number;
  readonly countedFrom: number;
}

/** `over`: it would likely leave. `change`: it would fail the same way. `untried`: nobody can tell yet. */
export type RetryOutlook = 'over' | 'change' | 'untried';

export interface Judgement {
  readonly outlook: RetryOutlook;
  readonly sentence: string;
  /** What would happen, step by step. */
  readonly onRetry: string;
  /** Where in the pages the cause is dealt with; null: nowhere, or it is over. */
  readonly remedy: Remedy | null;
}

export interface Remedy {
  readonly verb: string;
  readonly to: string;
}

export interface DeadSummary {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
  /** Those whose cause looks over. */
  readonly retryable: { readonly count: number; readonly fingerprints: readonly string[] };
}

/** As many successes, and as much quiet, as speak for a cause that is over and not for a pause between two failures. */
const ENOUGH_SUCCESSES = 10;
const QUIET_MS = 10 * 60_000;

/** Writes an instant as people there read it: "10:17", or the day as well. */
export type Clock = (instant: number) => string;

export function judgeCause(facts: CauseFacts, now: number, clock: Clock): Judgement {
  const outlook = outlookOf(facts, now, clock);
  return {
    ...{ ...outlook, onRetry: onRetryOf(facts) },
    remedy: outlook.outlook === 'over' ? null : remedyOf(facts),
  };
}

/** How `templates/send-faults.ts` names the template that a mail died of. */
const OF_TEMPLATE =
  /^(?:template “)?([A-Za-z0-9][\w.-]{0,63})(?:” | )([A-Za-z0-9][\w.-]{0,31})(?:,| has no text in )/;

function remedyOf({ class: errorClass, code, sample }: CauseFacts): Remedy | null {
  if (errorClass === 'recipient') return { verb: 'Suppressed addresses', to: '/settings/suppressions' };
  if (errorClass === 'account') return { verb: 'Accounts', to: '/accounts' };
  const [, id, version] = (code.startsWith('template_') ? OF_TEMPLATE.exec(sample) : null) ?? [];
  return id === undefined || version === undefined
    ? null
    : { verb: `Template ${id}`, to: `/templates/${id}?version=${version}` };
}

function outlookOf(facts: CauseFacts, now: number, clock: Clock): Omit<Judgement, 'onRetry' | 'remedy'> {
  const { class: errorClass, successesSince, countedFrom, lastAt } = facts;
  const who = listed(facts.accounts, 'these accounts');
  switch (errorClass) {
    case 'recipient':
      return change('The addresses are suppressed: a retry would be skipped.');
    case 'permanent':
      return change(changeWords(facts) ?? 'The server would refuse the same mail again. Change it first.');
    case 'in_doubt':
      return change('It may have left: a retry may send it twice.');
    default:
  }
  const since = clock(countedFrom);
  if (successesSince >= ENOUGH_SUCCESSES && now - lastAt >= QUIET_MS) {
    return { outlook: 'over', sentence: `${mails(successesSince)} left through ${who} since ${since}.` };
  }
  if (errorClass === 'account') return change(`Renew the sign-in of ${who} first.`);
  if (successesSince === 0) {
    return { outlook: 'untried', sentence: `Nothing has left through ${who} since ${since}.` };
  }
  const sentence =
    successesSince < ENOUGH_SUCCESSES
      ? `Only ${mails(successesSince)} left through ${who} since ${since}: too few to tell.`
      : `${mails(successesSince)} left through ${who} since, but the last failure was at ${clock(lastAt)}.`;
  return { outlook: 'untried', sentence };
}

const change = (sentence: string) => ({ outlook: 'change', sentence }) as const;

function onRetryOf({ count, accounts, paused }: CauseFacts): string {
  const start =
    count === 1
      ? 'Its attempts start again at 0, and it is due at once.'
      : `Attempts start again at 0, and all ${number(count)} are due at once.`;
  const waits =
    paused.length === 0
      ? ''
      : ` ${listed(paused, 'Some accounts')} ${paused.length === 1 ? 'is' : 'are'} paused: ${paused.length < accounts.length ? 'theirs wait' : count === 1 ? 'it waits' : 'they wait'} until that ends.`;
  return `${start}${waits} ${count === 1 ? 'If it is past its expiry, it ends' : 'What is past its expiry ends'} as expired.`;
}

/** One sentence for the whole page: how much, of how many causes, and which of them are over. */
export function summariseDead(
  groups: readonly { readonly fingerprint: string; readonly count: number; readonly outlook: RetryOutlook }[],
): DeadSummary {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const over = groups.filter(({ outlook }) => outlook === 'over');
  const retryable = {
    count: over.reduce((sum, group) => sum + group.count, 0),
    fingerprints: over.map(({ fingerprint }) => fingerprint),
  };
  if (count === 0) return { level: 'fine', sentence: 'No dead letters.', evidence: '', retryable };
  const letters =
    count === 1
      ? '1 dead letter has 1 cause.'
      : `${number(count)} dead letters have ${causes(groups.length)}.`;
  return {
    level: 'act',
    sentence: `${letters} ${overSentence(over.length, groups.length)}`,
    evidence: evidenceOf(count, retryable.count, groups),
    retryable,
  };
}

const COUNTED = ['None', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

function overSentence(over: number, all: number): string {
  if (all === 1) return over === 1 ? 'It looks over.' : 'It does not look over.';
  if (over === all) return all === 2 ? 'Both look over.' : 'All of them look over.';
  return `${COUNTED[over] ?? number(over)} of them ${over === 1 ? 'looks' : 'look'} over.`;
}

function evidenceOf(
  count: number,
  retryable: number,
  groups: readonly { readonly outlook: RetryOutlook }[],
): string {
  const [untried, changes] = (['untried', 'change'] as const).map((outlook) =>
    groups.some((group) => group.outlook === outlook),
  );
  const can =
    retryable === 0
      ? ''
      : `${number(retryable)} can be tried again now: other mail has left the same way since. `;
  const subject = retryable > 0 ? 'The rest' : count === 1 ? 'It' : 'They';
  if (changes && untried)
    return `${can}${subject} would fail the same way, or nothing has shown yet that it is over.`;
  if (changes) return `${can}${subject} would fail the same way.`;
  return untried
    ? `${can}Nothing has shown yet that ${retryable === 0 ? 'it' : 'the rest'} is over.`
    : can.trim();
}

const number = (n: number): string => n.toLocaleString('en-GB');
const mails = (n: number): string => `${number(n)} ${n === 1 ? 'mail' : 'mails'}`;
const causes = (n: number): string => `${number(n)} ${n === 1 ? 'cause' : 'causes'}`;

/** Up to two by name; more are a number. */
function listed(names: readonly string[], unknown: string): string {
  const [first, second] = names;
  if (first === undefined) return unknown;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${number(names.length)} accounts`;
}
