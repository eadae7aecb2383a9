import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './test/patience.js';

/**
 * One at a time: the first three start processes by the dozen and wait for leases to run out, the others wait for
 * processes and servers. Together they take about as long as all else does in two.
 */
const PROCESSES = [...['crash', 'smtp-crash', 'guard-race'], ...['cli', 'examples', 'relay']].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/**
 * They take long for their size, by which files are ordered that were not run here before. They begin first: one that
 * waits is then beside others that work, and none is left over at the end.
 */
const LONG = [
  ...['test/smtp/outage', 'test/cli/serve', 'test/web/anybody-reads', 'test/web/any-width'],
  ...[
    'test/web/hostile-texts',
    'test/engine/fairness',
    'test/engine/settling',
    'test/engine/unknown-commits',
  ],
  ...['test/engine/inline-bounds', 'test/engine/recovery', 'test/http/pressure', 'test/http/strangers'],
  ...['test/cli/canaries', 'test/zones/every-zone'],
].map((name) => `/${name}.test.ts`);

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    // What is built is run as it is, by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    // Much of it waits for leases and servers: one process a core leaves none of them idle.
    maxWorkers: 2,
    // What must happen is waited for, not timed.
    testTimeout: 3 * PATIENCE_MS,
    hookTimeout: 3 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        extends: true,
        test: { name: 'processes', include: PROCESSES, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'everything else',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: PROCESSES,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
