import { describe, expect, test } from 'vitest';
import { table, widthOf, type Column } from './table.js';

type Row = readonly [state: string, to: string, subject: string, tries: string];
const COLUMNS: Column<Row>[] = [
  { title: 'STATE', text: ([state]) => state },
  { title: 'TO', text: ([, to]) => to, gives: { order: 3, least: 8 } },
  { title: 'SUBJECT', text: ([, , subject]) => subject, gives: { order: 1, least: 10 } },
  { title: 'TRIES', text: ([, , , tries]) => tries, gives: { order: 2, least: 0 } },
];
const ROWS: Row[] = [
  ['Sent', 'ada@example.org', 'Your booking at Harbour House', '1/5'],
  ['Dead', 'b@example.org', 'Short', '5/5'],
];

test('with room enough every column is as wide as its widest cell', () => {
  expect(table(ROWS, COLUMNS, 80)).toBe(
    [
      'STATE  TO               SUBJECT                        TRIES',
      'Sent   ada@example.org  Your booking at Harbour House  1/5',
      'Dead   b@example.org    Short                          5/5',
    ].join('\n'),
  );
});

describe('in a narrow terminal', () => {
  test('the subject is cut first', () => {
    const [, first, second] = table(ROWS, COLUMNS, 45).split('\n');
    expect(first).toBe('Sent   ada@example.org  Your booking …  1/5');
    expect(second).toBe('Dead   b@example.org    Short           5/5');
  });

  test('then the tries go, then the address is cut, and what cannot give way stays', () => {
    expect(table(ROWS, COLUMNS, 35).split('\n')[1]).toBe('Sent   ada@example.org  Your book…');
    expect(table(ROWS, COLUMNS, 30).split('\n')[1]).toBe('Sent   ada@exampl…  Your book…');
    expect(table(ROWS, COLUMNS, 1).split('\n')[1]).toBe('Sent   ada@exa…  Your book…');
  });

  test.each([20, 30, 40, 50, 60, 80])('no line is wider than it must be, at %i', (width) => {
    const narrowest = 5 + 2 + 8 + 2 + 10;
    for (const line of table(ROWS, COLUMNS, width).split('\n')) {
      expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, narrowest));
    }
  });
});

test.each([
  ['', 0],
  ['abc', 3],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['日本語', 6],
  ['👍', 2],
  ['👩‍👩‍👧‍👦', 2],
  ['\u001b[31mred\u001b[39m', 3],
])('%j takes %i places', (text, places) => {
  expect(widthOf(text)).toBe(places);
});

test('columns stay in line behind wide characters, also when they are cut', () => {
  const rows: Row[] = [
    ['a', '日本語日本語', 'x', '1'],
    ['b', 'plain', 'y', '2'],
  ];
  const lines = table(
    rows,
    [COLUMNS[0]!, { ...COLUMNS[1]!, gives: { order: 1, least: 4 } }, COLUMNS[3]!],
    20,
  ).split('\n');
  expect(lines[1]).toBe('a      日本…   1');
  expect(lines[2]).toBe('b      plain   2');
});
