import { invalidInput } from '../core/errors.js';

/** What a server can do wrong. */
export type Fault =
  /** Answers so to MAIL, to RCPT, or to the final dot. */
  | {
      readonly kind: 'refuse';
      readonly at: Step;
      readonly code: number;
      /** What follows the code: `5.1.1 no such user here`. `<>` stands for the recipient in it. */
      readonly text: string;
    }
  /** Waits before it answers. */
  | { readonly kind: 'delay'; readonly at: Step; readonly ms: number }
  /**
   * Hangs up without a word. `before_dot`: nothing was taken. `after_dot`: the mail is in the inbox, and the client
   * cannot know it.
   */
  | { readonly kind: 'drop'; readonly at: 'before_dot' | 'after_dot' };

export type Step = 'mail' | 'rcpt' | 'data';

export interface Rule {
  /** Strikes mails to addresses that begin so or, from an `@` on, end so; all of them if left out. */
  readonly recipient?: string | undefined;
  /** Strikes mails from addresses that begin so. */
  readonly sender?: string | undefined;
  /** Strikes mails that have more bytes. Known only when all of them are there. */
  readonly largerThanBytes?: number | undefined;
  /** The share of mails that are struck, from 0 to 1. All of them if left out. */
  readonly share?: number | undefined;
  readonly fault: Fault;
}

const LONGEST_DELAY_MS = 10 * 60_000;
const SLOW_MS = 5_000;

/** What real servers say, so that what is made of it can be seen. */
const USUAL_TEXTS: Readonly<Record<number, string>> = {
  421: '4.7.0 too many connections, try again later',
  450: '4.2.0 greylisted, try again in five minutes',
  451: '4.3.0 local error in processing',
  452: '4.2.2 mailbox full',
  550: '5.1.1 no such user here',
  552: '5.2.2 mailbox over quota',
  554: '5.7.1 message refused by policy',
};

/**
 * Faults that an address asks for by what follows its last `+`, so that a demonstration needs no other switch:
 *
 * - `+550`, or any other 4yz or 5yz: this recipient is refused with that code;
 * - `+data554`: the whole mail is refused so, after its final dot;
 * - `+drop`: the connection ends after the dot without an answer, though the mail was taken;
 * - `+cut`: the connection ends before the dot;
 * - `+slow`, `+slow30`: the answer to the dot takes 5, or 30, seconds.
 */
export function faultOfTag(address: string): Fault | undefined {
  const tag = /\+([^+@]+)@[^@]*$/.exec(address)?.[1]?.toLowerCase() ?? '';
  if (tag === 'drop') return { kind: 'drop', at: 'after_dot' };
  if (tag === 'cut') return { kind: 'drop', at: 'before_dot' };
  const [, slow, seconds] = /^(slow)(\d{1,3})?$/.exec(tag) ?? [];
  if (slow !== undefined) {
    const ms = seconds === undefined ? SLOW_MS : Math.min(Number(seconds) * 1_000, LONGEST_DELAY_MS);
    return { kind: 'delay', at: 'data', ms };
  }
  const [, data, digits] = /^(data)?([45]\d\d)$/.exec(tag) ?? [];
  if (digits === undefined) return undefined;
  const code = Number(digits);
  const text = USUAL_TEXTS[code] ?? `${digits.charAt(0)}.0.0 refused, as the address asked`;
  return { kind: 'refuse', at: data === undefined ? 'rcpt' : 'data', code, text };
}

/** The rules that strike one mail, drawn once: all its steps then agree. */
export const draw = (rules: readonly Rule[], random: () => number): readonly Rule[] =>
  rules.filter(({ share = 1 }) => random() < share);

/** What is known of a mail at some step. */
export interface Known {
  readonly recipients: readonly string[];
  readonly sender?: string | undefined;
  /** Undefined before all of it is there. */
  readonly bytes?: number | undefined;
}

/** Everything that goes wrong for this mail, rules first. No recipient yet, as at MAIL: rules for everybody. */
export function faultsFor(rules: readonly Rule[], known: Known): readonly Fault[] {
  const tagged = known.recipients.map(faultOfTag).filter((fault) => fault !== undefined);
  return [...rules.filter((rule) => strikes(rule, known)).map(({ fault }) => fault), ...tagged];
}

function strikes(rule: Rule, { recipients, sender = '', bytes = 0 }: Known): boolean {
  const { recipient = '', largerThanBytes = -1 } = rule;
  const named = recipient.toLowerCase();
  const isMeant = (address: string) =>
    named.startsWith('@') ? address.endsWith(named) : address.startsWith(named);
  return (
    (named === '' || recipients.some((address) => isMeant(address.toLowerCase()))) &&
    sender.toLowerCase().startsWith((rule.sender ?? '').toLowerCase()) &&
    bytes > largerThanBytes
  );
}

/** As it goes over the wire to a client that has named these recipients. */
export const wordsFor = (text: string, [first]: readonly string[]): string =>
  first === undefined ? text : text.replace('<>', `<${first}>`);

/** Throws `invalid_input` for a rule that could never strike, or whose answer would not be one. */
export function checkRule({ recipient, largerThanBytes, share = 1, fault }: Rule): void {
  if (!(share >= 0 && share <= 1)) throw invalidInput('share', 'is not between 0 and 1');
  if (recipient !== undefined && fault.at === 'mail') {
    throw invalidInput('recipient', 'is not known at MAIL; refuse at rcpt or data');
  }
  if (largerThanBytes !== undefined && fault.at !== 'data' && fault.at !== 'after_dot') {
    throw invalidInput('largerThanBytes', 'is not known before the mail is there; refuse at data');
  }
  if (fault.kind === 'delay' && !(fault.ms >= 0 && fault.ms <= LONGEST_DELAY_MS)) {
    throw invalidInput('ms', `is not between 0 and ${LONGEST_DELAY_MS}`);
  }
  if (fault.kind === 'refuse') {
    if (!Number.isInteger(fault.code) || fault.code < 400 || fault.code > 599) {
      throw invalidInput('code', 'is not a refusal; give 400 to 599');
    }
    if (!/^[ -~]{0,400}$/.test(fault.text)) throw invalidInput('text', 'is not one line of plain ASCII');
  }
}
