import { MINUTE } from './rules.js';
import type { SmtpRule } from './smtp-rule.js';

/** Connection, TLS and sign-in: whoever's mail it is, the next one would fare the same. */
export const SMTP_SESSION: readonly SmtpRule[] = [
  {
    name: 'too-many-connections',
    class: 'rate_limited',
    scope: 'account',
    lowerConcurrency: true,
    when: [
      {
        words: [
          'too many connections',
          'too many concurrent',
          'too many sessions',
          'too many simultaneous',
          'concurrent connections',
          'maximum number of connections',
          'connection limit',
          'connections limit',
          'thread limit',
        ],
      },
      { codes: [432], enhanced: ['X.3.2'] },
    ],
    samples: [
      ['greeting', '421 4.7.0 mx.example.net Error: too many connections from 192.0.2.7'],
      ['reply', '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded'],
      ['mail', '421 Too many concurrent SMTP connections; please try again later.'],
      ['greeting', '554 5.7.0 Too many simultaneous connections from 192.0.2.7'],
    ],
  },
  {
    name: 'sign-in-unavailable',
    class: 'account',
    scope: 'account',
    minimumWaitSeconds: 15 * MINUTE,
    when: [
      { phases: ['auth'], codes: [435, 454] },
      {
        digit: 4,
        words: ['temporary authentication', 'too many login attempts', 'cannot authenticate due to'],
      },
    ],
    samples: [
      ['auth', '454 4.7.0 Too many login attempts, please try again later.'],
      ['mail', '454 4.7.0 Cannot authenticate due to temporary system problem. Try again later.'],
    ],
    why: 'Soft, so the account rests and is asked again by itself. Sooner would bring the lock-out nearer.',
  },
  {
    name: 'sign-in-refused',
    class: 'account',
    scope: 'account',
    when: [
      { phases: ['auth'], digit: 5 },
      { phases: ['auth'], codes: [432], enhanced: ['X.7.12'] },
    ],
    samples: [
      ['auth', '535 5.7.8 Username and Password not accepted.'],
      ['auth', '534 5.7.9 Application-specific password required.'],
      [
        'auth',
        '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
      ],
      ['auth', '538 5.7.11 Encryption required for requested authentication mechanism'],
      ['auth', '504 5.7.4 Unrecognized authentication type'],
      ['auth', '432 4.7.12 A password transition is needed'],
    ],
    why: 'At once and until a person has looked: every further try brings the lock-out nearer.',
  },
  {
    name: 'restricted-group',
    class: 'permanent',
    scope: 'message',
    when: [{ digit: 5, words: ['resolver.rst.'] }],
    samples: [
      [
        'rcpt',
        '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
      ],
    ],
    why: 'Says "authentication required" and means that a list takes no mail from outside: our account is fine.',
  },
  {
    name: 'sign-in-required',
    class: 'account',
    scope: 'account',
    when: [
      { codes: [530, 534, 535, 538] },
      { codes: [523], words: ['encrypt'] },
      { digit: 5, enhanced: ['X.7.8', 'X.7.11', 'X.7.57'] },
      {
        digit: 5,
        words: [
          'authentication required',
          'authorization required',
          'authentication is required',
          'auth required',
          'must authenticate',
          'must be authenticated',
          'client was not authenticated',
          'client not authenticated',
          'please authenticate',
          'authenticate first',
          'invalid credentials for relay',
        ],
      },
    ],
    samples: [
      ['mail', '530 5.7.0 Must issue a STARTTLS command first.'],
      ['mail', '530 5.7.57 Client not authenticated to send mail.'],
      ['mail', '503 AUTH command used when not advertised; authorization required'],
      ['mail', '523 5.7.10 Encryption Needed'],
      [
        'rcpt',
        '550 5.7.1 Invalid credentials for relay [192.0.2.7]. The IP address has not been registered.',
      ],
    ],
  },
  {
    name: 'starttls-down',
    class: 'retryable',
    scope: 'account',
    when: [
      { phases: ['tls'], digit: 4 },
      { codes: [454], words: ['tls not available'] },
    ],
    samples: [['tls', '454 4.7.0 TLS not available due to local problem']],
    why: 'Never a reason to go on in clear.',
  },
  {
    name: 'session-refused',
    class: 'account',
    scope: 'account',
    when: [{ phases: ['connect', 'tls', 'greeting', 'ehlo'], digit: 5 }],
    samples: [
      ['greeting', '554 5.7.1 mx.example.net No SMTP service for 192.0.2.7'],
      ['greeting', '521 mx.example.net does not accept mail'],
      ['tls', '502 5.5.1 STARTTLS not supported'],
      ['ehlo', '550 5.7.1 Command rejected: HELO name is not ours to use'],
    ],
    why: 'We were turned away before any mail was named.',
  },
];
