import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './test/patience.js';

/** One at a time: they start processes by the dozen and wait for leases to run out. */
const PROCESSES = ['crash', 'smtp-crash', 'guard-race'].map((room) => `test/${room}/**/*.test.ts`);

/**
 * They take long for their size, by which files are ordered that were not run here before. They begin first: one that
 * waits is then beside others that work, and none is left over at the end.
 */
const LONG = [
  ...['smtp/outage', 'cli/serve', 'cli/package', 'cli/canaries', 'zones/every-zone', 'templates/pool'],
  ...['web/anybody-reads', 'web/any-width', 'web/hostile-texts', 'web/events', 'web/deciding'],
  ...['http/fuzz', 'http/routes', 'http/pressure', 'http/strangers', 'http/hostile-bodies'],
  ...['engine/fairness', 'engine/settling', 'engine/unknown-commits', 'engine/inline-bounds'],
  ...['engine/recovery', 'contract/growth', 'demo/service'],
].map((name) => `/test/${name}.test.ts`);

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
    // Much of it waits for servers and time: with one process a core they would idle for a quarter of it.
    maxWorkers: 4,
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
