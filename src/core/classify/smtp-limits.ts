import { DAY, HOUR, MINUTE } from './rules.js';
import type { SmtpRule } from './smtp-rule.js';

/**
 * Too much, too fast, too early, too full. They stand before the rules that read 5yz as an end, because some servers
 * say "not today" with a 5yz.
 */
export const SMTP_LIMITS: readonly SmtpRule[] = [
  {
    name: 'quota-rolling-day',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: HOUR,
    when: [{ words: ['daily message quota exceeded'] }],
    samples: [['reply', '454 Throttling failure: Daily message quota exceeded']],
    why: 'The window rolls: some of it is free again within the hour.',
  },
  {
    name: 'quota-day',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: DAY,
    when: [
      { digit: 5, enhanced: ['X.4.5', 'X.1.90', 'X.7.232-233'] },
      {
        words: [
          'daily user sending',
          'daily sending limit',
          'daily sending quota',
          'daily smtp relay',
          'daily limit for',
          'submissionquotaexceeded',
        ],
      },
    ],
    samples: [
      [
        'reply',
        '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to',
      ],
      ['rcpt', '550 5.7.1 Daily SMTP relay limit exceeded for customer.'],
      [
        'reply',
        "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
      ],
      ['reply', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException'],
    ],
    why: 'A 5yz by its digit, a wait by its meaning: tomorrow the same mail is welcome.',
  },
  {
    name: 'relay-peak',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: 10 * MINUTE,
    when: [{ words: ['relay limit exceeded', 'relay sending limit'] }],
    samples: [['rcpt', '450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.']],
    why: 'The code of a busy recipient, the words of our own relay: the words are right.',
  },
  {
    name: 'recipient-busy',
    class: 'rate_limited',
    scope: 'recipient',
    minimumWaitSeconds: 10 * MINUTE,
    when: [
      { phases: ['rcpt', 'reply'], words: ['receiving mail too quickly', 'receiving mail at a rate'] },
      { phases: ['rcpt', 'reply'], digit: 4, enhanced: ['X.2.1'] },
    ],
    samples: [
      [
        'rcpt',
        '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend later.',
      ],
      [
        'rcpt',
        '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
      ],
    ],
    why: 'Others may still be written to. The 5yz form has the code of a closed mailbox, which this is not.',
  },
  {
    name: 'throttled-by-microsoft',
    class: 'rate_limited',
    scope: 'account',
    when: [{ digit: 4, enhanced: ['X.7.500-699'] }],
    samples: [
      ['mail', '451 4.7.500 Server busy. Please try again later from [192.0.2.7]. (S77714)'],
      [
        'rcpt',
        '451 4.7.650 The mail server [192.0.2.7] has been temporarily rate limited due to IP reputation.',
      ],
    ],
  },
  {
    name: 'throttled-by-ses',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: MINUTE,
    when: [{ codes: [454], words: ['throttling failure', 'maximum sending rate'] }],
    samples: [['reply', '454 Throttling failure: Maximum sending rate exceeded.']],
    why: 'Comes after the data, and is definite all the same.',
  },
  {
    name: 'rate-closing',
    class: 'rate_limited',
    scope: 'account',
    lowerConcurrency: true,
    when: [
      { codes: [421], enhanced: ['X.7.23-32'] },
      {
        codes: [421],
        words: [
          'unusual rate',
          'rate limit',
          'ratelimit',
          'rate-limit',
          'throttl',
          'too many messages',
          'temporarily deferred due to',
          'unexpected volume',
        ],
      },
    ],
    samples: [
      [
        'reply',
        '421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address.',
      ],
      ['reply', '421 4.7.28 Gmail has detected an unusual rate of mail originating from your SPF domain.'],
      ['mail', '421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume'],
    ],
  },
  {
    name: 'rate',
    class: 'rate_limited',
    scope: 'account',
    when: [
      {
        digit: 4,
        words: [
          'unusual rate',
          'rate limit',
          'ratelimit',
          'rate-limit',
          'sending rate',
          'message rate',
          'throttl',
          'too many messages',
          'too much mail',
          'too many emails',
          'sending limit',
        ],
      },
    ],
    samples: [
      ['mail', '450 4.7.1 Error: too much mail from 192.0.2.7'],
      ['rcpt', '451 4.7.1 Ratelimit "bounce_to" exceeded'],
    ],
  },
  {
    name: 'rate-by-the-hour',
    class: 'rate_limited',
    scope: 'account',
    minimumWaitSeconds: HOUR,
    when: [
      {
        digit: 5,
        words: [
          'max emails per hour',
          'failures per hour',
          'messages per hour',
          'hourly limit',
          'hourly sending',
          'rate limit exceeded',
          'sending limit exceeded',
          'unusual sending activity',
        ],
      },
    ],
    samples: [
      ['rcpt', '550 Domain example.org has exceeded the max emails per hour (150/150 (100%)) allowed.'],
      ['reply', '550 5.4.6 Unusual sending activity detected. Please try after sometime.'],
    ],
    why: 'Shared hosts count by the hour and refuse with a 5yz.',
  },
  {
    name: 'greylisting',
    class: 'retryable',
    scope: 'message',
    minimumWaitSeconds: 5 * MINUTE,
    when: [
      { digit: 4, words: ['greylist', 'graylist', 'grey-list', 'gray-list', 'grey list', 'gray list'] },
      { codes: [450, 451], enhanced: ['X.7.0-1'], words: ['try again', 'try later', 'come back'] },
    ],
    samples: [
      [
        'rcpt',
        '450 4.2.0 <ada@example.org>: Recipient address rejected: Greylisted, see http://postgrey.example',
      ],
      ['rcpt', '451 4.7.1 Greylisting in action, please come back in 00:05:00'],
      ['reply', '451 4.7.1 Try again later'],
    ],
    why: 'A try that comes too early starts the clock of many greylists anew.',
  },
  {
    name: 'own-mailbox-full',
    class: 'account',
    scope: 'account',
    when: [{ phases: ['mail'], enhanced: ['X.2.2'] }],
    samples: [['mail', '552 5.2.2 The account you are sending from is over quota']],
    why: 'No recipient has been named yet: the mailbox that is full is ours.',
  },
  {
    name: 'mailbox-full-for-now',
    class: 'retryable',
    scope: 'recipient',
    minimumWaitSeconds: 4 * HOUR,
    softBounce: true,
    when: [
      { phases: ['rcpt', 'reply'], digit: 4, enhanced: ['X.2.2'] },
      {
        phases: ['rcpt', 'reply'],
        digit: 4,
        bare: true,
        words: ['mailbox full', 'mailbox is full', 'over quota', 'out of storage space'],
      },
    ],
    samples: [
      ['rcpt', "452 4.2.2 The recipient's inbox is out of storage space."],
      ['reply', '450 <ada@example.org> mailbox is full'],
    ],
    why: 'A full mailbox is emptied in hours, if at all.',
  },
  {
    name: 'mailbox-full',
    class: 'retryable',
    scope: 'recipient',
    minimumWaitSeconds: DAY,
    softBounce: true,
    when: [
      { phases: ['rcpt', 'reply'], digit: 5, enhanced: ['X.2.2'] },
      {
        phases: ['rcpt', 'reply'],
        codes: [550, 552, 554],
        bare: true,
        words: [
          'mailbox full',
          'mailbox is full',
          'over quota',
          'out of storage space',
          'exceeded storage allocation',
          'mailbox quota',
        ],
      },
    ],
    samples: [
      ['rcpt', '552 5.2.2 The email account that you tried to reach is over quota and inactive.'],
      ['reply', '552 Requested mail action aborted: exceeded storage allocation'],
    ],
    why: 'A 5yz, but people do tidy up: asked once a day, and every refusal counts against the address.',
  },
];
