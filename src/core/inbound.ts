import { classifySmtp } from './classify/index.js';

/** What may come back: `accepted` is a connection request, `auto_reply` an answer of nobody. */
export const INBOUND_KINDS = ['reply', 'bounce', 'complaint', 'accepted', 'auto_reply'] as const;
export type InboundKind = (typeof INBOUND_KINDS)[number];

/** How long a person is left alone who is away for nobody knows how long. */
export const AWAY_MS = 7 * 24 * 3_600_000;

export interface BounceReport {
  /** Whether it is for good; undefined: what it says decides, and without that it is. */
  readonly permanent?: boolean | undefined;
  /** `550`, `5.1.1`, or both. */
  readonly code?: string | undefined;
  /** In the words of the server that refused it. */
  readonly diagnostic?: string | undefined;
}

/** `hard`: the address takes no mail; `soft`: not now; `sender`: it speaks of us, and no address is to suffer for it. */
export type BounceVerdict = 'hard' | 'soft' | 'sender';

const CODE = /\b([45])(\d\d)\b(?!\.)/;
const ENHANCED = /\b([245]\.\d{1,3}\.\d{1,3})\b/;

/** By the table that judges answers of servers, because a report is one that came late. */
export function judgeBounce({ permanent, code = '', diagnostic = '' }: BounceReport): BounceVerdict {
  const text = `${code} ${diagnostic}`.slice(0, LONGEST);
  const enhanced = ENHANCED.exec(text)?.[1];
  const [reply] = CODE.exec(text) ?? [];
  if (reply === undefined && enhanced === undefined) return permanent === false ? 'soft' : 'hard';
  const verdict = classifySmtp({
    phase: 'rcpt',
    code: Number(reply ?? `${enhanced?.[0] ?? '5'}50`),
    ...(enhanced !== undefined && { enhanced }),
    text: diagnostic,
  });
  // 5.7.x is policy: it speaks of whoever sends.
  if (verdict.class === 'account' || verdict.class === 'rate_limited' || enhanced?.[2] === '7')
    return 'sender';
  const isSoft = verdict.class === 'retryable' || (reply ?? enhanced)?.[0] === '4';
  return (permanent ?? !isSoft) ? 'hard' : 'soft';
}

const LONGEST = 2_000;
