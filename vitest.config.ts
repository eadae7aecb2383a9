import { defineConfig } from 'vitest/config';

/** Each starts processes by the dozen and waits for leases to run out: nothing else runs beside one of them. */
const CRASHES = ['test/crash/**/*.test.ts', 'test/smtp-crash/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    // What is built is run as it is, by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    // Much of it waits for leases and servers: one process a core leaves none of them idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What must happen is waited for, not timed.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'crashes', include: CRASHES, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'everything else',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: CRASHES,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
