import { expect, test } from 'vitest';
import { splitArrivals } from './arrivals';

const items = ['d', 'c', 'b', 'a'].map((id) => ({ id }));

test('what came in above the first one waits and is counted', () => {
  expect(splitArrivals(items, 'b')).toEqual({ shown: items.slice(2), arrived: 2 });
});

test('without a first one, or with it still first, all is shown', () => {
  expect(splitArrivals(items, undefined)).toEqual({ shown: items, arrived: 0 });
  expect(splitArrivals(items, 'd')).toEqual({ shown: items, arrived: 0 });
});

test('a first one that is gone holds nothing back', () => {
  expect(splitArrivals(items, 'z')).toEqual({ shown: items, arrived: 0 });
});
