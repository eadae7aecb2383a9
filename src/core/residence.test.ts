import { describe, expect, test } from 'vitest';
import { formatResidence, isSameResidence } from './residence.js';

describe('the residence of a database', () => {
  const home = { id: '4711', since: '1000' };

  test.each([
    ['the same file', home, true],
    ['a file of the same number that was made later', { ...home, since: '2000' }, false],
    ['another file', { id: '4712', since: '1000' }, false],
    ['the same file, on a system that does not say since when', { id: '4711' }, true],
  ])('%s', (_, present, same) => {
    expect(isSameResidence(formatResidence(home), present)).toBe(same);
  });

  test('one that was noted without its age is known by the rest', () => {
    expect(isSameResidence(formatResidence({ id: '4711' }), home)).toBe(true);
  });
});
