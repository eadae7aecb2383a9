import { waitInText } from './retry-after.js';
import { firstMatch, READ_AT_MOST, saysOneOf, verdictOf, type Verdict } from './rules.js';
import { SMTP_FALLBACKS, SMTP_UNREADABLE } from './smtp-fallbacks.js';
import { SMTP_LIMITS } from './smtp-limits.js';
import { SMTP_RECIPIENT } from './smtp-recipient.js';
import type { SmtpCondition, SmtpPhase, SmtpRule } from './smtp-rule.js';
import { SMTP_SENDER } from './smtp-sender.js';
import { SMTP_SESSION } from './smtp-session.js';

export interface SmtpReply {
  readonly phase: SmtpPhase;
  readonly code: number;
  /** `5.1.1`; looked for at the start of the text if it is not given. */
  readonly enhanced?: string;
  readonly text: string;
  /** How many recipients of the envelope the reply may speak of; one unless told. */
  readonly recipientCount?: number;
}

/**
 * Order is policy. What cannot be read comes first: nothing may be concluded from it. Then whoever is to blame for
 * more than this one mail: the session, limits, the sender. Recipients come late, so that no answer that speaks of
 * us suppresses an address; the first digit alone decides last.
 */
export const SMTP_RULES: readonly SmtpRule[] = [
  ...SMTP_UNREADABLE,
  ...SMTP_SESSION,
  ...SMTP_LIMITS,
  ...SMTP_SENDER,
  ...SMTP_RECIPIENT,
  ...SMTP_FALLBACKS,
];

export function classifySmtp(reply: SmtpReply): Verdict {
  const facts = read(reply);
  const rule = firstMatch(SMTP_RULES, (when) => holds(when, facts));
  return temper(verdictOf(rule, waitInText(facts.text)), reply, facts);
}

/** Whether one alternative of a rule holds for a reply, whatever the rules before it say. */
export const holdsFor = (when: SmtpCondition, reply: SmtpReply): boolean => holds(when, read(reply));

interface Facts {
  readonly phase: SmtpPhase;
  readonly code: number;
  readonly digit: 4 | 5 | 'other';
  readonly subject?: number;
  readonly detail?: number;
  /** False when reply and enhanced code are of different classes. */
  readonly agrees: boolean;
  /** Lower case, one line, without the enhanced code that servers repeat on every line. */
  readonly text: string;
}

function read({ phase, code, enhanced, text }: SmtpReply): Facts {
  const digit = code >= 400 && code < 500 ? 4 : code >= 500 && code < 600 ? 5 : 'other';
  const head = text.slice(0, READ_AT_MOST).toLowerCase();
  const status = readEnhanced(enhanced) ?? readEnhanced(head);
  const words = status === undefined ? head : head.replaceAll(status.written, ' ');
  return {
    phase,
    code,
    digit,
    ...(status !== undefined && { subject: status.subject, detail: status.detail }),
    agrees: status === undefined || status.class === digit,
    text: words.replace(/\s+/g, ' ').trim(),
  };
}

function readEnhanced(text: string | undefined) {
  const match = /^\s{0,3}#?(([245])\.(\d{1,3})\.(\d{1,3}))(?![\d.])/.exec(text ?? '');
  if (match?.[1] === undefined) return undefined;
  return {
    written: match[1],
    class: Number(match[2]),
    subject: Number(match[3]),
    detail: Number(match[4]),
  };
}

function holds(when: SmtpCondition, facts: Facts): boolean {
  const { phases, codes, digit, enhanced, bare, words } = when;
  if (digit === undefined ? facts.digit === 'other' : digit !== facts.digit) return false;
  if (phases !== undefined && !phases.includes(facts.phase)) return false;
  if (codes !== undefined && !codes.includes(facts.code)) return false;
  if (enhanced !== undefined && !enhanced.some((pattern) => isStatus(pattern, facts))) return false;
  if (bare === true && facts.subject !== undefined && (facts.subject !== 0 || facts.detail !== 0))
    return false;
  return words === undefined || saysOneOf(facts.text, words);
}

function isStatus(pattern: string, { subject, detail }: Facts): boolean {
  if (subject === undefined || detail === undefined) return false;
  const [, wantedSubject, wantedDetail = '*'] = pattern.split('.');
  if (Number(wantedSubject) !== subject) return false;
  if (wantedDetail === '*') return true;
  const [from, to = from] = wantedDetail.split('-');
  return detail >= Number(from) && detail <= Number(to);
}

/**
 * An address is suppressed only by an answer that is about that address and does not contradict itself. One answer
 * to the dot for several recipients does not say whose mailbox it means.
 */
function temper(verdict: Verdict, reply: SmtpReply, facts: Facts): Verdict {
  const shared = reply.phase === 'reply' && (reply.recipientCount ?? 1) > 1;
  if (verdict.scope !== 'recipient' || (facts.agrees && !shared)) return verdict;
  const { softBounce, ...rest } = verdict;
  return {
    ...rest,
    class: verdict.class === 'recipient' ? 'permanent' : verdict.class,
    scope: shared ? 'message' : 'recipient',
    ...(!shared && softBounce !== undefined && { softBounce }),
  };
}
