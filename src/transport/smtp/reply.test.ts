import { describe, expect, test } from 'vitest';

import { ReplyReader, replyText, wantsFewerConnections, type Reply } from './reply.js';

const read = (
  ...chunks: (string | Buffer)[]
): { replies: Reply[]; fault: string | undefined; midReply: boolean } => {
  const reader = new ReplyReader();
  const replies = chunks.flatMap((chunk) => reader.read(Buffer.from(chunk as string)));
  return { replies, fault: reader.fault, midReply: reader.midReply };
};
const replyOf = (text: string | Buffer): Reply => {
  const [reply] = read(text).replies;
  if (!reply) throw new Error('no reply');
  return reply;
};

describe('the reader of replies', () => {
  const text = '250-first\r\n250 2.1.0 second\r\n354\r\n550-5.1.1 no\r\n550 5.1.1 user\r\n';
  const whole = read(text).replies;

  test('knows lines, codes and enhanced codes', () => {
    expect(whole).toEqual([
      { code: 250, lines: ['first', '2.1.0 second'], enhanced: '2.1.0' },
      { code: 354, lines: [''] },
      { code: 550, lines: ['5.1.1 no', '5.1.1 user'], enhanced: '5.1.1' },
    ]);
  });

  test('reads the same replies from every way to cut the bytes', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read(text.slice(0, cut), text.slice(cut)).replies).toEqual(whole);
    }
    expect(read(...Array.from(text)).replies).toEqual(whole);
  });

  test('says when it is in the middle of a reply', () => {
    expect(read('250 ok\r\n').midReply).toBe(false);
    for (const part of ['2', '250', '250 ok', '250 ok\r', '250-ok\r\n'])
      expect(read(part).midReply).toBe(true);
  });

  test.each([
    'hello world\r\n',
    '2nd server here\r\n',
    '25\r\n',
    '\r\n',
    '250ok\r\n',
    '250_ok\r\n',
    ' 250 ok\r\n',
    '150 ok\r\n',
    '650 ok\r\n',
    '999 ok\r\n',
    '\0\0\0\0\r\n',
    '\x16\x03\x01\x02\n',
    '٢٥٠ ok\r\n',
  ])('does not take %j for a reply', (line) => {
    const { replies, fault } = read(line, '250 ok\r\n');
    expect(replies).toEqual([]);
    expect(fault).toBe('a line that is not a reply');
  });

  test('gives the replies before a fault and none after it', () => {
    const { replies, fault } = read('250 ok\r\nwhat\r\n250 ok\r\n', '250 ok\r\n');
    expect(replies).toHaveLength(1);
    expect(fault).toBeDefined();
  });

  test('refuses a code that changes inside a reply', () => {
    expect(read('250-a\r\n550 b\r\n')).toMatchObject({
      replies: [],
      fault: 'a code that changed inside a reply',
    });
  });

  test('keeps no more than one bounded reply of whatever is sent', () => {
    expect(read('250 ' + 'x'.repeat(5_000)).fault).toBe('a reply line without end');
    expect(read('250 ' + 'x'.repeat(5_000) + '\r\n').fault).toBeDefined();
    expect(read(...Array<string>(40_000).fill('250-\r\n')).fault).toBe('a reply without end');
    expect(read('250 ' + 'x'.repeat(4_000) + '\r\n').fault).toBeUndefined();
  });

  test('reads text as UTF-8 where it is that, else as Latin-1', () => {
    expect(replyOf('550 größe\r\n').lines).toEqual(['größe']);
    expect(replyOf(Buffer.from('550 größe\r\n', 'latin1')).lines).toEqual(['größe']);
  });
});

describe('the text of a reply', () => {
  test('is one line without the repeated codes', () => {
    expect(replyText(replyOf('550-5.1.1 The account\r\n550 5.1.1 does not exist\r\n'))).toBe(
      'The account does not exist',
    );
  });

  test('has no controls, no direction marks, and at most 500 characters', () => {
    expect(replyText(replyOf('550 a\tb\x1b[31m\u202ec\u2028d\r\n'))).toBe('a b [31m c d');
    const long = replyText(replyOf(`550 ${'😀'.repeat(400)}\r\n`));
    expect(long.length).toBeLessThanOrEqual(500);
    expect(long.isWellFormed()).toBe(true);
  });
});

test.each([
  ['421 4.7.0 Too many concurrent SMTP connections; please try again later.', true],
  ['432 4.3.2 Concurrent connections limit exceeded', true],
  ['421 4.4.5 Too many sessions from your address', true],
  ['421 4.3.2 Connection timed out', false],
  ['450 4.2.1 The user has exceeded their mail limit', false],
  ['554 5.7.1 Too many connections', false],
])('%j asks for fewer connections: %s', (line, expected) => {
  expect(wantsFewerConnections(replyOf(`${line}\r\n`))).toBe(expected);
});
