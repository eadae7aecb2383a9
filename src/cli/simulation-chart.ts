import type { SimulatedAccount, SimulatedDay, SimulatedViolation, Simulation } from '../core/simulation.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, isUtf8, levelMark, say, table } from './terminal.js';

const SHOWN_VIOLATIONS = 20;
const WIDEST = 50;
const WIDTH_IN_A_PIPE = 100;
/** Date, figures and gaps beside the bar. */
const BESIDE = 34;
const FRACTIONS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** What a simulation came to, for people: a sentence, the accounts, and a bar for every day. */
export function sayChart(simulation: Simulation): void {
  const { violations, days, accounts, warnings } = simulation;
  say(sentenceOf(simulation));
  for (const warning of warnings) say(harmless(warning));
  if (violations.length > 0) {
    say(table(violations.slice(0, SHOWN_VIOLATIONS), VIOLATION_COLUMNS));
    if (violations.length > SHOWN_VIOLATIONS) say(`and ${violations.length - SHOWN_VIOLATIONS} more`);
  }
  if (days.length === 0) return;
  say(`\n${table(accounts, ACCOUNT_COLUMNS)}\n`);
  say(chartOf(days, surroundings().stdout.columns ?? WIDTH_IN_A_PIPE, isUtf8()).join('\n'));
}

function sentenceOf({ sent, waiting, ended, endsAt, violations, until }: Simulation): string {
  const left = `${amount(sent, 'message')} would leave`;
  const end =
    waiting > 0
      ? `; ${waiting.toLocaleString('en-US')} would still wait on ${dateOf(until)}`
      : endsAt === null
        ? ''
        : `, the last on ${dateOf(endsAt)} at ${new Date(endsAt).toISOString().slice(11, 16)} UTC`;
  const rest = ended > 0 ? ` ${amount(ended, 'other')} ended without leaving.` : '';
  const verdict =
    violations.length === 0 ? ' No limit is broken.' : ` ${amount(violations.length, 'violation')}.`;
  const level = violations.length > 0 ? 'act' : waiting > 0 ? 'look' : 'fine';
  return levelMark(level, `${left}${end}.${rest}${verdict}`);
}

const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

const VIOLATION_COLUMNS: readonly Column<SimulatedViolation>[] = [
  { title: 'LIMIT', text: ({ kind }) => kind },
  { title: 'ACCOUNT', text: ({ accountId }) => accountId ?? 'all' },
  { title: 'WHEN', text: ({ when }) => when },
  { title: 'WHAT', text: ({ sentence }) => harmless(sentence), gives: { order: 1, least: 10 } },
];

const ACCOUNT_COLUMNS: readonly Column<SimulatedAccount>[] = [
  { title: 'ACCOUNT', text: ({ name }) => harmless(name), gives: { order: 1, least: 8 } },
  { title: 'ID', text: ({ accountId }) => accountId },
  { title: 'SENT', text: ({ sent }) => sent.toLocaleString('en-US') },
  { title: 'OTHER MAIL', text: ({ others }) => others.toLocaleString('en-US') },
  { title: 'OF ITS QUOTA', text: ({ use }) => `${Math.round(use * 100)} %` },
];

/** `2026-11-16  ██████████▌░░░░  120 of 150`: what leaves, what else the accounts send, what they could. */
export function chartOf(days: readonly SimulatedDay[], columns: number, utf8: boolean): readonly string[] {
  const dates = new Map<string, { sent: number; others: number; quota: number }>();
  for (const { date, sent, others, quota } of days) {
    const known = dates.get(date) ?? { sent: 0, others: 0, quota: 0 };
    dates.set(date, {
      ...{ sent: known.sent + sent, others: known.others + others, quota: known.quota + quota },
    });
  }
  const most = Math.max(
    ...[...dates.values()].map(({ sent, others, quota }) => Math.max(sent + others, quota)),
  );
  const width = Math.max(4, Math.min(WIDEST, columns - BESIDE));
  return [...dates].map(([date, { sent, others, quota }]) => {
    const bar = barOf(
      [sent, others, quota].map((n) => (n / most) * width),
      width,
      utf8,
    );
    const beside = others > 0 ? ` + ${others}` : '';
    return `${date}  ${bar}  ${sent}${beside} of ${quota}`;
  });
}

function barOf(lengths: readonly number[], width: number, utf8: boolean): string {
  const [sent = 0, others = 0, quota = 0] = lengths;
  const [full, half, empty] = utf8 ? ['█', '▒', '░'] : ['#', '=', '.'];
  const whole = Math.floor(sent);
  const fraction =
    utf8 && others === 0 ? (FRACTIONS[Math.floor((sent - whole) * FRACTIONS.length)] ?? '') : '';
  const solid = full.repeat(whole) + fraction;
  const other = half.repeat(Math.max(0, Math.round(sent + others) - whole) * (others > 0 ? 1 : 0));
  const room = empty.repeat(Math.max(0, Math.round(quota) - solid.length - other.length));
  return (solid + other + room).slice(0, width).padEnd(width);
}
