import { styleText } from 'node:util';
import type { State } from '../core/lifecycle.js';
import { surroundings } from './surroundings.js';
import { table as plainTable, type Column } from './table.js';

/** How things look in a terminal: the same glyphs and words as in the admin UI, and nothing but text in a pipe. */
const LOOKS: Record<
  State,
  { label: string; glyph: string; ascii: string; colour: Parameters<typeof styleText>[0] }
> = {
  scheduled: { label: 'Scheduled', glyph: '○', ascii: '.', colour: 'gray' },
  queued: { label: 'Queued', glyph: '≡', ascii: '=', colour: 'blue' },
  sending: { label: 'Sending', glyph: '▸', ascii: '>', colour: 'cyan' },
  sent: { label: 'Sent', glyph: '●', ascii: '+', colour: 'green' },
  retry_scheduled: { label: 'Retry later', glyph: '↻', ascii: '~', colour: 'yellow' },
  held: { label: 'Held', glyph: '◆', ascii: '?', colour: 'magenta' },
  dead: { label: 'Dead', glyph: '■', ascii: 'x', colour: 'red' },
  skipped: { label: 'Skipped', glyph: '»', ascii: '-', colour: 'gray' },
  expired: { label: 'Expired', glyph: '⧗', ascii: 'e', colour: 'yellow' },
  cancelled: { label: 'Cancelled', glyph: '⊘', ascii: '/', colour: 'gray' },
};

/** The first of these that is set decides, an empty one does not; nothing set is a terminal of today. */
export function isUtf8(): boolean {
  const { env } = surroundings();
  return /utf-?8/i.test([env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(Boolean) ?? 'utf-8');
}

function isColoured(): boolean {
  const { env, stdout } = surroundings();
  return Boolean(stdout.isTTY) && !env['NO_COLOR'];
}

const WIDTH_IN_A_PIPE = 120;

export type Level = 'fine' | 'look' | 'act';
const LEVELS: Record<Level, State> = { fine: 'sent', look: 'held', act: 'dead' };

export const mark = (state: State, text = LOOKS[state].label): string => {
  const { glyph, ascii, colour } = LOOKS[state];
  const shown = `${isUtf8() ? glyph : ascii} ${text}`;
  return isColoured() ? styleText(colour, shown) : shown;
};

/** Colour is for the glyph: a sentence is read, not looked at. */
export const levelMark = (level: Level, text: string): string => `${mark(LEVELS[level], '')}${text}`;

export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const { columns: width = 0 } = surroundings().stdout;
  return plainTable(rows, columns, width > 0 ? width : WIDTH_IN_A_PIPE, isUtf8() ? '…' : '.');
}

/** Words of strangers, such as a subject, must not steer the terminal or begin a line of their own. */
export const harmless = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ');

const DAY_SECONDS = 86_400;

/** "in 1 m 12 s", "31 m ago"; a date when it is more than a day away. */
export function relative(instant: number, now: number, timeZone = 'UTC'): string {
  const seconds = Math.round(Math.abs(instant - now) / 1_000);
  if (seconds >= DAY_SECONDS) return dateIn(timeZone, instant);
  const parts =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3_600
        ? `${Math.floor(seconds / 60)} m ${seconds % 60} s`
        : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} m`;
  return instant > now ? `in ${parts}` : `${parts} ago`;
}

/** "since 09:37"; a date when that was more than a day ago. */
export function since(instant: number, now: number, timeZone: string): string {
  const date = dateIn(timeZone, instant);
  return now - instant >= DAY_SECONDS * 1_000 ? date : `since ${date.slice(-5)}`;
}

/** `2031-03-03 09:00`, which is how they write it in Sweden. */
function dateIn(timeZone: string, instant: number): string {
  const shape = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv-SE', shape).format(instant);
}

/** "America/New_York (EST)": by which dates are shown. */
export function zoneName(timeZone: string, now: number): string {
  const shape = { timeZone, timeZoneName: 'short' } as const;
  const parts = new Intl.DateTimeFormat('en-US', shape).formatToParts(now);
  const short = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return short === timeZone ? timeZone : `${timeZone} (${short})`;
}

/** "1 message", "1,200 messages". */
export const amount = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? what : `${what}s`}`;

export const say = (text: string): void => {
  surroundings().stdout.write(`${text}\n`);
};

/** Beside the data: for people who watch, also while a pipe takes what is said. */
export const sayAside = (text: string): void => {
  surroundings().stderr.write(`${text}\n`);
};

export const sayJson = (data: unknown): void => {
  say(JSON.stringify(data, null, 2));
};
