import { expect, test } from 'vitest';
import { Line } from './line.js';

const tickets = (of: string, ...numbers: number[]) => numbers.map((n) => ({ of, n }));
const names = (taken: readonly { of: string; n: number }[]) =>
  taken.map(({ of, n }) => `${of}${n}`).join(' ');

test('everybody has his turn, whatever others have brought before', () => {
  const line = new Line<{ of: string; n: number }>();
  line.push(tickets('a', 1, 2, 3, 4, 5));
  line.push(tickets('b', 1, 2));
  expect(names(line.take(2))).toBe('a1 a2');
  expect(names(line.take(3))).toBe('b1 b2 a3');
  expect(names(line.take(9))).toBe('a4 a5');
  expect(line.take(9)).toEqual([]);
  expect(line.length).toBe(0);
});

test('what was not done goes back: who stood first to the end, the others before all', () => {
  const line = new Line<{ of: string; n: number }>();
  line.push(tickets('a', 1, 2, 3));
  line.push(tickets('b', 1));
  line.push(tickets('c', 1, 2));
  const taken = line.take(5);
  expect(names(taken)).toBe('a1 a2 a3 b1 c1');
  line.putBack(taken.slice(1), 'a');
  expect(line.length).toBe(5);
  expect(names(line.take(9))).toBe('b1 c1 c2 a2 a3');
});

test('the rest of who stood first stays behind what he had back', () => {
  const line = new Line<{ of: string; n: number }>();
  line.push(tickets('a', 1, 2, 3, 4));
  line.push(tickets('b', 1));
  const taken = line.take(2);
  line.putBack(taken.slice(1), 'a');
  expect(names(line.take(9))).toBe('b1 a2 a3 a4');
});

test('what is to be tried alone is, and first', () => {
  const line = new Line<{ of: string; n: number }>();
  line.push(tickets('a', 1, 2));
  line.pushAlone(tickets('b', 7, 8));
  expect([names(line.take(9)), names(line.take(9)), names(line.take(9))]).toEqual(['b7', 'b8', 'a1 a2']);
  line.push(tickets('a', 3));
  line.pushAlone(tickets('a', 9));
  expect(names(line.takeAll())).toBe('a9 a3');
  expect(line.length).toBe(0);
});
