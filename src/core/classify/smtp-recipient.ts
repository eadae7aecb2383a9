import type { SmtpPhase, SmtpRule } from './smtp-rule.js';

/** Only RCPT and the answer to the dot come after a recipient has been named and are about it. */
const RECIPIENT_PHASES: readonly SmtpPhase[] = ['rcpt', 'reply'];

export const SMTP_RECIPIENT: readonly SmtpRule[] = [
  {
    name: 'too-many-recipients',
    class: 'retryable',
    scope: 'message',
    when: [
      { enhanced: ['X.5.3'] },
      { words: ['too many recipients'] },
      { phases: ['rcpt'], codes: [552], bare: true },
    ],
    samples: [
      ['rcpt', '452 4.5.3 Your message has too many recipients.'],
      ['rcpt', '552 Too many recipients'],
      [
        'rcpt',
        '452 4.5.3 Domain policy size per transaction exceeded, please try this recipient separately.',
      ],
    ],
    why: 'RFC 5321 4.5.3.1.10: also as a 552, it is temporary and says nothing about the recipient.',
  },
  {
    name: 'host-takes-no-mail',
    class: 'recipient',
    scope: 'recipient',
    when: [{ phases: RECIPIENT_PHASES, codes: [521, 556] }],
    samples: [
      ['rcpt', '556 5.1.10 Recipient address has null MX'],
      ['rcpt', '521 5.3.2 Host does not accept mail'],
    ],
    why: 'RFC 7504 and RFC 7505: the domain says that it will never take mail.',
  },
  {
    name: 'no-such-mailbox',
    class: 'recipient',
    scope: 'recipient',
    when: [
      { phases: RECIPIENT_PHASES, digit: 5, enhanced: ['X.1.1', 'X.1.6', 'X.1.10', 'X.2.1'] },
      {
        phases: RECIPIENT_PHASES,
        digit: 5,
        words: [
          'user unknown',
          'unknown user',
          'no such user',
          'user not found',
          'no such recipient',
          'unknown recipient',
          'recipient unknown',
          'no such mailbox',
          'no mailbox here',
          'mailbox not found',
          'mailbox does not exist',
          'user does not exist',
          'account does not exist',
          'account has been disabled',
          'mailbox disabled',
          'invalid recipient',
          'no such person at this address',
        ],
      },
    ],
    samples: [
      [
        'rcpt',
        '550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in local recipient table',
      ],
      ['rcpt', '550 5.1.1 The email account that you tried to reach does not exist.'],
      ['rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
      ['rcpt', '550 5.2.1 The email account that you tried to reach is disabled.'],
      ['rcpt', '550 5.1.6 Recipient no longer on server'],
      ['reply', '554 delivery error: dd This user does not have a mailbox here: no such user'],
      ['rcpt', '550 #5.1.0 Address rejected. Unknown user'],
      ['rcpt', '550 Invalid recipient: <ada@example.org>'],
      ['rcpt', '550 No such person at this address'],
    ],
  },
  {
    name: 'domain-unknown',
    class: 'permanent',
    scope: 'recipient',
    softBounce: true,
    when: [
      { phases: RECIPIENT_PHASES, digit: 5, enhanced: ['X.1.2', 'X.4.4', 'X.4.310'] },
      {
        phases: RECIPIENT_PHASES,
        digit: 5,
        bare: true,
        words: ['domain not found', 'host unknown', 'unknown host', 'no such domain', 'unrouteable address'],
      },
    ],
    samples: [
      ['rcpt', '550 5.1.2 <ada@example.invalid>: Recipient address rejected: Domain not found'],
      ['rcpt', '550 5.4.4 <ada@example.invalid>: Host not found'],
      ['rcpt', '550 5.4.310 DNS domain example.invalid does not exist'],
      ['rcpt', '550 Unrouteable address'],
    ],
    why: 'A name server can be wrong for an hour; an address is suppressed only when it happens again.',
  },
  {
    name: 'edge-blocked',
    class: 'permanent',
    scope: 'recipient',
    softBounce: true,
    when: [{ phases: RECIPIENT_PHASES, digit: 5, enhanced: ['X.4.1'] }],
    samples: [['rcpt', '550 5.4.1 Recipient address rejected: Access denied.']],
    why: 'Usually an unknown recipient, at times a directory that is out of step: again, a repetition decides.',
  },
  {
    name: 'bad-address',
    class: 'permanent',
    scope: 'recipient',
    when: [
      { phases: RECIPIENT_PHASES, digit: 5, enhanced: ['X.1.3'] },
      {
        phases: ['rcpt'],
        codes: [501, 553],
        words: ['malformed address', 'bad recipient address', 'invalid address'],
      },
    ],
    samples: [
      ['rcpt', '501 5.1.3 Bad recipient address syntax'],
      ['rcpt', '553 5.1.3 The recipient address is not a valid RFC 5321 address.'],
    ],
    why: 'The server cannot read the address; there is no mailbox whose owner should be left alone.',
  },
  {
    name: 'not-local',
    class: 'permanent',
    scope: 'recipient',
    when: [{ phases: RECIPIENT_PHASES, codes: [551] }],
    samples: [['rcpt', '551 User not local; please try <ada@example.net>']],
  },
  {
    name: 'loop',
    class: 'permanent',
    scope: 'message',
    when: [{ digit: 5, enhanced: ['X.4.6', 'X.4.14'] }],
    samples: [['reply', '554 5.4.6 Too many hops']],
  },
  {
    name: 'no-valid-recipients',
    class: 'permanent',
    scope: 'message',
    when: [
      {
        phases: ['data', 'envelope', 'reply'],
        codes: [503, 554],
        words: ['no valid recipients', 'no recipients', 'valid rcpt'],
      },
    ],
    samples: [
      ['data', '554 5.5.1 Error: no valid recipients'],
      ['data', '503 5.5.1 Error: valid RCPT command must precede DATA'],
    ],
    why: 'Follows from the answers to RCPT: the verdict is theirs, and this one is used only if they are missing.',
  },
];
