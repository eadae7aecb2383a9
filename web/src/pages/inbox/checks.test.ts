import { expect, test } from 'vitest';
import type { CaughtMail } from '../../api/types';
import { checksOf } from './checks';

const header = (name: string, value: string) => ({ name, value, raw: `${name}: ${value}` });
const mail = (over: Partial<CaughtMail>): CaughtMail => ({
  ...{ id: 'cgt_1', sender: 'a@b', recipients: ['c@d'], subject: '', receivedAt: '', size: 1 },
  ...{ headers: [header('Message-Id', '<1@b>'), header('Date', 'today')], text: 'Hello' },
  ...{ attachments: [], remoteImages: 0 },
  ...over,
});
const wordsOf = (over: Partial<CaughtMail>) =>
  checksOf(mail(over)).map(({ passed, words }) => `${passed ? '+' : '-'} ${words}`);

test('a good mail passes', () => {
  expect(wordsOf({})).toEqual(['+ Text part present', '+ Message-ID and Date present', '+ No remote images']);
});

test('what is missing or would be fetched is named', () => {
  expect(wordsOf({ text: ' ', html: '<p>', headers: [header('Date', '')], remoteImages: 2 })).toEqual([
    '- No text part beside the HTML',
    '- Message-ID and Date missing',
    '- 2 remote images blocked',
  ]);
});
