import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectCost } from '../../test/cost.js';
import { fingerprintOf, normaliseErrorText } from './fingerprint.js';

const CAUSES: Record<string, [string, string, ...string[]]> = {
  'Gmail, no such user': [
    "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser a640c23a62f3a-b2e3abcdef1si123456766b.12 - gsmtp",
    "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser 98e67ed59e1d1-2e9e1f0a2bdsi7654321a91.101 - gsmtp",
  ],
  'Gmail, unlikely to be wanted': [
    '5.7.1 [192.0.2.7      19] Our system has detected that this message is likely unsolicited mail. d9443c01a7336-2a1b2c3d4e5sm1234565ad.88 - gsmtp',
    '5.7.1 [2001:db8::25  1] Our system has detected that this message is likely unsolicited mail. af79cd13be357-8b0c1d2e3fsm99887766a.3 - gsmtp',
  ],
  'Outlook, no such recipient': [
    '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.org not found by SMTP address lookup [DM6NAM10FT012.eop-nam10.prod.protection.outlook.com 2026-11-15T20:20:20.123Z 08DE24AABBCC1234]',
    '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient grace.hopper@example.com not found by SMTP address lookup [AM7EUR03FT034.eop-EUR03.prod.protection.outlook.com 2026-11-16T01:02:03.004Z 08DE24FFEEDD0099]',
  ],
  'Outlook, access denied': [
    '5.4.1 Recipient address rejected: Access denied. For more information see https://aka.ms/EXOSmtpErrors [BN8NAM12FT055.eop-nam12.prod.protection.outlook.com 2026-11-15T20:20:20.123Z 08DE24AABBCC1234]',
    '5.4.1 Recipient address rejected: Access denied. For more information see https://aka.ms/EXOSmtpErrors [VI1EUR04FT003.eop-eur04.prod.protection.outlook.com 2026-12-01T00:00:00.999Z 08DE2500112233AA]',
  ],
  'Postfix, unknown user': [
    '5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
    '5.1.1 <j.o-b+x@mail.example.net>: Recipient address rejected: User unknown in virtual mailbox table',
  ],
  'Postfix, unknown domain': [
    '5.1.2 <ada@example.invalid>: Recipient address rejected: Domain not found',
    '5.1.2 <bob@nowhere.invalid>: Recipient address rejected: Domain not found',
  ],
  'Postfix, block list': [
    '5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7',
    '5.7.1 Service unavailable; Client host [198.51.100.23] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/198.51.100.23',
  ],
  'Postfix, milter with a queue id': [
    '5.7.1 4cXyZ12Qmnz9RhT: message content rejected, id=12345-06, from MTA(smtp:[127.0.0.1]:10025)',
    '5.7.1 4dBcD34Wxyz7KlM: message content rejected, id=99-11, from MTA(smtp:[127.0.0.1]:10027)',
  ],
  'SES, not verified': [
    'Message rejected: Email address is not verified. The following identities failed the check in region US-EAST-1: ada@example.org, bob@example.org',
    'Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-2: eve@example.com',
  ],
  'SES, rate': [
    'Throttling failure: Maximum sending rate exceeded. 0100018f0a1b2c3d-11111111-2222-3333-4444-555555555555-000000',
    'Throttling failure: Maximum sending rate exceeded. 0102018f9f8e7d6c-99999999-8888-7777-6666-555544443333-000000',
  ],
  'too large': [
    '5.3.4 Message size 12345678 exceeds size limit 10485760 of server mx1.example.org',
    '5.3.4 Message size 987654321 exceeds size limit 26214400 of server mx-12.mail.example.net',
  ],
  template: [
    'template "open-seat" has no locale \'fr-CA\' (asked Sat, 03 Oct 2026 10:00:00 GMT)',
    'template "welcome back, friend" has no locale \'de\' (asked Mon, 12 Jan 2026 09:59:01 GMT)',
  ],
};

const fingerprint = (message: string) =>
  fingerprintOf({ transport: 'smtp', class: 'permanent', code: '550', message });

test.each(Object.entries(CAUSES))('%s is one group, whoever it happened to', (_, [first, ...others]) => {
  for (const other of others) expect(normaliseErrorText(other)).toBe(normaliseErrorText(first));
});

test('twelve causes are twelve groups', () => {
  const texts = Object.values(CAUSES).flat();
  expect(new Set(texts.map(fingerprint)).size).toBe(Object.keys(CAUSES).length);
  expect(Object.keys(CAUSES)).toHaveLength(12);
});

test('transport, class and code tell groups apart', () => {
  const death = { transport: 'smtp', class: 'permanent', code: '550 5.7.1', message: 'no' };
  const all = [
    death,
    { ...death, transport: 'gmail' },
    { ...death, class: 'recipient' },
    { ...death, code: '554' },
  ];
  expect(new Set(all.map(fingerprintOf)).size).toBe(4);
});

test('the fingerprint is 16 hex digits and does not change from release to release', () => {
  expect(fingerprint('5.1.1 <ada@example.org>: Recipient address rejected: User unknown')).toBe(
    'b146a4d9223740b3',
  );
});

test('two texts that were cut at different words are still one group', () => {
  const cut = (id: string) =>
    `host mx.example.org, ${id}: ${'this mailbox takes no mail from strangers '.repeat(20)}`.slice(0, 500);
  expect(cut('a1b2c3d4e5f60718293a4b5c').slice(-20)).not.toBe(cut('99ff').slice(-20));
  expect(fingerprint(cut('a1b2c3d4e5f60718293a4b5c'))).toBe(fingerprint(cut('99ff0011')));
});

describe('placeholders', () => {
  test.each([
    ['write to Ada.Lovelace+x@Example.ORG now', 'write to <address> now'],
    ['see https://example.org/a?b=c#d.', 'see <url>.'],
    ['from [192.0.2.7]:25', 'from [<ip>]<n>'],
    ['from ipv6:2001:db8::1', 'from <ip>'],
    ['550-5.1.1 at 12:30:01', '<n> at <time>'],
    ['id 123e4567-e89b-12d3-a456-426614174000', 'id <id>'],
    ['queued as 4cXyZ12Qmnz9RhT.', 'queued as <id>.'],
    ['(S77714) [TSS04] in 300s', '(s<n>) [tss<n>] in <n>s'],
    ["the domain's owner can't", "the domain's owner can't"],
    ["user 'ada x' unknown", 'user <quoted> unknown'],
    ['host mx1.example.org said', 'host <host> said'],
    ['to a@x.org, b@y.org, c@z.org', 'to <address>'],
    ['  two\r\n lines ', 'two lines'],
  ])('%j becomes %j', (text, normalised) => {
    expect(normaliseErrorText(text)).toBe(normalised);
  });
});

test('any text is normalised to a short, well-formed line', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 600 }), (units) => {
      const text = String.fromCharCode(...units);
      const line = normaliseErrorText(text);
      expect(line.length).toBeLessThanOrEqual(200);
      expect(line.isWellFormed()).toBe(true);
      expect(fingerprint(text)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});

test.each([
  ['one word', 'a1'.repeat(50_000)],
  ['quotes', `"'`.repeat(50_000)],
  ['dots', 'a.'.repeat(50_000)],
  ['dates', 'mon, 1 jan '.repeat(9_000)],
  ['repetitions', '1 '.repeat(50_000)],
])('100 KB of %s cost a few milliseconds', (_, text) => {
  expectCost(() => normaliseErrorText(text), 5);
});
