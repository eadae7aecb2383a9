import { describe, expect, test } from 'vitest';
import { encodedWords, parameter } from './words.js';

describe('encoded-words', () => {
  test.each([
    ['Zoë', ['=?UTF-8?B?Wm/Dqw==?=']],
    ['Zoë at Example', ['=?UTF-8?Q?Zo=C3=AB_at_Example?=']],
    ['a  b', ['=?UTF-8?Q?a__b?=']],
    ['=?UTF-8?Q?x?=', ['=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?=']],
    ['日本', ['=?UTF-8?B?5pel5pys?=']],
  ])('of %j are %j', (text, words) => {
    expect(encodedWords(text)).toEqual(words);
  });

  test('begin anew after 64 characters, between whole characters', () => {
    const q = encodedWords(`${'x'.repeat(51)}é${'x'.repeat(52)}`);
    expect(q).toEqual([
      `=?UTF-8?Q?${'x'.repeat(51)}?=`,
      `=?UTF-8?Q?=C3=A9${'x'.repeat(46)}?=`,
      '=?UTF-8?Q?xxxxxx?=',
    ]);
    const b = encodedWords('😀'.repeat(10));
    expect(b).toEqual([
      `=?UTF-8?B?${Buffer.from('😀'.repeat(9)).toString('base64')}?=`,
      '=?UTF-8?B?8J+YgA==?=',
    ]);
  });
});

describe('a parameter', () => {
  test.each([
    ['report.pdf', ';\r\n filename="report.pdf"'],
    ['a "b" \\c.txt', ';\r\n filename="a \\"b\\" \\\\c.txt"'],
    ['a;b=c.txt', ';\r\n filename="a;b=c.txt"'],
    ['Größe.pdf', ';\r\n filename="Gro_e.pdf";\r\n filename*=utf-8\'\'Gr%C3%B6%C3%9Fe.pdf'],
    ["it's =?x?=", ";\r\n filename=\"it's __x__\";\r\n filename*=utf-8''it%27s%20%3D%3Fx%3F%3D"],
  ])('%j is written as %j', (value, written) => {
    expect(parameter('filename', value)).toBe(written);
  });

  test('too long for a line goes on in numbered pieces', () => {
    const written = parameter('filename', `${'日'.repeat(20)}.txt`);
    const [plain, ...pieces] = written.split(';\r\n ').slice(1);
    expect(plain).toBe(`filename="${'_'.repeat(20)}.txt"`);
    expect(pieces.map((piece) => piece.slice(0, 12))).toEqual([
      'filename*0*=',
      'filename*1*=',
      'filename*2*=',
      'filename*3*=',
    ]);
    expect(decodeURIComponent(pieces.map((piece) => piece.slice(12)).join(''))).toBe(
      `utf-8''${'日'.repeat(20)}.txt`,
    );
  });
});
