import { PillarboxError } from './errors.js';

/**
 * Virtual time, for demos, simulation and checks: `now = start + (clock − anchor) × speed`. The anchor is the
 * database's clock at the moment the setting was first used, so every process and every restart agrees.
 * It rules what a person sees; leases, renewals and time-outs stay on real time.
 */
export interface VirtualClock {
  readonly startMs: number;
  readonly speed: number;
  readonly anchorMs: number;
}

export interface ClockSetting {
  readonly startMs: number;
  readonly speed: number;
}

const SETTING =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))\*(\d{1,7}(?:\.\d{1,6})?)$/;

/** Reads `<ISO instant>*<speed>`, for example `2026-11-16T08:59:00-05:00*600`. */
export function parseClockSetting(text: string): ClockSetting {
  const [, instant = '', speed = ''] = SETTING.exec(text) ?? [];
  const startMs = Date.parse(instant);
  if (Number.isNaN(startMs) || Number(speed) <= 0) {
    throw new PillarboxError(
      'invalid_config',
      'PILLARBOX_CLOCK: should be an ISO instant with its offset, "*" and a speed above 0, such as 2026-11-16T08:59:00-05:00*600',
    );
  }
  return { startMs, speed: Number(speed) };
}

export const virtualNow = (clock: VirtualClock, realMs: number): number =>
  Math.floor(clock.startMs + (realMs - clock.anchorMs) * clock.speed);
