// @ts-check
import { spread } from './figures.mjs';
import { valuesOf } from './verdicts.mjs';

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
 * @param {string} name
 * @param {import('./groups/group.mjs').Group} group
 * @param {import('./rounds.mjs').Measured} measured
 */
export function groupTable(name, group, measured) {
  const rows = [...measured.keys()].flatMap((runner) =>
    Object.entries(group.metrics).map(([metric, unit]) => [
      runner,
      metric,
      `${show(spread(valuesOf(measured, runner, metric)))} ${unit}`,
    ]),
  );
  return [`${name}: ${group.title}`, ...align(rows), ...group.notes.map((note) => `  - ${note}`)].join('\n');
}

/** @param {readonly import('./verdicts.mjs').Verdict[]} verdicts */
export function verdictTable(verdicts) {
  const rows = verdicts.map(({ group, what, value, unit, goal, reached }) => [
    group,
    what,
    `${show(value)} ${unit}`,
    goal,
    reached ? 'reached' : 'NOT REACHED',
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
