/**
 * Milliseconds since the machine started, or since some other instant that all processes of the machine share until it
 * starts again. Nobody can set this clock, and no correction of the time of day moves it.
 */
export const steadyMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
