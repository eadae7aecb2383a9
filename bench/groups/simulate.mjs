// @ts-check
import { play } from '../children.mjs';

/** @type {{ name: string, timezone: string, from: string, days: number }[]} */
const RUNS = [
  { name: '60 days', timezone: 'Europe/Berlin', from: '2026-11-16T06:00:00Z', days: 60 },
  // Clocks go back before Ramadan and forward after it: twice within a quarter.
  {
    name: 'a quarter with two changes of clocks',
    timezone: 'Africa/Casablanca',
    from: '2027-01-04T06:00:00Z',
    days: 90,
  },
];

/** @type {import('./group.mjs').Group} */
export const simulate = {
  title: 'Simulate a campaign: 10,000 people, 3 mails each, 5 accounts',
  notes: [
    'planner, guard, claim, gate, settlement and follow-ups as in earnest, on SQLite in memory; spacing of 30 to 90 s, so every mail is a claim of its own',
    'every mail left, and none against a window, a limit, the spacing or its order, or the run fails',
    'the CPU is that of the whole process: what a busy machine blurs least',
  ],
  metrics: { seconds: 's', cpu: 's of CPU', perMail: 'µs CPU a mail' },
  goals: [
    { of: '60 days', metric: 'seconds', atMost: 20 },
    { of: '60 days', metric: 'cpu', atMost: 20 },
  ],
  open: async ({ sizes }) =>
    RUNS.map(({ name, ...run }) => ({
      name,
      run: async () => {
        const { seconds, cpuMicroseconds, sent } = await play('simulate', {
          ...run,
          people: sizes.simulated,
        });
        return { seconds, cpu: cpuMicroseconds / 1e6, perMail: cpuMicroseconds / sent };
      },
    })),
};
