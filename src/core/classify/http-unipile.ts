import type { HttpProvider, HttpRule, HttpSample } from './http-rule.js';
import { HOUR } from './rules.js';

const providers: readonly HttpProvider[] = ['unipile'];

const unipile = (status: number, type: string, detail: string): HttpSample => ({
  provider: 'unipile',
  status,
  body: { object: 'Error', status, type, title: type.slice(type.indexOf('/') + 1), detail },
});

/** By the last part of the RFC 7807 `type`: `errors/…` in version 1, `api/…` and `provider/…` in version 2. */
export const UNIPILE_RULES: readonly HttpRule[] = [
  {
    name: 'unipile-limit',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: HOUR,
    when: [
      {
        providers,
        statuses: ['4xx'],
        reasons: [
          'limit_exceeded',
          'cannot_resend_yet',
          'cannot_resend_within_24hrs',
          'connection_limit_reached',
        ],
      },
    ],
    samples: [unipile(422, 'errors/cannot_resend_yet', 'You have reached a temporary provider limit.')],
    why: "A 422 by its status, the network's own limit by its meaning. The windows are long.",
  },
  {
    name: 'unipile-unreachable',
    class: 'retryable',
    scope: 'account',
    when: [{ providers, statuses: ['4xx'], reasons: ['provider_unreachable'] }],
    samples: [unipile(422, 'errors/provider_unreachable', 'The mail server could not be reached.')],
    why: 'A definite answer that nothing reached the network.',
  },
  {
    name: 'unipile-account',
    class: 'account',
    scope: 'account',
    when: [
      {
        providers,
        statuses: ['4xx'],
        reasons: [
          'disconnected_account',
          'expired_credentials',
          'invalid_credentials',
          'insufficient_credentials',
          'invalid_authorization',
          'invalid_auth_format',
          'invalid_account',
          'account_restricted',
          'account_configuration_error',
          'checkpoint_error',
          'insufficient_credits',
          'payment_error',
          'feature_not_subscribed',
          'subscription_required',
          'send_as_denied',
          'sender_rejected',
          'ip_rejected_by_server',
          'unauthorized',
        ],
      },
      { providers, statuses: [404], words: ['account'] },
    ],
    samples: [
      unipile(
        401,
        'errors/disconnected_account',
        'The account appears to be disconnected from the provider service.',
      ),
      unipile(401, 'provider/invalid_authorization', 'Account requires re-authentication.'),
      unipile(422, 'errors/insufficient_credits', 'Not enough InMail credits.'),
      unipile(404, 'errors/resource_not_found', 'Account not found'),
    ],
    why: 'Only the owner of the account can put this right.',
  },
  {
    name: 'unipile-recipient',
    class: 'permanent',
    scope: 'recipient',
    when: [
      {
        providers,
        statuses: ['4xx'],
        reasons: [
          'invalid_recipient',
          'recipient_rejected',
          'blocked_recipient',
          'user_unreachable',
          'no_connection_with_recipient',
          'not_allowed_inmail',
        ],
      },
    ],
    samples: [
      unipile(422, 'errors/no_connection_with_recipient', 'The recipient is not a first degree connection.'),
    ],
    why: 'Often a matter of this network only: no address is suppressed for it.',
  },
  {
    name: 'unipile-not-found',
    class: 'permanent',
    scope: 'message',
    when: [{ providers, statuses: [404] }],
    samples: [unipile(404, 'errors/invalid_resource_identifier', 'No such profile or thread.')],
  },
];
