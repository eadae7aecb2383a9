import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatId, formatMessageId, parseId, parseMessageId } from './ids.js';

const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('public ids', () => {
  test('read back to the number they stand for and never hold the separator of keys', () => {
    fc.assert(
      fc.property(number, (id) => {
        const text = formatId('message', id);
        expect(text).toMatch(/^msg_[0-9a-z]+$/);
        expect(parseId('message', text)).toBe(id);
      }),
    );
  });

  test('whatever could not have been made is no id', () => {
    for (const text of [
      '',
      'msg_',
      'msg_0',
      'msg_01',
      'msg_i',
      'MSG_1',
      'acc_1',
      'msg_1 ',
      'msg_zzzzzzzzzzzz',
      '1',
    ]) {
      expect(parseId('message', text), text).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = parseId('message', text);
        if (id !== undefined) expect(formatId('message', id)).toBe(text);
      }),
    );
  });

  test('Message-IDs differ by message and by installation', () => {
    expect(formatMessageId(33, 'ab12', 'example.org')).toBe('<msg_11.ab12@example.org>');
    expect(formatMessageId(33, 'cd34', 'example.org')).not.toBe(formatMessageId(33, 'ab12', 'example.org'));
  });

  test('Message-IDs of this installation read back to their message, brackets or not; others to none', () => {
    fc.assert(
      fc.property(number, (id) => {
        const text = formatMessageId(id, 'ab12', 'example.org');
        expect(parseMessageId(text, 'ab12')).toBe(id);
        expect(parseMessageId(text.slice(1, -1), 'ab12')).toBe(id);
        expect(parseMessageId(text, 'cd34')).toBeUndefined();
      }),
    );
    for (const text of [
      '',
      '<>',
      'msg_11',
      '<msg_11.ab12@>',
      '<msg_11.ab12@a b>',
      '<msg_0.ab12@example.org>',
    ])
      expect(parseMessageId(text, 'ab12'), text).toBeUndefined();
  });
});
