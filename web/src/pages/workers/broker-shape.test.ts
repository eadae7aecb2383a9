import { expect, test } from 'vitest';
import { areaOf, awayOf, X, Y } from './broker-shape';

const point = (queued: number, away = false) => ({ queued, away });

test('the line goes from edge to edge, and its area down to the ground', () => {
  const { line, area } = areaOf([point(0), point(50), point(100)], 100);
  const middle = (X.left + X.right) / 2;
  expect(line).toBe(`M${X.left} ${Y.bottom}L${middle} ${(Y.top + Y.bottom) / 2}L${X.right} ${Y.top}`);
  expect(area).toBe(`${line}L${X.right} ${Y.bottom}L${X.left} ${Y.bottom}Z`);
});

test('nothing, or a single point, is drawn without a fault', () => {
  expect(areaOf([], 1)).toEqual({ line: '', area: '' });
  expect(areaOf([point(0)], 0).line).toBe(`M${X.left} ${Y.bottom}`);
});

test('an outage is one stretch, however long', () => {
  const series = [point(1), point(0, true), point(0, true), point(3), point(0, true)];
  expect(awayOf(series)).toEqual([
    [1, 2],
    [4, 4],
  ]);
});
