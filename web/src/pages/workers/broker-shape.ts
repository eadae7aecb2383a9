type Series = readonly { readonly queued: number; readonly away: boolean }[];

/** Where things are in the drawing, in its own units. */
export const X = {
  left: 44,
  right: 392,
  of: (n: number, points: number): number =>
    round(X.left + (Math.min(Math.max(n, 0), points - 1) * (X.right - X.left)) / Math.max(1, points - 1)),
};
export const Y = {
  top: 8,
  bottom: 168,
  of: (value: number, top: number): number =>
    round(Y.bottom - (value / Math.max(1, top)) * (Y.bottom - Y.top)),
};

/** Ground, middle and a round number above the most. */
export function ticksOf(most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, most)));
  const top = Math.max(2, ([1, 2, 4, 6, 8].find((digit) => digit * power >= most) ?? 10) * power);
  return [0, top / 2, top];
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** The line over all points, and the same closed down to the ground. */
export function areaOf(series: Series, top: number): { readonly line: string; readonly area: string } {
  const line = series
    .map(({ queued }, n) => `${n === 0 ? 'M' : 'L'}${X.of(n, series.length)} ${Y.of(queued, top)}`)
    .join('');
  if (series.length === 0) return { line: '', area: '' };
  return {
    line,
    area: `${line}L${X.of(series.length - 1, series.length)} ${Y.bottom}L${X.left} ${Y.bottom}Z`,
  };
}

/** From which to which point the broker could not be reached. */
export function awayOf(series: Series): readonly (readonly [from: number, to: number])[] {
  const stretches: [number, number][] = [];
  for (const [n, { away }] of series.entries()) {
    const last = stretches.at(-1);
    if (away && last?.[1] === n - 1) last[1] = n;
    else if (away) stretches.push([n, n]);
  }
  return stretches;
}
