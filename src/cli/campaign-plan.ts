import type { AccountCapacity, DryRun } from '../campaigns/dry-run.js';
import { chartOf } from './simulation-chart.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, isUtf8, levelMark, say, table } from './terminal.js';

const WIDTH_IN_A_PIPE = 100;
const MARKS = { block: 'act', read: 'look', note: 'fine' } as const;

/** What a launch would come to, for people. */
export function sayDryRun({ total, firstAt, lastAt, days, capacity, warnings }: DryRun, id: string): void {
  const blocked = warnings.some(({ level }) => level === 'block');
  const dates =
    firstAt === null || lastAt === null ? '' : `, from ${minuteOf(firstAt)} to ${minuteOf(lastAt)} UTC`;
  say(levelMark(blocked ? 'act' : 'fine', `${amount(total, 'message')} would be planned${dates}.`));
  for (const { level, sentence } of warnings) say(levelMark(MARKS[level], harmless(sentence)));
  if (capacity.length > 0) say(`\n${table(capacity, CAPACITY_COLUMNS)}\n`);
  if (days.length > 0) {
    const shown = days.map(({ count: sent, ...day }) => ({ ...day, sent, others: 0 }));
    say(chartOf(shown, surroundings().stdout.columns ?? WIDTH_IN_A_PIPE, isUtf8()).join('\n'));
  }
  if (!blocked && total > 0) say(`See it run ahead of time: pillarbox simulate --campaign ${id}`);
}

const minuteOf = (instant: number): string => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');

const CAPACITY_COLUMNS: readonly Column<AccountCapacity>[] = [
  { title: 'ACCOUNT', text: ({ accountId }) => accountId },
  { title: 'A DAY', text: ({ perDay }) => perDay.toLocaleString('en-US') },
  {
    title: 'BOUND BY',
    text: ({ binding: { kind, period, used, max } }) =>
      `${kind}${period === undefined ? '' : ` (${period})`} ${used} of ${max}`,
    gives: { order: 1, least: 10 },
  },
  { title: 'LAST ON', text: ({ doneOn }) => doneOn ?? '' },
];
