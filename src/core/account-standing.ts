import type { HealthLevel } from './health.js';
import { timeWords } from './time-words.js';

/** What decides whether an account may send now, and how much waits for it. */
export interface AccountFacts {
  readonly name: string;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly cooldownUntil: number;
  readonly cooldownReason: string | null;
  readonly waiting: number;
  /** Of an account that sends nothing but guarded mail: outside its hours, or out of places for now; and until when. */
  readonly guarded?: { readonly standing: 'open' | 'full' | 'shut'; readonly until: number | null };
}

export interface AccountsFacts {
  readonly now: number;
  readonly timezone: string;
  /** As many as were counted of one account: there may be more. */
  readonly mostCounted: number;
  readonly accounts: readonly AccountFacts[];
}

/** One sentence for a page, and what it rests on. */
export interface Verdict {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

/** Who may send now, who is full or outside its hours, who rests, who is paused. */
export function judgeAccounts({ accounts, ...when }: AccountsFacts): Verdict {
  const { paused, resting, full, shut, ready } = sorted(accounts, when.now);
  if (accounts.length === 0)
    return { level: 'act', sentence: 'There is no account. No mail can leave.', evidence: '' };
  const until = (instant: number | null | undefined) =>
    instant == null ? '' : ` until ${timeWords(instant, when)}`;
  const sentences = [
    readySentence(ready.length, accounts.length),
    ...namesOf(full, 'is full', 'are full', ({ guarded }) => until(guarded?.until)),
    ...namesOf(shut, 'is outside its hours', 'are outside their hours', ({ guarded }) =>
      until(guarded?.until),
    ),
    ...namesOf(resting, 'rests', 'rest', ({ cooldownUntil }) => until(cooldownUntil)),
    ...namesOf(paused.filter(isOfItself), 'paused itself', 'paused themselves'),
    ...namesOf(
      paused.filter((account) => !isOfItself(account)),
      'is paused',
      'are paused',
    ),
  ];
  // What is full or outside its hours goes on by itself.
  const stuck = ready.length + full.length + shut.length === 0;
  return {
    level: stuck ? 'act' : paused.length > 0 ? 'look' : 'fine',
    sentence: sentences.join(' '),
    evidence: [...paused, ...resting]
      .slice(0, MOST_TOLD)
      .map((account) => `${account.name}: ${reasonOf(account)}. ${waitingOf(account, when)}`)
      .join(' '),
  };
}

/** The same of one account alone. */
export function judgeAccount(account: AccountFacts, when: Omit<AccountsFacts, 'accounts'>): Verdict {
  const { name, pausedAt, cooldownUntil } = account;
  const waits = waitingOf(account, when);
  if (pausedAt !== null) {
    const sentence = `${name} is paused: ${reasonOf(account)}.`;
    return { level: 'act', sentence, evidence: `${waits} Mail that waits loses no attempt.` };
  }
  if (cooldownUntil > when.now) {
    const sentence = `${name} rests until ${timeWords(cooldownUntil, when)}.`;
    return { level: 'look', sentence, evidence: `${sentenceOf(reasonOf(account))} ${waits}` };
  }
  const { standing = 'open', until = null } = account.guarded ?? {};
  if (standing === 'open') return { level: 'fine', sentence: `${name} may send now.`, evidence: waits };
  const why = standing === 'full' ? 'is full' : 'is outside its hours';
  const end = until === null ? '' : ` until ${timeWords(until, when)}`;
  return { level: until === null ? 'act' : 'fine', sentence: `${name} ${why}${end}.`, evidence: waits };
}

/** It was no person who paused it. */
export const isOfItself = ({ pauseReason }: Pick<AccountFacts, 'pauseReason'>): boolean =>
  pauseReason?.startsWith(STOPPED_ITSELF) ?? false;

/** How the reason begins of an account that has stopped because of its bounces or complaints. */
export const STOPPED_ITSELF = 'it stopped itself: ';

const MOST_TOLD = 3;

function sorted(accounts: readonly AccountFacts[], now: number) {
  const paused = accounts.filter(({ pausedAt }) => pausedAt !== null);
  const open = accounts.filter(({ pausedAt }) => pausedAt === null);
  const awake = open.filter(({ cooldownUntil }) => cooldownUntil <= now);
  const standing = (wanted: 'open' | 'full' | 'shut') =>
    awake.filter(({ guarded }) => (guarded?.standing ?? 'open') === wanted);
  return {
    paused,
    resting: open.filter(({ cooldownUntil }) => cooldownUntil > now),
    full: standing('full'),
    shut: standing('shut'),
    ready: standing('open'),
  };
}

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

function readySentence(ready: number, all: number): string {
  if (ready === all && all === 1) return 'The only account may send now.';
  if (ready === all) return `All ${number(all)} accounts may send now.`;
  const word = WORDS[ready] ?? number(ready);
  return `${word} account${ready > 1 ? 's' : ''} may send now.`;
}

/** By name while there are few of them, else how many. */
function namesOf(
  accounts: readonly AccountFacts[],
  one: string,
  many: string,
  more: (account: AccountFacts) => string = () => '',
): readonly string[] {
  if (accounts.length === 0) return [];
  if (accounts.length > MOST_TOLD) return [`${number(accounts.length)} ${many}.`];
  const told = accounts.map((account) => `${account.name} ${one}${more(account)}`);
  const last = told.pop() ?? '';
  return [told.length === 0 ? `${last}.` : `${told.join(', ')} and ${last}.`];
}

/** As it was written down, without the full stop that the sentence puts itself. */
const reasonOf = ({ pausedAt, pauseReason, cooldownReason }: AccountFacts): string => {
  const reason = (pausedAt === null ? cooldownReason : pauseReason) ?? '';
  return reason.replace(/\.$/, '') || (pausedAt === null ? 'its server asked for it' : 'by a person');
};

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function waitingOf({ waiting }: AccountFacts, { mostCounted }: Pick<AccountsFacts, 'mostCounted'>): string {
  if (waiting === 0) return 'Nothing waits for it.';
  if (waiting === 1) return '1 mail waits for it.';
  return `${waiting > mostCounted ? `More than ${number(mostCounted)}` : number(waiting)} mails wait for it.`;
}

const number = (n: number): string => n.toLocaleString('en-GB');
