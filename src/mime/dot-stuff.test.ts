import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dotStuff } from './dot-stuff.js';

const stuffed = (text: string): string => dotStuff(Buffer.from(text, 'latin1')).toString('latin1');

test('a mail without leading dots comes back as it is, not as a copy', () => {
  const bytes = Buffer.from('Subject: a\r\n\r\nb. c\r\n');
  expect(dotStuff(bytes)).toBe(bytes);
});

describe('anything else', () => {
  test.each([
    ['.\r\n', '..\r\n'],
    ['.a\r\n..b\r\nc\r\n', '..a\r\n...b\r\nc\r\n'],
    ['a\r\n.\r\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\n.\r\nMAIL FROM:<x@y>\r\n', 'a\r\n..\r\nMAIL FROM:<x@y>\r\n'],
    ['a\r.\rb', 'a\r\n..\r\nb\r\n'],
    ['a', 'a\r\n'],
    ['a\r\n.', 'a\r\n..\r\n'],
    ['', '\r\n'],
  ])('%j becomes %j', (raw, wire) => {
    expect(stuffed(raw)).toBe(wire);
  });

  test('never holds a line with a dot alone, and gives its lines back', () => {
    const raw = fc
      .array(fc.constantFrom('\r', '\n', '\r\n', '.', 'a', '\xff'))
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(raw, (text) => {
        const wire = stuffed(text);
        expect(wire).not.toMatch(/(?:^|[\r\n])\.(?:[\r\n]|$)/);
        expect(wire.endsWith('\r\n')).toBe(true);
        const lines = (of: string): string[] => of.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
        expect(lines(wire).map((line) => line.replace(/^\./, ''))).toEqual(lines(text));
      }),
      { numRuns: 2_000, seed: 42 },
    );
  });

  test('of 10 MB with a dot on every line is quick', () => {
    const startedAt = performance.now();
    expect(dotStuff(Buffer.alloc(10_000_000, '.line\r\n')).length).toBeGreaterThan(11_000_000);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
