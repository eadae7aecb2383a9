import { expect, test } from 'vitest';
import { expiryOf } from './key-life';

test('a key ends after whole days from now, or not at all', () => {
  const now = Date.parse('2026-11-16T09:30:00Z');
  expect(expiryOf('never', now)).toBeNull();
  expect(expiryOf('90', now)).toBe('2027-02-14T09:30:00.000Z');
});
