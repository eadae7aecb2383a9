import type { ErrorClass } from './report.js';

/** What a group of dead letters died of. */
export interface Cause {
  readonly class: ErrorClass;
  readonly code: string;
  /** The server's own words, of one of them. */
  readonly sample: string;
}

interface Words {
  readonly code?: RegExp;
  readonly sample?: RegExp;
  readonly cause: string;
  /** What a person must change before another try makes sense. */
  readonly change?: string;
}

/** First match wins: what the text says, then what its code means. */
const WORDS: readonly Words[] = [
  {
    sample: /\b(?:block(?:ed|list)|blacklist|listed (?:by|at|in)|dnsbl|spamhaus)\b/i,
    code: /^[45]\d\d/,
    cause: 'The sender is on a blocklist',
    change: 'Ask for delisting first. No address was suppressed.',
  },
  { code: /[45]\.1\.[0-6]\b|[45]\.1\.10\b/, cause: 'The mailbox does not exist' },
  { code: /[45]\.2\.1\b/, cause: 'The mailbox is switched off' },
  { code: /[45]\.2\.2\b/, cause: 'The mailbox is full' },
  {
    code: /[45]\.3\.4\b|[45]\.2\.3\b|^552\b|^ESIZE$|^413$/,
    cause: 'The message is larger than the receiver takes',
    change: 'Send it smaller, or as a link.',
  },
  { code: /^53[045]\b|5\.7\.[08]\b|^EAUTH|^invalid_grant$|^401$/, cause: 'The server refused the sign-in' },
  { code: /5\.7\.\d+/, cause: 'The receiver refuses it by its policy' },
  { code: /^(?:421|45[0-2])\b|4\.[34]\.\d+/, cause: 'The server had trouble of its own' },
  { code: /^ETIMEDOUT$|TIMEOUT$/, cause: 'The server did not answer in time' },
  { code: /^ECONNREFUSED$|^EHOSTUNREACH$|^ENETUNREACH$/, cause: 'The server could not be reached' },
  { code: /^ENOTFOUND$|^EAI_AGAIN$/, cause: 'The name of the server could not be looked up' },
  { code: /^ECONNRESET$|^EPIPE$|SOCKET$/, cause: 'The connection broke off' },
  { code: /CERT|TLS|SSL|^EPROTO$/, cause: 'No encrypted connection that can be trusted' },
  { code: /^EHOST_/, cause: 'The server is one that may not be connected to' },
  {
    code: /^ECOMPOSE$|^missing_variable$/,
    cause: 'The mail could not be made',
    change: 'Fix the payload or the template, then send it anew.',
  },
  {
    code: /^poison$/,
    cause: 'Its worker was lost every time it was tried',
    change: 'See in the log what the worker died of: a retry would take the next one down.',
  },
];

const LONGEST = 90;

/** In a few words of ours where the code is known, else in the server's. */
export function causeWords(cause: Cause): string {
  const known = wordsOf(cause);
  if (known) return known.cause;
  const own = cause.sample.replace(/\s+/g, ' ').trim();
  if (own === '') return `Code ${cause.code}, without a word`;
  return own.length <= LONGEST ? own : `${own.slice(0, LONGEST - 1).trimEnd()}…`;
}

export const changeWords = (cause: Cause): string | undefined => wordsOf(cause)?.change;

const wordsOf = ({ code, sample }: Cause): Words | undefined =>
  WORDS.find(
    (words) =>
      (words.code === undefined || words.code.test(code)) &&
      (words.sample === undefined || words.sample.test(sample)),
  );
