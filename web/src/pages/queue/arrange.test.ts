import { expect, test } from 'vitest';
import type { Message } from '../../api/types';
import { arrange } from './arrange';

const message = (number: number, state = 'queued') => ({ id: `m${number}`, number, state }) as Message;

test('a list that may move shows the newest answer', () => {
  const latest = [message(3), message(2)];
  expect(arrange([message(1)], latest, true)).toEqual({ items: latest, waiting: 0, missing: [] });
  expect(arrange([], latest, false).items).toBe(latest);
});

test('otherwise cells change in place and new rows wait', () => {
  const { items, waiting, missing } = arrange(
    [message(2), message(1)],
    [message(4), message(3), message(2, 'sent'), message(1)],
    false,
  );
  expect(items).toEqual([message(2, 'sent'), message(1)]);
  expect(waiting).toBe(2);
  expect(missing).toEqual([]);
});

test('a row that left stays until the list may move; what came up from below is not new', () => {
  const { items, waiting, missing } = arrange([message(3), message(2)], [message(3), message(1)], false);
  expect(items.map(({ number }) => number)).toEqual([3, 2]);
  expect(waiting).toBe(0);
  expect(missing).toEqual([message(2)]);
});
