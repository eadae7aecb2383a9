import { expect, test } from 'vitest';
import { addressesIn, piecesOf } from './addresses-in';

test('takes the address of each line, whatever stands beside it, and knows the line again', () => {
  const file = 'E-Mail;Name\r\n"bob@example.org";Bob\n\nnobody\nEve,eve@example.org,\t\n';
  expect(addressesIn(file)).toEqual([
    { line: 2, email: 'bob@example.org' },
    { line: 4, email: 'nobody' },
    { line: 5, email: 'eve@example.org' },
  ]);
  expect(addressesIn('address@example.org')).toEqual([{ line: 1, email: 'address@example.org' }]);
  expect(addressesIn(' \n')).toEqual([]);
});

test('cuts them into pieces, the last as large as is left', () => {
  expect(piecesOf([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
  expect(piecesOf([], 2)).toEqual([]);
});
