import { describe, expect, test } from 'vitest';
import { dmarcNames, judgeRecords, type SenderRecords, type TxtAnswer } from './sender-records.js';

const KEY = 'MIIBIjANBgkq+/w==';
const record = { name: 'pillarbox._domainkey.example.org', value: `v=DKIM1; k=rsa; p=${KEY}` };
const signed = (answer: TxtAnswer, domain = 'example.org') => ({ domain, record, answer });
const WELL: SenderRecords = {
  domain: 'example.org',
  spf: ['google-site-verification=x', 'v=spf1 mx -all'],
  dmarc: [{ name: '_dmarc.example.org', answer: ['v=DMARC1; p=Reject'] }],
  dkim: signed([record.value]),
};
const found = (over: Partial<SenderRecords>, kind: string) =>
  judgeRecords({ ...WELL, ...over }).find((finding) => finding.kind === kind);

test('what is whole is said to be', () => {
  expect(judgeRecords(WELL)).toEqual([
    { kind: 'spf', level: 'fine', sentence: 'example.org says who sends for it: v=spf1 mx -all' },
    { kind: 'dkim', level: 'fine', sentence: `${record.name} has the key that we sign with.` },
    { kind: 'dmarc', level: 'fine', sentence: '_dmarc.example.org asks receivers: p=reject.' },
  ]);
});

describe('SPF', () => {
  test.each<[string, TxtAnswer, string, RegExp]>([
    ['none', ['v=spf10 mx'], 'look', /Publish a TXT record: v=spf1/],
    ['two', ['v=spf1 mx -all', 'V=SPF1 a -all'], 'act', /has 2 SPF records/],
    ['one that lets everybody send', ['v=spf1 +all'], 'act', /lets everybody send/],
    ['no answer', 'unanswered', 'look', /DNS did not answer about example\.org/],
  ])('%s', (_what, spf, level, sentence) => {
    expect(found({ spf }, 'spf')).toMatchObject({
      level,
      sentence: expect.stringMatching(sentence) as string,
    });
  });
});

describe('DKIM', () => {
  test.each<[string, SenderRecords['dkim'], string, RegExp]>([
    ['not signed here', null, 'look', /well if its server signs it/],
    ['not published', signed([]), 'act', /is not published.*Publish a TXT record for pillarbox\._domainkey/],
    ['withdrawn', signed(['v=DKIM1; p=']), 'act', /is not published/],
    ['another key', signed(['v=DKIM1; k=rsa; p=AAAA']), 'act', /another key than ours/],
    ['for another domain', signed([record.value], 'example.com'), 'look', /DMARC does not count it/],
    ['no answer', signed('unanswered'), 'look', /DNS did not answer/],
    ['for the domain above', signed([record.value], 'org.example.org'), 'fine', /has the key/],
    ['written with blanks', signed([`v=DKIM1;k=rsa;p=MIIBIjAN Bgkq+/w==`]), 'fine', /has the key/],
  ])('%s', (_what, dkim, level, sentence) => {
    expect(found({ dkim }, 'dkim')).toMatchObject({
      level,
      sentence: expect.stringMatching(sentence) as string,
    });
  });
});

describe('DMARC', () => {
  const at = (...answers: TxtAnswer[]) => ({
    dmarc: answers.map((answer, i) => ({
      name: `_dmarc.${'x.'.repeat(answers.length - 1 - i)}example.org`,
      answer,
    })),
  });
  test.each<[string, Partial<SenderRecords>, string, RegExp]>([
    ['none', at([], []), 'look', /Publish a TXT record for _dmarc\.example\.org/],
    [
      'of the domain above',
      at([], ['v=DMARC1;p=none']),
      'fine',
      /_dmarc\.example\.org asks receivers: p=none/,
    ],
    ['two', at(['v=DMARC1; p=none', 'v=DMARC1; p=reject']), 'act', /has 2 DMARC records/],
    ['without a policy', at(['v=DMARC1; rua=mailto:a@example.org']), 'act', /names no policy/],
    ['no answer', at('unanswered', ['v=DMARC1;p=none']), 'look', /DNS did not answer/],
  ])('%s', (_what, over, level, sentence) => {
    expect(found(over, 'dmarc')).toMatchObject({
      level,
      sentence: expect.stringMatching(sentence) as string,
    });
  });

  test('is looked for from the domain upwards, and not for a whole top level', () => {
    expect(dmarcNames('a.b.example.org')).toEqual([
      '_dmarc.a.b.example.org',
      '_dmarc.b.example.org',
      '_dmarc.example.org',
    ]);
    expect(dmarcNames('x.'.repeat(100) + 'org')).toHaveLength(7);
  });
});

test('what strangers publish is quoted without controls, and not at length', () => {
  const [spf] = judgeRecords({ ...WELL, spf: [`v=spf1 \u001b[31m${'a'.repeat(5_000)} -all`] });
  expect(spf?.sentence).toMatch(/v=spf1 \?\[31ma+…$/);
  expect(spf?.sentence.length).toBeLessThan(300);
});
