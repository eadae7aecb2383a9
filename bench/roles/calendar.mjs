// @ts-check
import { calendarFor } from '../../dist/core/calendar.js';
import { getNextSendingSlot, isWithinSendingWindow } from '../../dist/core/seed-names.js';
import { timed } from '../figures.mjs';

const NOW = Date.UTC(2026, 10, 16);
const YEAR_MS = 365 * 86_400_000;
/** Half-hour shifts, both hemispheres, and none. */
const ZONES = ['America/New_York', 'Europe/Paris', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const OPEN = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 18 };
const WARM_UP_SHARE = 0.2;

/**
 * @typedef {object} Asked
 * @property {(zone: number, t: number) => boolean} isOpen
 * @property {(zone: number, t: number) => number} next
 */

/** @returns {Asked} */
function compiled() {
  const calendars = ZONES.map((timezone) => calendarFor({ ...OPEN, timezone }, ['2026-12-25'], NOW));
  const of = (/** @type {number} */ zone) =>
    /** @type {import('../../dist/core/calendar.js').Calendar} */ (calendars[zone]);
  return { isOpen: (zone, t) => of(zone).isOpen(t), next: (zone, t) => of(zone).next(t) };
}

/** The library's functions, which are handed settings and dates. @returns {Asked} */
function named() {
  const settings = ZONES.map((timezone) => ({ ...OPEN, timezone, holidays: ['2026-12-25'] }));
  const of = (/** @type {number} */ zone) => /** @type {typeof settings[number]} */ (settings[zone]);
  return {
    isOpen: (zone, t) => isWithinSendingWindow(of(zone), new Date(t)),
    next: (zone, t) => getNextSendingSlot(of(zone), new Date(t)).getTime(),
  };
}

/** Asks the platform for the wall clock each time, as most schedulers do. @returns {Asked} */
function platform() {
  const clocks = ZONES.map(
    (timeZone) =>
      new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' }),
  );
  /** @param {number} zone @param {number} t */
  const isOpen = (zone, t) => {
    const parts = clocks[zone]?.formatToParts(t) ?? [];
    const value = (/** @type {string} */ type) => parts.find((part) => part.type === type)?.value ?? '';
    const hour = Number(value('hour'));
    return !['Sat', 'Sun'].includes(value('weekday')) && hour >= OPEN.startHour && hour < OPEN.endHour;
  };
  return {
    isOpen,
    next: (zone, t) => {
      let at = t;
      while (!isOpen(zone, at)) at += 3_600_000 - (at % 3_600_000);
      return at;
    },
  };
}

/** @type {Record<string, () => Asked>} */
const KINDS = { compiled, named, platform };

/**
 * Asks about instants of a year, in no order.
 *
 * @param {{ kind: string, questions: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ kind, questions }, parent) {
  const asked = KINDS[kind]?.();
  if (!asked) throw new Error(`${kind}: there is no such calendar`);
  const instants = Float64Array.from({ length: questions }, () => NOW + Math.floor(Math.random() * YEAR_MS));
  let heard = 0;
  const ask = (/** @type {(zone: number, t: number) => unknown} */ question, count = questions) => {
    for (let n = 0; n < count; n += 1) if (question(n % ZONES.length, instants[n] ?? NOW)) heard += 1;
  };
  const rate = async (/** @type {(zone: number, t: number) => unknown} */ question) => {
    ask(question, Math.ceil(questions * WARM_UP_SHARE));
    const { cpuMicroseconds } = await timed(async () => ask(question));
    return (questions * 1e6) / cpuMicroseconds;
  };
  const check = await rate(asked.isOpen);
  const next = await rate(asked.next);
  // What is open at a time is what its next slot says; and somebody has listened to the answers.
  for (const t of instants.subarray(0, 1_000)) {
    if (asked.isOpen(0, t) !== (asked.next(0, t) === t))
      throw new Error(`${kind} contradicts itself at ${t}`);
  }
  if (heard === 0) throw new Error(`${kind} never opens`);
  parent.tell({ kind: 'result', check, next });
}
