import { styleText } from 'node:util';
import type { State } from '../core/lifecycle.js';

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

const utf8 = /utf-?8/i.test(
  process.env['LC_ALL'] ?? process.env['LC_CTYPE'] ?? process.env['LANG'] ?? 'utf-8',
);
const coloured = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;

export type Level = 'fine' | 'look' | 'act';
const LEVELS: Record<Level, State> = { fine: 'sent', look: 'held', act: 'dead' };

export const mark = (state: State, text = LOOKS[state].label): string => {
  const { glyph, ascii, colour } = LOOKS[state];
  const shown = `${utf8 ? glyph : ascii} ${text}`;
  return coloured ? styleText(colour, shown) : shown;
};

export const levelMark = (level: Level, text: string): string => mark(LEVELS[level], text);

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Gives way first when the terminal is narrow. */
  readonly shrinks?: boolean;
}

/** A plain table as wide as the terminal. Colours count as nothing. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => text(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => visible(line[index] ?? ''))));
  const room = (process.stdout.columns || 120) - 2 * (columns.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  columns.forEach(({ shrinks }, index) => {
    if (!shrinks || excess <= 0) return;
    const less = Math.min(excess, Math.max(0, (widths[index] ?? 0) - 12));
    widths[index] = (widths[index] ?? 0) - less;
    excess -= less;
  });
  return cells
    .map((line) =>
      line
        .map((cell, index) => fit(cell, widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

// eslint-disable-next-line no-control-regex -- colours are control sequences, and this removes them
const visible = (text: string): number => [...text.replace(/\u001b\[\d+m/g, '')].length;

function fit(text: string, width: number): string {
  const length = visible(text);
  if (length <= width) return text + ' '.repeat(width - length);
  return `${[...text].slice(0, Math.max(0, width - 1)).join('')}${utf8 ? '…' : '.'}`;
}

/** Words of strangers, such as a subject, must not steer the terminal. */
export const harmless = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, ' ');

/** "in 1 m 12 s", "31 m ago"; a date when it is more than a day away. */
export function relative(instant: number, now: number): string {
  const seconds = Math.round(Math.abs(instant - now) / 1_000);
  if (seconds >= 86_400) return new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
  const parts =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3_600
        ? `${Math.floor(seconds / 60)} m ${seconds % 60} s`
        : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} m`;
  return instant > now ? `in ${parts}` : `${parts} ago`;
}

export const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

export const sayJson = (data: unknown): void => {
  say(JSON.stringify(data, null, 2));
};
