import { describe, expect, test } from 'vitest';
import { SecretBox } from './secret-box.js';

const SECRET = 'a secret that nobody guesses';
const FORMER = 'the one before';
const PLACE = 'accounts.transport 7';
const box = new SecretBox([SECRET], 'here');
const fault = (text: string): unknown =>
  expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(text) });

describe('a sealed text', () => {
  test.each(['', 'hunter2', 'smtp://ada:p%40ss@mail.example.org', '密码 🔑', 'x'.repeat(100_000)])(
    'opens as it was',
    (text) => {
      expect(box.open(box.seal(text, PLACE), PLACE)).toBe(text);
    },
  );

  test('shows neither the text nor the secret, and is never the same twice', () => {
    const [one, two] = [box.seal('hunter2', PLACE), box.seal('hunter2', PLACE)];
    expect(one).not.toBe(two);
    for (const part of one.split('.')) {
      const bytes = Buffer.from(part, 'base64url').toString('latin1');
      expect(bytes).not.toContain('hunter2');
      expect(bytes).not.toContain(SECRET);
    }
  });

  test('does not open in another place', () => {
    expect(() => box.open(box.seal('hunter2', PLACE), 'accounts.transport 8')).toThrow(
      fault('enter them again'),
    );
  });

  test('does not open when any of its bytes was changed', () => {
    const sealed = box.seal('hunter2', PLACE);
    const [version, id, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const again = [version, id, changed.toString('base64url')].join('.');
      expect(() => box.open(again, PLACE)).toThrow(fault('enter them again'));
    }
  });

  test.each(['', 'v1', 'v1.AAAAAAAA', 'v2.AAAAAAAA.AAAA', 'hunter2', 'v1.AAAAAAAA.'])(
    'is not any text that looks like one: %j',
    (text) => {
      expect(() => box.open(text, PLACE)).toThrow(fault('PILLARBOX_SECRET'));
      expect(() => box.checkKey(text)).toThrow(fault('PILLARBOX_SECRET'));
    },
  );
});

describe('another secret', () => {
  test('does not open it, and says what to do', () => {
    const other = new SecretBox([FORMER], 'here');
    expect(() => other.open(box.seal('hunter2', PLACE), PLACE)).toThrow(fault('PILLARBOX_SECRET_FORMER'));
    expect(() => other.checkKey(box.seal('hunter2', PLACE))).toThrow(fault('PILLARBOX_SECRET_FORMER'));
  });

  test('in another installation the same secret is another key', () => {
    const other = new SecretBox([SECRET], 'there');
    expect(() => other.checkKey(box.seal('hunter2', PLACE))).toThrow(fault('PILLARBOX_SECRET_FORMER'));
  });

  test('given as a former one it opens, but seals nothing more', () => {
    const old = new SecretBox([FORMER], 'here').seal('hunter2', PLACE);
    const both = new SecretBox([SECRET, FORMER], 'here');
    expect(both.open(old, PLACE)).toBe('hunter2');
    expect(both.isCurrent(old)).toBe(false);
    const fresh = both.seal('hunter2', PLACE);
    expect(both.isCurrent(fresh)).toBe(true);
    expect(box.open(fresh, PLACE)).toBe('hunter2');
  });

  test('none at all keeps nothing, and says which setting is missing', () => {
    const none = new SecretBox([], 'here');
    expect(() => none.seal('hunter2', PLACE)).toThrow(fault('PILLARBOX_SECRET: is needed'));
    expect(() => none.open(box.seal('hunter2', PLACE), PLACE)).toThrow(fault('PILLARBOX_SECRET: is needed'));
  });
});
