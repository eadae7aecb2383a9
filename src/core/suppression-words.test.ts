import { expect, test } from 'vitest';
import type { Suppression } from './suppression.js';
import { saidWords } from './suppression-words.js';

const BOUNCED: Suppression = {
  ...{ address: 'bob@example.org', reason: 'hard_bounce', lanes: null, createdAt: 0 },
  ...{ messageId: 1, note: null, actor: null },
};

test('what a server said comes with its code, and without the address that stands beside it', () => {
  const text = '<Bob@example.org>: Recipient address rejected';
  expect(saidWords(BOUNCED, { code: '550 5.1.1', text })).toBe('550 5.1.1 Recipient address rejected');
  expect(saidWords(BOUNCED, { code: null, text: '<eve@example.org>: gone' })).toBe('<eve@example.org>: gone');
  expect(saidWords(BOUNCED, { code: '550', text: '550 no such user' })).toBe('550 no such user');
  expect(saidWords(BOUNCED, null)).toBe('the mailbox is gone');
  expect(saidWords({ ...BOUNCED, reason: 'soft_bounces' }, { code: '452 4.2.2', text: 'full' })).toBe(
    'three times in 7 days: 452 4.2.2 full',
  );
});
