// @ts-check

/**
 * What belongs together and is compared.
 *
 * @typedef {object} Group
 * @property {string} title
 * @property {readonly string[]} notes What a reader must know to trust the figures.
 * @property {Record<string, string>} metrics The unit of each.
 * @property {readonly Goal[]} goals
 * @property {(bench: BenchContext) => Promise<readonly Runner[]>} open Prepares what all rounds share.
 *
 * @typedef {object} Contestant A contender of a group.
 * @property {string} name
 * @property {() => Promise<Record<string, number>>} run One round: a value for each metric. Throws if the result is wrong.
 * @property {() => Promise<void>} [close]
 *
 * @typedef {{ name: string, missing: string }} Absentee One that cannot run here, and why: said in every table.
 * @typedef {Contestant | Absentee} Runner
 *
 * @typedef {object} Goal
 * @property {string} of The runner it speaks of.
 * @property {string} metric
 * @property {string} [against] The runner it is divided by, round by round; without one the value itself counts.
 * @property {number} [atLeast] With neither limit it is only told.
 * @property {number} [atMost]
 *
 * @typedef {object} BenchContext
 * @property {import('../database.mjs').Ground} ground
 * @property {import('../sizes.mjs').Sizes} sizes
 */
export {};
