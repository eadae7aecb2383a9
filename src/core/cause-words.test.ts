import { expect, test } from 'vitest';
import { causeWords, changeWords } from './cause-words.js';

const cause = (code: string, sample = '', kind = 'permanent' as const) => ({ class: kind, code, sample });

test.each([
  ['550 5.1.1', 'no such user', 'The mailbox does not exist'],
  ['452 4.2.2', 'over quota', 'The mailbox is full'],
  ['552 5.3.4', 'too large', 'The message is larger than the receiver takes'],
  ['535 5.7.8', 'bad credentials', 'The server refused the sign-in'],
  ['550 5.7.1', 'blocked using sbl.example', 'The sender is on a blocklist'],
  ['550 5.7.26', 'unauthenticated', 'The receiver refuses it by its policy'],
  ['451 4.3.0', 'try later', 'The server had trouble of its own'],
  ['ETIMEDOUT', '', 'The server did not answer in time'],
  ['poison', '5 workers in a row were lost', 'Its worker was lost every time it was tried'],
  ['CERT_HAS_EXPIRED', '', 'No encrypted connection that can be trusted'],
])('%s %s: %s', (code, sample, words) => {
  expect(causeWords(cause(code, sample))).toBe(words);
});

test('what no rule knows is said in the words of the server, cut where a line ends', () => {
  expect(causeWords(cause('999', ' Some\r\n reason '))).toBe('Some reason');
  expect(causeWords(cause('999', 'x'.repeat(500)))).toHaveLength(90);
  expect(causeWords(cause('999'))).toBe('Code 999, without a word');
});

test('some causes say what to change', () => {
  expect(changeWords(cause('552 5.3.4', 'too large'))).toBe('Send it smaller, or as a link.');
  expect(changeWords(cause('550 5.1.1', 'no such user'))).toBeUndefined();
});
