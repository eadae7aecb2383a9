// @ts-check
import { spread } from './figures.mjs';
import { NO_GOAL, valuesOf } from './verdicts.mjs';

/** @typedef {import('./figures.mjs').Spread} Spread */

/** @param {import('./machine.mjs').Machine} machine */
export const machineLine = (machine) =>
  [
    `${machine.cores} cores (${machine.processor}), ${machine.memoryGigabytes} GB`,
    `Node ${machine.node}`,
    `PostgreSQL ${machine.postgres} with fsync`,
    `SQLite ${machine.sqlite} with synchronous=FULL`,
    `fdatasync ${machine.fdatasyncMicroseconds} µs`,
  ].join(', ');

/**
 * All that was measured in a group.
 *
 * @param {import('./rounds.mjs').OpenGroup & { measured: import('./rounds.mjs').Measured }} result
 */
export function groupTable({ name, group, runners, measured }) {
  const rows = runners.flatMap((runner) => {
    if ('missing' in runner) return [[runner.name, 'not measured', runner.missing]];
    // Not every contender has a value for each metric: who is many processes has no CPU time of its own.
    return Object.entries(group.metrics).flatMap(([metric, unit]) => {
      const values = spread(valuesOf(measured, runner.name, metric));
      return Number.isNaN(values.median) ? [] : [[runner.name, metric, `${show(values)} ${unit}`]];
    });
  });
  return [`${name}: ${group.title}`, ...align(rows), ...group.notes.map((note) => `  - ${note}`)].join('\n');
}

/** @param {readonly import('./verdicts.mjs').Verdict[]} verdicts */
export function verdictTable(verdicts) {
  const rows = verdicts.map(({ group, what, value, unit, goal, reached }) => [
    group,
    what,
    reached === undefined ? '' : `${show(value)} ${unit}`,
    goal,
    reached === undefined ? 'not measured' : goal === NO_GOAL ? '' : reached ? 'reached' : 'NOT REACHED',
  ]);
  return align([['group', 'figure', 'median (min..max)', 'goal', ''], ...rows]).join('\n');
}

/** @param {Spread} value */
const show = ({ median, min, max }) => `${number(median)} (${number(min)}..${number(max)})`;

/** @param {number} value */
const number = (value) =>
  value >= 1_000
    ? Math.round(value)
        .toString()
        .replaceAll(/\B(?=(\d{3})+$)/g, ' ')
    : String(Number(value.toPrecision(3)));

/** @param {readonly (readonly string[])[]} rows */
function align(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
