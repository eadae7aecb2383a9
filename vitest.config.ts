import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    // What is built is run as it is, by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    // Much of it waits for leases, servers and browsers: one process more than there are cores leaves none of them idle.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What must happen is waited for, not timed.
    expect: { poll: { timeout: 10_000 } },
  },
});
