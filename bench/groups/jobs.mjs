// @ts-check
import { play } from '../children.mjs';

/** @type {import('./group.mjs').Group} */
export const jobs = {
  title: 'Notifications: a job is built, validated against the contract, and rendered',
  notes: [
    'open-seat in English, subject, html and text, with two signed links each; jobs of one event, as a claim has them',
    'the CPU is that of the whole process, both threads: what a busy machine blurs least',
  ],
  metrics: { made: 'jobs/s', cpu: 'µs CPU a job' },
  goals: [
    { of: '100 at a time', metric: 'made', atLeast: 8_000 },
    // Eight thousand a second of one core, whatever else the machine does.
    { of: '100 at a time', metric: 'cpu', atMost: 125 },
  ],
  open: async ({ ground, sizes }) =>
    [100, 10].map((batch) => ({
      name: `${String(batch)} at a time`,
      run: async () => {
        const { url, drop } = await ground.fresh('sqlite');
        const { perSecond, cpuMicroseconds } = await play('jobs', { url, jobs: sizes.rendered, batch });
        await drop();
        return { made: perSecond, cpu: cpuMicroseconds };
      },
    })),
};
