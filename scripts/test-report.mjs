// @ts-check
// A reporter for vitest: what `npm test` says last of all, as JSON in the file that PILLARBOX_TEST_REPORT names.
import { writeFileSync } from 'node:fs';

/** @import { SerializedError, TestModule } from 'vitest/node' */

/**
 * @typedef {object} Report
 * @property {number} passed
 * @property {readonly string[]} failures Tests, and whatever else failed: a hook, a file that can't be loaded, an error of nobody's.
 * @property {readonly { file: string, seconds: number }[]} files How long each took, all included.
 */

export default class TestReport {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly SerializedError[]} strays
   */
  onTestRunEnd(modules, strays) {
    /** @type {Report} */
    const report = {
      passed: modules.reduce((sum, { children }) => sum + [...children.allTests('passed')].length, 0),
      failures: [...modules.flatMap(failuresOf), ...said('outside of any test', strays)],
      files: modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) })),
    };
    writeFileSync(process.env['PILLARBOX_TEST_REPORT'] ?? '', JSON.stringify(report));
  }
}

/**
 * @param {TestModule} module
 * @returns {string[]}
 */
function failuresOf(module) {
  const { children, relativeModuleId: file } = module;
  return [
    ...said(file, module.errors()),
    ...[...children.allSuites()].flatMap((suite) => said(`${file} > ${suite.fullName}`, suite.errors())),
    ...[...children.allTests('failed')].flatMap((test) =>
      said(`${file} > ${test.fullName}`, test.result().errors ?? []),
    ),
  ];
}

/**
 * @param {string} of
 * @param {readonly SerializedError[]} errors
 * @returns {string[]} one failure, or none
 */
function said(of, errors) {
  if (errors.length === 0) return [];
  return [[of, ...errors.map(({ stack, message }) => stack ?? message)].join('\n')];
}

/** @param {TestModule} module */
function secondsOf(module) {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return (prepareDuration + setupDuration + collectDuration + duration) / 1_000;
}
