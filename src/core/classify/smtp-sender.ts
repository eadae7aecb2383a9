import type { SmtpRule } from './smtp-rule.js';

/**
 * Answers that speak of us: our address, our domain's records, our reputation, our content. Many servers give them
 * at RCPT, because they check the sender there; not one of them may suppress a recipient.
 */
export const SMTP_SENDER: readonly SmtpRule[] = [
  {
    name: 'sender-doubted-for-now',
    class: 'retryable',
    scope: 'account',
    when: [
      { digit: 4, enhanced: ['X.1.7-8', 'X.7.20-27'] },
      {
        digit: 4,
        words: ['sender address rejected', 'reverse hostname', 'cannot find your hostname', 'blocked using'],
      },
    ],
    samples: [
      ['rcpt', '450 4.1.8 <news@example.org>: Sender address rejected: Domain not found'],
      ['rcpt', '450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.7]'],
      ['rcpt', '451 4.7.1 Service unavailable; Client host [192.0.2.7] blocked using bl.example.net'],
    ],
    why: 'Often a resolver that did not answer in time: worth another try before a person is called.',
  },
  {
    name: 'sender-refused',
    class: 'account',
    scope: 'account',
    when: [
      { digit: 5, enhanced: ['X.1.7-8', 'X.7.60'] },
      { phases: ['mail'], digit: 5, enhanced: ['X.1.*'] },
      {
        digit: 5,
        words: [
          'sender address rejected',
          'sender rejected',
          'sender verify failed',
          'sendasdenied',
          'send as this sender',
          'not owned by user',
          'email address is not verified',
        ],
      },
    ],
    samples: [
      ['rcpt', '550 5.1.8 <news@example.org>: Sender address rejected: Domain not found'],
      [
        'rcpt',
        '550 5.1.0 <news@example.org>: Sender address rejected: User unknown in local recipient table',
      ],
      ['reply', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
      ['mail', '553 5.7.1 <news@example.org>: Sender address rejected: not owned by user ada'],
      ['mail', '550 5.1.1 Mailbox does not exist'],
      [
        'reply',
        '554 Message rejected: Email address is not verified. The following identities failed the check',
      ],
    ],
    why: 'Some of these say "user unknown" and mean ours.',
  },
  {
    name: 'domain-not-authenticated',
    class: 'account',
    scope: 'account',
    when: [
      { digit: 5, enhanced: ['X.7.20-27', 'X.7.29-30', 'X.7.32', 'X.7.509', 'X.7.515'] },
      { digit: 5, words: ['dmarc policy', 'dmarc verification', 'spf check', 'spf fail', 'fails spf'] },
    ],
    samples: [
      ['reply', '550 5.7.26 Your email has been blocked because the sender is unauthenticated.'],
      ['reply', '550 5.7.25 The IP address sending this message does not have a PTR record setup'],
      [
        'reply',
        '550 5.7.515 Access denied, sending domain example.org does not meet the required authentication level.',
      ],
      [
        'reply',
        "550 5.7.1 Unauthenticated email from example.org is not accepted due to domain's DMARC policy.",
      ],
    ],
    why: 'SPF, DKIM, DMARC or PTR: a record of our domain is missing, and every mail will meet it.',
  },
  {
    name: 'blocked-by-recipient',
    class: 'permanent',
    scope: 'message',
    when: [
      {
        digit: 5,
        words: [
          'blocked by recipient',
          'blocked by the recipient',
          'blacklisted by recipient',
          'blacklisted by the recipient',
          'recipient has blocked',
        ],
      },
    ],
    samples: [['rcpt', '550 5.7.1 <news@example.org>: Sender blacklisted by recipient']],
    why: 'One person does not want us; that is no reason to stop writing to everyone.',
  },
  {
    name: 'sender-blocked',
    class: 'account',
    scope: 'account',
    when: [
      { digit: 5, enhanced: ['X.7.501-511', 'X.7.606-649', 'X.7.700-750'] },
      {
        digit: 5,
        words: [
          'blocked using',
          'block list',
          'blocklist',
          'blacklist',
          'dnsbl',
          'is listed at',
          'is listed on',
          'is listed in',
          'spamhaus',
          'spamcop',
          'banned sending ip',
          'traffic not accepted from this ip',
          'your ip address has been blocked',
        ],
      },
    ],
    samples: [
      ['rcpt', '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.example.net'],
      ['rcpt', '550 5.7.606 Access denied, banned sending IP [192.0.2.7]'],
      ['mail', '550 5.7.501 Access denied, spam abuse detected.'],
      ['mail', '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.'],
      [
        'mail',
        "550 SC-001 Unfortunately, messages from 192.0.2.7 weren't sent. Part of their network is on our block list.",
      ],
    ],
    why: 'Going on makes it worse, and the recipients are innocent.',
  },
  {
    name: 'relay-denied',
    class: 'permanent',
    scope: 'account',
    when: [
      {
        digit: 5,
        words: [
          'relay access denied',
          'relaying denied',
          'unable to relay',
          'relay not permitted',
          'relaying not allowed',
          'relay denied',
        ],
      },
    ],
    samples: [
      ['rcpt', '554 5.7.1 <ada@example.org>: Relay access denied'],
      ['rcpt', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
    ],
    why: 'Ends this message, and says that the server is the wrong one or does not know us.',
  },
  {
    name: 'reputation',
    class: 'permanent',
    scope: 'account',
    when: [{ digit: 5, words: ['low reputation', 'poor reputation', 'bad reputation'] }],
    samples: [
      [
        'reply',
        '550 5.7.1 [192.0.2.7] Our system has detected that this message is likely suspicious due to the very low reputation of the sending IP address.',
      ],
    ],
    why: 'Judged mail by mail, so it ends the mail; many of them pause the account through its health.',
  },
  {
    name: 'too-large',
    class: 'permanent',
    scope: 'message',
    when: [
      { digit: 5, enhanced: ['X.3.4', 'X.2.3'] },
      { codes: [523] },
      {
        digit: 5,
        words: [
          'message size exceeds',
          'size limit',
          'too large',
          'too big',
          'maximum message size',
          'exceeds fixed limit',
        ],
      },
    ],
    samples: [
      ['mail', '552 5.3.4 Message size exceeds fixed limit'],
      ['rcpt', '550 5.2.3 Message length exceeds administrative limit'],
      ['reply', '523 the message exceeds the maximum size that the mailbox takes'],
    ],
  },
  {
    name: 'address-needs-utf8',
    class: 'permanent',
    scope: 'message',
    when: [{ digit: 5, enhanced: ['X.6.7-9'] }],
    samples: [
      ['rcpt', '553 5.6.7 Non-ASCII addresses not permitted for that recipient'],
      ['mail', '550 5.6.7 SMTPUTF8 is required, but was not offered'],
    ],
    why: 'The way cannot carry the address; the address itself may be in perfect order.',
  },
  {
    name: 'policy-at-mail',
    class: 'permanent',
    scope: 'account',
    when: [{ phases: ['mail'], digit: 5, enhanced: ['X.7.*'] }],
    samples: [['mail', '550 5.7.1 Access denied']],
    why: 'Neither recipient nor content is known yet: the policy is about who we are.',
  },
  {
    name: 'content-or-policy',
    class: 'permanent',
    scope: 'message',
    when: [
      { digit: 5, enhanced: ['X.7.*'] },
      { digit: 5, words: ['quarantined'] },
      {
        digit: 5,
        bare: true,
        words: [
          ...['spam', 'unsolicited', 'policy reasons', 'content rejected', 'virus', 'malware'],
          'administrative prohibition',
        ],
      },
    ],
    samples: [
      ['reply', '550 5.7.1 Our system has detected that this message is likely unsolicited mail.'],
      ['rcpt', '550 5.7.1 No such user!'],
      ['reply', '554 Message rejected as spam by content filter'],
      ['rcpt', '550 Administrative prohibition'],
      ['reply', '550 5.2.1 Content Filter agent quarantined this message'],
      ['reply', '554 5.7.9 Message not accepted for policy reasons.'],
    ],
    why: 'Policy speaks of sender or content. Some servers file unknown users here; better one mail too many than an innocent address suppressed.',
  },
];
