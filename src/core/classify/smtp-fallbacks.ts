import type { SmtpRule } from './smtp-rule.js';

/** A line that is no answer to what was asked. Before the dot nothing left; after it nobody knows. */
export const SMTP_UNREADABLE: readonly SmtpRule[] = [
  {
    name: 'unreadable-after-dot',
    class: 'in_doubt',
    scope: 'message',
    when: [{ phases: ['reply'], digit: 'other' }],
    samples: [['reply', '354 End data with <CR><LF>.<CR><LF>']],
    why: 'The dot has left and no 4yz or 5yz came back: only a whole refusal is a refusal.',
  },
  {
    name: 'broken-peer',
    class: 'retryable',
    scope: 'account',
    when: [{ digit: 'other' }],
    samples: [
      ['data', '250 2.0.0 Ok'],
      ['auth', '334 VXNlcm5hbWU6'],
    ],
    why: 'A reply out of turn: the connection is dropped, nothing left.',
  },
];

/** What no rule knew by name. The first digit decides; an unknown 5yz never suppresses anyone. */
export const SMTP_FALLBACKS: readonly SmtpRule[] = [
  {
    name: 'housekeeping-refused',
    class: 'retryable',
    scope: 'account',
    when: [{ phases: ['idle', 'rset'] }],
    samples: [
      ['rset', '500 5.5.2 Error: bad syntax'],
      ['idle', '421 4.4.2 mx.example.net Error: timeout exceeded'],
    ],
    why: 'Speaks of a kept connection, not of the mail that would have been next on it.',
  },
  {
    name: 'protocol',
    class: 'permanent',
    scope: 'message',
    when: [{ codes: [500, 501, 502, 503, 504, 555] }],
    samples: [
      ['mail', '555 5.5.4 Unsupported option: BODY=8BITMIME'],
      ['data', '503 5.5.1 Error: need RCPT command'],
      ['rcpt', '501 5.5.4 Syntax error in parameters or arguments'],
    ],
    why: 'The same bytes would get the same answer: a bug here or a broken server there, for a person to see.',
  },
  {
    name: 'server-trouble',
    class: 'retryable',
    scope: 'account',
    when: [{ codes: [421] }, { digit: 4, enhanced: ['X.3.*'] }],
    samples: [
      ['greeting', '421 4.3.0 Temporary System Problem. Try again later'],
      ['mail', '421 4.4.5 Server busy, try again later.'],
      ['reply', '421 4.4.2 mx.example.net Error: timeout exceeded'],
      ['data', '452 4.3.1 Insufficient system storage'],
      ['reply', '451 4.3.0 Error: queue file write error'],
    ],
    why: 'The server has trouble of its own. As an answer to the dot it is a definite no, not a doubt.',
  },
  {
    name: 'temporary',
    class: 'retryable',
    scope: 'message',
    when: [{ digit: 4 }],
    samples: [
      ['reply', '451 4.4.2 Timeout - closing connection.'],
      ['rcpt', '450 4.1.1 <ada@example.org>: Recipient address rejected: unverified address'],
      ['reply', '451 Requested action aborted: local error in processing'],
    ],
    why: 'An unknown 4yz is tried again.',
  },
  {
    name: 'permanent-at-mail',
    class: 'permanent',
    scope: 'account',
    when: [{ phases: ['mail'], digit: 5 }],
    samples: [['mail', '550 Requested action not taken']],
    why: 'No recipient has been named yet: a refusal of MAIL speaks of the sender.',
  },
  {
    name: 'permanent',
    class: 'permanent',
    scope: 'message',
    when: [{ digit: 5 }],
    samples: [
      ['rcpt', '550 Requested action not taken: mailbox unavailable'],
      ['reply', '554 Transaction failed'],
    ],
    why: 'An unknown 5yz ends this message and says nothing certain about the address.',
  },
];
