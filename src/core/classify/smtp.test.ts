import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectCost } from '../../../test/cost.js';
import { ERROR_CLASSES } from '../report.js';
import type { SmtpPhase } from './smtp-rule.js';
import { classifySmtp, type SmtpReply } from './smtp.js';

const PHASES: readonly SmtpPhase[] = [
  'connect',
  'tls',
  'greeting',
  'ehlo',
  'auth',
  'idle',
  'rset',
  'mail',
  'rcpt',
  'data',
  'envelope',
  'body',
  'gate',
  'reply',
];

const reply = (phase: SmtpPhase, line: string, more: Partial<SmtpReply> = {}): SmtpReply => ({
  phase,
  code: Number(line.slice(0, 3)),
  text: line.slice(4),
  ...more,
});

const judge = (phase: SmtpPhase, line: string, more?: Partial<SmtpReply>) => {
  const { class: errorClass, scope } = classifySmtp(reply(phase, line, more));
  return `${errorClass} ${scope}`;
};

describe('reading a reply', () => {
  test('takes the enhanced code as given, or from the start of the text', () => {
    expect(judge('rcpt', '550 gone', { enhanced: '5.1.1' })).toBe('recipient recipient');
    expect(judge('rcpt', '550 5.1.1 gone')).toBe('recipient recipient');
    expect(judge('rcpt', '550 gone; see 5.1.1')).toBe('permanent message');
  });

  test('does not take an address for an enhanced code', () => {
    expect(judge('rcpt', '550 5.1.1.7 is an address')).toBe('permanent message');
  });

  test('reads a sentence that is broken over lines which repeat the enhanced code', () => {
    const text =
      '5.2.1 The user you are trying to contact is receiving mail at a\r\n5.2.1 rate that prevents';
    expect(classifySmtp({ phase: 'rcpt', code: 550, enhanced: '5.2.1', text })).toMatchObject({
      class: 'rate_limited',
      scope: 'recipient',
    });
  });

  test('believes the first digit of the reply when the enhanced class disagrees', () => {
    expect(judge('rcpt', '450 5.1.1 unknown for now')).toBe('retryable message');
    expect(judge('rcpt', '552 4.2.2 full')).toBe('retryable recipient');
    expect(judge('rcpt', '550 4.3.0 odd')).toBe('permanent message');
  });

  test('suppresses nobody for a reply that contradicts itself', () => {
    expect(judge('rcpt', '550 4.1.1 no such user')).toBe('permanent recipient');
  });

  test('takes a wait that the text asks for', () => {
    expect(classifySmtp(reply('rcpt', '450 4.2.0 Greylisted, try again in 900 seconds'))).toMatchObject({
      minimumWaitSeconds: 300,
      retryAfterSeconds: 900,
    });
    expect(classifySmtp(reply('rcpt', '550 5.1.1 no such user, wait 900 seconds'))).not.toHaveProperty(
      'retryAfterSeconds',
    );
  });
});

describe('who is to blame depends on the phase', () => {
  test('only RCPT and the answer to the dot can suppress an address', () => {
    const guilty = PHASES.filter((phase) => judge(phase, '550 5.1.1 User unknown').startsWith('recipient'));
    expect(guilty).toEqual(['rcpt', 'reply']);
  });

  test('at MAIL the same words speak of our own address', () => {
    expect(judge('mail', '550 5.1.1 User unknown')).toBe('account account');
    expect(judge('mail', '550 nothing known')).toBe('permanent account');
    expect(judge('mail', '552 5.2.2 over quota')).toBe('account account');
  });

  test.each(['greeting', 'ehlo', 'auth', 'tls'] as const)('any 5yz at %s is an account fault', (phase) => {
    expect(judge(phase, '550 5.1.1 User unknown')).toBe('account account');
    expect(judge(phase, '554 no')).toBe('account account');
  });

  test('one answer to the dot for several recipients blames none of them', () => {
    const shared = { recipientCount: 2 };
    expect(judge('reply', '550 5.1.1 User unknown', shared)).toBe('permanent message');
    expect(judge('rcpt', '550 5.1.1 User unknown', shared)).toBe('recipient recipient');
    const full = classifySmtp(reply('reply', '552 5.2.2 over quota', shared));
    expect(full).toMatchObject({ class: 'retryable', scope: 'message' });
    expect(full).not.toHaveProperty('softBounce');
  });

  test('421 in answer to the dot is a definite no, and 354 a doubt', () => {
    expect(judge('reply', '421 4.3.0 closing')).toBe('retryable account');
    expect(judge('reply', '354 go on')).toBe('in_doubt message');
    expect(judge('data', '250 2.0.0 ok')).toBe('retryable account');
  });
});

