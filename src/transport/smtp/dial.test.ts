import { describe, expect, test } from 'vitest';
import { inTurn } from './dial.js';

describe('addresses are tried', () => {
  const both = ['2001:470::1', '2001:470::2', '198.41.0.1', '198.41.0.2'];

  test('one of each family in turn, beginning with what the resolver put first', () => {
    expect(inTurn(both)).toEqual(['2001:470::1', '198.41.0.1', '2001:470::2', '198.41.0.2']);
    expect(inTurn(both.toReversed())).toEqual(['198.41.0.2', '2001:470::2', '198.41.0.1', '2001:470::1']);
  });

  test('beginning with the family that answered last', () => {
    expect(inTurn(both, 4)).toEqual(['198.41.0.1', '2001:470::1', '198.41.0.2', '2001:470::2']);
    expect(inTurn(['198.41.0.1'], 6)).toEqual(['198.41.0.1']);
  });

  test('as far as there are any, and not more than six', () => {
    expect(inTurn([])).toEqual([]);
    expect(inTurn(['::1', '127.0.0.1', '127.0.0.2', '127.0.0.3'])).toEqual([
      ...['::1', '127.0.0.1', '127.0.0.2', '127.0.0.3'],
    ]);
    expect(inTurn(Array.from({ length: 50 }, (_, n) => `198.41.0.${String(n)}`))).toHaveLength(6);
  });
});
