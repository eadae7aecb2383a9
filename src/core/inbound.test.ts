import { expect, test } from 'vitest';
import { judgeBounce } from './inbound.js';

test.each([
  [{}, 'hard'],
  [{ permanent: true }, 'hard'],
  [{ permanent: false }, 'soft'],
  [{ code: '550 5.1.1' }, 'hard'],
  [{ code: '5.1.1', diagnostic: '550 5.1.1 no such user' }, 'hard'],
  [{ code: '452', diagnostic: '4.2.2 mailbox full' }, 'soft'],
  [{ diagnostic: 'smtp; 452 4.2.2 the mailbox is full' }, 'soft'],
  [{ code: '5.2.2', permanent: false }, 'soft'],
  [{ code: '550 5.7.1', diagnostic: 'client host blocked using bl.example' }, 'sender'],
  [{ code: '554 5.7.1', permanent: true }, 'sender'],
  [{ code: '4.4.1', permanent: true }, 'hard'],
  [{ code: 'nonsense', diagnostic: 'x'.repeat(10_000) }, 'hard'],
] as const)('a bounce that says %j is %s', (report, verdict) => {
  expect(judgeBounce(report)).toBe(verdict);
});
