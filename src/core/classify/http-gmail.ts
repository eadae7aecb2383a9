import type { HttpProvider, HttpRule, HttpSample } from './http-rule.js';
import { HOUR } from './rules.js';

const providers: readonly HttpProvider[] = ['gmail'];

const gmail = (status: number, reason: string, message: string): HttpSample => ({
  provider: 'gmail',
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

/** Gmail API and Google's token endpoint. Gmail takes no idempotency key: its 5xx are left to the general rules. */
export const GMAIL_RULES: readonly HttpRule[] = [
  {
    name: 'gmail-grant-revoked',
    class: 'account',
    scope: 'account',
    when: [
      {
        providers,
        statuses: [400, 401, 403],
        reasons: ['invalid_grant', 'invalid_client', 'unauthorized_client', 'deleted_client'],
      },
    ],
    samples: [
      {
        provider: 'gmail',
        status: 400,
        body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
        idempotent: true,
      },
    ],
    why: 'The owner must connect the mailbox again.',
  },
  {
    name: 'gmail-not-enabled',
    class: 'account',
    scope: 'account',
    when: [{ providers, statuses: [400], reasons: ['failedprecondition', 'failed_precondition'] }],
    samples: [gmail(400, 'failedPrecondition', 'Mail service not enabled')],
    why: 'The user has no Gmail, or it was switched off.',
  },
  {
    name: 'gmail-bad-recipient',
    class: 'permanent',
    scope: 'recipient',
    when: [{ providers, statuses: [400], words: ['invalid to header'] }],
    samples: [gmail(400, 'invalidArgument', 'Invalid To header')],
  },
  {
    name: 'gmail-quota-day',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: HOUR,
    when: [{ providers, statuses: [403, 429], reasons: ['dailylimitexceeded', 'dailylimitexceededunreg'] }],
    samples: [gmail(403, 'dailyLimitExceeded', 'Daily Limit Exceeded')],
    why: 'Ends at midnight Pacific time; asked once an hour it is never missed by more than one.',
  },
  {
    name: 'gmail-rate',
    class: 'rate_limited',
    scope: 'account',
    when: [
      {
        providers,
        statuses: [403],
        reasons: ['ratelimitexceeded', 'userratelimitexceeded', 'quotaexceeded', 'resource_exhausted'],
      },
    ],
    samples: [
      gmail(403, 'rateLimitExceeded', 'Rate Limit Exceeded'),
      gmail(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'),
    ],
  },
];
