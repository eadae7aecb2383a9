import type { Range } from '../../api/queries';
import type { Series } from '../../api/types';
import { dayOf, timeOf, zoneName } from '../../time/words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MOST_STEPS = 3;

/** Whole, round numbers from 0 to above the most: at most four lines. */
export function ticksUpTo(most: number): readonly number[] {
  const step = roundUp(Math.max(1, most / MOST_STEPS));
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, n) => n * step);
}

/** To 1, 2 or 5 and zeros. */
function roundUp(n: number): number {
  const power = 10 ** Math.floor(Math.log10(n));
  return ([1, 2, 5].find((digit) => digit * power >= n) ?? 10) * power;
}

/** What a series is of, whatever was asked for meanwhile. */
export function rangeOf(series: Series): Range {
  if (stepOf(series) === MINUTE) return '1h';
  return series.length > 24 ? '7d' : '24h';
}

export function stepOf([first, second]: Series): number {
  return first && second ? Date.parse(second.at) - Date.parse(first.at) : MINUTE;
}

export interface Label {
  readonly at: number;
  readonly text: string;
}

/** Room for "09:42", and for "Tue 17 Nov". */
const TIME_PX = 64;
const DAY_PX = 76;

/** Where the time is written: round times of the zone, and the day where it changes. */
export function labelsOf(series: Series, zone: string, widthPx: number): readonly Label[] {
  const points = series.map(({ at }) => Date.parse(at));
  if (rangeOf(series) === '7d') {
    const days = points.filter((_, n) => isNewDay(points, n, zone));
    return thinned(days, widthPx, DAY_PX).map((at) => ({ at, text: dayOf(at, zone) }));
  }
  const unit = rangeOf(series) === '1h' ? MINUTE : HOUR;
  const every = (unit === MINUTE ? [10, 15, 20, 30] : [3, 4, 6, 12]).find(
    (each) => (points.length / each) * TIME_PX <= widthPx,
  );
  return points
    .filter((at) => wallUnits(at, unit, zone) % (every ?? points.length) === 0)
    .map((at) => ({ at, text: isMidnight(at, zone) ? dayOf(at, zone) : timeOf(at, zone) }));
}

/** Where the day changes, or the clock. */
export interface Mark {
  readonly at: number;
  /** Of the clock: the name of the time that begins here. */
  readonly text: string | undefined;
}

export function marksOf(series: Series, zone: string): readonly Mark[] {
  const points = series.map(({ at }) => Date.parse(at));
  return points.flatMap((at, n) => {
    const before = points[n - 1];
    if (before === undefined) return [];
    const changed = offsetOf(at, zone) !== offsetOf(before, zone);
    if (!changed && !isNewDay(points, n, zone)) return [];
    return [{ at, text: changed ? `clock changes to ${zoneName(zone, at)}` : undefined }];
  });
}

/** "10:10 EST", "Mon 16 Nov, 10:00–11:00 EST": the exact stretch that is counted. */
export function stretchWords(at: number, stepMs: number, zone: string): string {
  const name = zoneName(zone, at);
  if (stepMs === MINUTE) return `${timeOf(at, zone)} ${name}`;
  return `${dayOf(at, zone)}, ${timeOf(at, zone)}–${timeOf(at + stepMs, zone)} ${name}`;
}

function isNewDay(points: readonly number[], n: number, zone: string): boolean {
  const [before, at] = [points[n - 1], points[n]];
  return before !== undefined && at !== undefined && dayOf(before, zone) !== dayOf(at, zone);
}

const isMidnight = (at: number, zone: string): boolean => timeOf(at, zone) === '00:00';

/** Minutes or hours that a clock on the wall there shows. */
function wallUnits(at: number, unit: number, zone: string): number {
  const [hours = 0, minutes = 0] = timeOf(at, zone).split(':').map(Number);
  return unit === MINUTE ? hours * 60 + minutes : hours;
}

/** How far the wall clock is ahead of UTC, within a day. */
function offsetOf(at: number, zone: string): number {
  const day = 24 * 60;
  return (wallUnits(at, MINUTE, zone) - wallUnits(at, MINUTE, 'UTC') + day) % day;
}

function thinned<T>(all: readonly T[], widthPx: number, eachPx: number): readonly T[] {
  const every = Math.max(1, Math.ceil((all.length * eachPx) / Math.max(1, widthPx)));
  return all.filter((_, n) => n % every === 0);
}
