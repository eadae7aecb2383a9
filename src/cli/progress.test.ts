import { expect, test } from 'vitest';
import { Progress, progressLine } from './progress.js';
import { widthOf } from './table.js';

test('a line tells what is done of how much, and how long the rest may take', () => {
  expect(progressLine('retrying', 2_412, 3_600, 1_500, 100, true)).toBe(
    `retrying  ${'█'.repeat(24)}${'░'.repeat(12)}  2,412 / 3,600   67 %   under 1 s left`,
  );
  expect(progressLine('retrying', 900, 3_600, 10_000, 100, false)).toBe(
    `retrying  ${'#'.repeat(9)}${'.'.repeat(27)}  900 / 3,600   25 %   about 30 s left`,
  );
  expect(progressLine('retrying', 0, 100, 0, 100, true)).toMatch(/░ {2}0 \/ 100 {3}0 %$/);
});

test.each([20, 30, 40, 60, 80, 120])('it stays on one line of %i', (columns) => {
  const line = progressLine('dismissing', 123_456, 1_000_000, 99_000, columns, true);
  expect(widthOf(line)).toBeLessThan(columns);
  expect(line).toContain('123,456'.slice(0, 3));
});

test('more than was announced is not more than all', () => {
  expect(progressLine('retrying', 120, 100, 1_000, 80, true)).toContain('120 / 120   100 %');
});

test('on a terminal it is drawn ten times a second and wiped; in a pipe not at all', () => {
  const drawn: string[] = [];
  const write = (text: string) => drawn.push(text);
  const shown = new Progress('retrying', 1_000, { isTTY: true, columns: 80, write });
  for (let done = 0; done < 1_000; done += 1) shown.at(done);
  shown.end();
  expect(drawn.length).toBeLessThan(10);
  expect(drawn.at(-1)).toBe('\r\u001b[2K');
  const silent: string[] = [];
  const piped = new Progress('retrying', 10, { write: (text: string) => silent.push(text) });
  piped.at(5);
  piped.end();
  expect(silent).toEqual([]);
});
