import type { HttpProvider, HttpRule, HttpSample } from './http-rule.js';
import { HOUR } from './rules.js';

const providers: readonly HttpProvider[] = ['http'];

const named = (status: number, name: string, message: string): HttpSample => ({
  provider: 'http',
  status,
  body: { statusCode: status, name, message },
  idempotent: true,
});

/** Providers that take an idempotency key, Resend's names for their errors first. */
export const HTTP_PROVIDER_RULES: readonly HttpRule[] = [
  {
    name: 'key-in-progress',
    class: 'retryable',
    scope: 'message',
    when: [
      { providers, statuses: [409], reasons: ['concurrent_idempotent_requests'] },
      { providers, statuses: [409], words: ['in progress'] },
    ],
    samples: [
      named(
        409,
        'concurrent_idempotent_requests',
        'Same idempotency key used while original request is still in progress.',
      ),
    ],
    why: 'The first copy is still on its way in; asked again, the key tells what became of it.',
  },
  {
    name: 'key-conflict',
    class: 'permanent',
    scope: 'message',
    when: [{ providers, statuses: [409] }],
    samples: [
      named(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.'),
    ],
    why: 'The key stands for other bytes there: sending on would break the promise of one key, one mail.',
  },
  {
    name: 'quota-day-http',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: HOUR,
    when: [{ providers, statuses: [429], reasons: ['daily_quota_exceeded', 'monthly_quota_exceeded'] }],
    samples: [named(429, 'daily_quota_exceeded', 'You have reached your daily email quota.')],
  },
  {
    name: 'bad-recipient-http',
    class: 'permanent',
    scope: 'recipient',
    when: [{ providers, statuses: [400, 422], words: ['invalid `to` field', 'invalid to field'] }],
    samples: [
      named(
        422,
        'validation_error',
        'Invalid `to` field. The email address needs to follow the email@example.com format.',
      ),
    ],
  },
  {
    name: 'wrong-address-of-provider',
    class: 'account',
    scope: 'account',
    when: [{ providers, statuses: [404, 405, 410] }],
    samples: [named(404, 'not_found', 'The requested endpoint does not exist.')],
    why: 'Every message would meet it: better that they wait than that they die of a typing mistake.',
  },
  {
    name: 'unavailable-until',
    class: 'rate_limited',
    scope: 'account',
    when: [{ providers, statuses: [503], saysWhen: true }],
    samples: [{ provider: 'http', status: 503, headers: { 'retry-after': '120' } }],
    why: 'A server that says when to come back has decided not to do the work.',
  },
];

/** What a status means in general. */
export const HTTP_FALLBACKS: readonly HttpRule[] = [
  {
    name: 'not-allowed',
    class: 'account',
    scope: 'account',
    when: [{ statuses: [401, 402, 403, 407] }],
    samples: [
      {
        provider: 'gmail',
        status: 401,
        body: { error: { code: 401, status: 'UNAUTHENTICATED', message: 'Invalid Credentials' } },
      },
      {
        provider: 'gmail',
        status: 403,
        body: { error: { code: 403, errors: [{ reason: 'domainPolicy' }] } },
      },
      {
        provider: 'gmail',
        status: 403,
        body: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } },
      },
      {
        provider: 'gmail',
        status: 403,
        body: { error: { code: 403, errors: [{ reason: 'accessNotConfigured' }] } },
      },
      { provider: 'unipile', status: 403, body: { type: 'errors/insufficient_permissions' } },
      named(403, 'invalid_api_key', 'API key is invalid.'),
    ],
    why: 'A transport that can refresh its token does so once before it asks for a verdict.',
  },
  {
    name: 'rate-http',
    class: 'rate_limited',
    scope: 'account',
    when: [{ statuses: [408, 425, 429] }],
    samples: [
      {
        provider: 'gmail',
        status: 429,
        body: {
          error: {
            code: 429,
            message: 'User-rate limit exceeded (Mail sending). Retry after 2026-10-03T10:00:00.000Z',
          },
        },
      },
      { provider: 'unipile', status: 429, body: { type: 'api/too_many_requests' } },
      { provider: 'http', status: 429, headers: { 'retry-after': '2' }, idempotent: true },
      { provider: 'http', status: 425, idempotent: true },
    ],
  },
  {
    name: 'too-large-http',
    class: 'permanent',
    scope: 'message',
    when: [{ statuses: [413] }],
    samples: [{ provider: 'gmail', status: 413, body: 'Request Entity Too Large' }],
  },
  {
    name: 'redirected',
    class: 'permanent',
    scope: 'account',
    when: [{ statuses: ['3xx'] }],
    samples: [
      {
        provider: 'http',
        status: 302,
        headers: { location: 'https://login.example.net/' },
        idempotent: true,
      },
    ],
    why: 'Credentials and mail are not carried to where somebody points.',
  },
  {
    name: 'refused-http',
    class: 'permanent',
    scope: 'message',
    when: [{ statuses: ['4xx'] }],
    samples: [
      {
        provider: 'gmail',
        status: 400,
        body: { error: { code: 400, errors: [{ reason: 'invalidArgument' }] } },
      },
      { provider: 'unipile', status: 400, body: { type: 'provider/invalid_parameters' } },
      { provider: 'unipile', status: 422, body: { type: 'errors/unprocessable_entity' } },
      named(422, 'missing_required_field', 'Missing `subject` field.'),
    ],
    why: 'The same request would get the same answer.',
  },
  {
    name: 'server-failed-but-keyed',
    class: 'retryable',
    scope: 'account',
    when: [{ idempotent: true }],
    samples: [
      { provider: 'http', status: 500, body: { name: 'internal_server_error' }, idempotent: true },
      { provider: 'http', status: 504, body: 'upstream request timeout', idempotent: true },
    ],
    why: 'Whatever it did with the first, the key keeps the second from being another mail.',
  },
  {
    name: 'server-failed',
    class: 'in_doubt',
    scope: 'message',
    when: [{}],
    samples: [
      {
        provider: 'gmail',
        status: 503,
        body: { error: { code: 503, status: 'UNAVAILABLE' } },
        headers: { 'retry-after': '30' },
      },
      {
        provider: 'gmail',
        status: 500,
        body: { error: { code: 500, message: 'Internal error encountered.' } },
      },
      { provider: 'unipile', status: 504, body: { type: 'errors/request_timeout' } },
    ],
    why: 'The POST left and without a key nobody can say whether the mail went too.',
  },
];
