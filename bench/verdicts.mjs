// @ts-check
import { ratios, spread } from './figures.mjs';

/** @typedef {import('./figures.mjs').Spread} Spread */

/** A ratio worth knowing that nobody has set a goal for. */
export const NO_GOAL = 'none';

/**
 * @typedef {object} Verdict
 * @property {string} group
 * @property {string} what
 * @property {Spread} value The ratio, or the value itself where there is nothing to divide by.
 * @property {string} unit
 * @property {string} goal
 * @property {boolean | undefined} reached Undefined: one of the two was not measured.
 */

/**
 * @param {string} name
 * @param {import('./groups/group.mjs').Group} group
 * @param {import('./rounds.mjs').Measured} measured
 * @returns {Verdict[]}
 */
export const judge = (name, group, measured) =>
  group.goals.map(({ of, metric, against, atLeast, atMost }) => {
    const own = valuesOf(measured, of, metric);
    const value = spread(against === undefined ? own : ratios(own, valuesOf(measured, against, metric)));
    const unit = against === undefined ? (group.metrics[metric] ?? '') : 'x';
    return {
      group: name,
      what: against === undefined ? `${of}: ${metric}` : `${metric}: ${of} / ${against}`,
      value,
      unit,
      goal: atLeast !== undefined ? `>= ${atLeast}` : atMost !== undefined ? `<= ${atMost}` : NO_GOAL,
      reached: Number.isNaN(value.median)
        ? undefined
        : value.median >= (atLeast ?? -Infinity) && value.median <= (atMost ?? Infinity),
    };
  });

/**
 * @param {import('./rounds.mjs').Measured} measured
 * @param {string} runner
 * @param {string} metric
 */
export const valuesOf = (measured, runner, metric) =>
  (measured.get(runner) ?? []).map((round) => round[metric] ?? NaN);