describe('flags', () => {
  test('too many connections lowers concurrency, a full mailbox is a soft bounce', () => {
    expect(classifySmtp(reply('greeting', '421 too many connections'))).toMatchObject({
      lowerConcurrency: true,
    });
    expect(classifySmtp(reply('rcpt', '452 4.2.2 full'))).toMatchObject({
      softBounce: true,
      minimumWaitSeconds: 4 * 3_600,
    });
  });

  test('the daily limit of Gmail waits a day although it is a 5yz', () => {
    expect(classifySmtp(reply('reply', '550 5.4.5 Daily user sending limit exceeded.'))).toEqual({
      rule: 'quota-day',
      class: 'rate_limited',
      scope: 'account',
      minimumWaitSeconds: 86_400,
    });
  });
});

describe('whatever a server says', () => {
  const phases = fc.constantFrom(...PHASES);
  const words = fc.constantFrom(
    'user unknown',
    'mailbox full',
    'spam',
    'blocked using',
    'rate limit',
    'greylisted',
    'authentication required',
    'too many connections',
    'sender address rejected',
    'relay access denied',
  );
  const texts = fc.oneof(
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.array(fc.oneof(words, fc.string()), { maxLength: 4 }).map((parts) => parts.join(' ')),
  );
  const codes = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.integer(), fc.double());

  test('the verdict has one of the six classes, and a doubt only after the dot', () => {
    fc.assert(
      fc.property(
        phases,
        codes,
        fc.option(texts, { nil: undefined }),
        texts,
        (phase, code, enhanced, text) => {
          const verdict = classifySmtp({ phase, code, text, ...(enhanced !== undefined && { enhanced }) });
          expect(ERROR_CLASSES).toContain(verdict.class);
          if (verdict.class === 'in_doubt') {
            expect(phase).toBe('reply');
            expect(code >= 400 && code < 600).toBe(false);
          }
          if (verdict.class === 'recipient' || verdict.softBounce) expect(['rcpt', 'reply']).toContain(phase);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('5.7.x never suppresses, whatever the text says', () => {
    fc.assert(
      fc.property(
        phases,
        fc.integer({ min: 500, max: 599 }),
        fc.integer({ min: 0, max: 999 }),
        texts,
        (phase, code, detail, text) => {
          const verdict = classifySmtp({ phase, code, enhanced: `5.7.${String(detail)}`, text });
          expect(verdict.class).not.toBe('recipient');
          expect(verdict.softBounce).toBeUndefined();
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('an unknown 5yz ends the message and suppresses nobody; an unknown 4yz is tried again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<SmtpPhase>('rcpt', 'reply'),
        fc.integer({ min: 557, max: 599 }),
        fc.string({ unit: fc.constantFrom('x', 'y', ' ', '.') }),
        (phase, code, text) => {
          expect(classifySmtp({ phase, code, text }).class).toBe('permanent');
          expect(classifySmtp({ phase, code: code - 100, text }).class).toBe('retryable');
        },
      ),
    );
  });

  test.each([
    ['blanks', ' '.repeat(100_000)],
    ['digits', '5.'.repeat(50_000)],
    ['invitations', 'try again '.repeat(10_000)],
    ['waits that never end', 'wait 12'.repeat(15_000)],
    ['line ends', '\r\n'.repeat(50_000)],
  ])('100 KB of %s cost a few milliseconds', (_, text) => {
    expectCost(() => classifySmtp({ phase: 'rcpt', code: 550, text }), 10);
  });
});
