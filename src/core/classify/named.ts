import { firstMatch, MINUTE, verdictOf, type Rule, type Verdict } from './rules.js';

/** One of the names, in upper case, or the beginning of one. */
interface NameCondition {
  readonly names?: readonly string[];
  readonly prefix?: string;
}

/**
 * Errors that come as a name and nothing else: from senders that others wrote, from templates, from jobs handed in.
 * Whoever uses such a name says that nothing left; a transport that is less sure has `classifyLocal`.
 */
export const NAMED_RULES: readonly Rule<NameCondition, string>[] = [
  {
    name: 'named-network',
    class: 'retryable',
    scope: 'account',
    when: [{ names: ['ECONNRESET', 'ETIMEDOUT', 'TEMPORARY_FAILURE', 'SERVICE_UNAVAILABLE'] }],
    samples: ['ECONNRESET', 'ETIMEDOUT', 'TEMPORARY_FAILURE', 'SERVICE_UNAVAILABLE'],
  },
  {
    name: 'named-host-unknown',
    class: 'retryable',
    scope: 'account',
    minimumWaitSeconds: 5 * MINUTE,
    when: [{ names: ['ENOTFOUND'] }],
    samples: ['ENOTFOUND'],
    why: 'As for a socket: a name that is not there may be a network that is just coming up.',
  },
  {
    name: 'named-rate',
    class: 'rate_limited',
    scope: 'account',
    when: [{ names: ['RATE_LIMIT_EXCEEDED', 'RATE_LIMITED'] }],
    samples: ['RATE_LIMIT_EXCEEDED'],
  },
  {
    name: 'named-recipient',
    class: 'recipient',
    scope: 'recipient',
    when: [{ names: ['INVALID_RECIPIENT', 'MAIL_HARD_BOUNCE'] }],
    samples: ['INVALID_RECIPIENT', 'MAIL_HARD_BOUNCE'],
  },
  {
    name: 'named-account',
    class: 'account',
    scope: 'account',
    when: [{ names: ['AUTH_REVOKED', 'TOKEN_EXPIRED', 'PERMISSION_DENIED'] }],
    samples: ['AUTH_REVOKED', 'TOKEN_EXPIRED', 'PERMISSION_DENIED'],
    why: 'Trying again does not help, but the message is not at fault: it waits until the account is well.',
  },
  {
    name: 'named-template',
    class: 'permanent',
    scope: 'message',
    when: [{ prefix: 'TEMPLATE_' }],
    samples: ['template_not_found', 'template_missing_locale', 'template_missing_variable'],
    why: 'No try mends a template.',
  },
  {
    name: 'named-not-for-mail',
    class: 'permanent',
    scope: 'recipient',
    when: [{ names: ['UNSUBSCRIBED', 'SUPPRESSED', 'NON_EMAIL_CONTACT'] }],
    samples: ['unsubscribed', 'non_email_contact'],
    why: 'Known to us already; there is nothing to suppress again.',
  },
  {
    name: 'named-unknown',
    class: 'retryable',
    scope: 'message',
    when: [{}],
    samples: ['PROVIDER_HICCUP'],
    why: 'A name that nobody knows is tried again; the number of tries ends it.',
  },
];

export function classifyNamed(code: string): Verdict {
  const name = code.slice(0, 128).toUpperCase();
  const rule = firstMatch(NAMED_RULES, ({ names, prefix }) => {
    if (names !== undefined) return names.includes(name);
    return prefix === undefined || name.startsWith(prefix);
  });
  return verdictOf(rule);
}
