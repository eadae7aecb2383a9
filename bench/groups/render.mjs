// @ts-check
import { play } from '../children.mjs';

/** @type {[way: string, name: string, batch: number][]} */
const WAYS = [
  ['pool', 'templates, 100 at a time', 100],
  ['pool', 'templates, one by one', 1],
  ['compose', 'steps of a sequence, 100 at a time', 100],
];

/** @type {import('./group.mjs').Group} */
export const render = {
  title: 'Render mails of a 3 KB template with 10 variables, in the thread that can be ended',
  notes: [
    'subject, html and the text that is made of it; what all mails share (sender, campaign, postal address) is rendered once',
    'the CPU is that of the whole process, both threads: what a busy machine blurs least',
    'runaway: from a template that spins in loops, given beside 99 others, until all of them are answered; the 99 are whole',
  ],
  metrics: { rendered: 'mails/s', cpu: 'µs CPU a mail', runaway: 'ms' },
  goals: [
    { of: 'templates, 100 at a time', metric: 'rendered', atLeast: 8_000 },
    // Eight thousand a second of one core, whatever else the machine does.
    { of: 'templates, 100 at a time', metric: 'cpu', atMost: 125 },
    { of: 'templates, 100 at a time', metric: 'runaway', atMost: 2_500 },
    { of: 'steps of a sequence, 100 at a time', metric: 'rendered' },
  ],
  open: async ({ sizes }) =>
    WAYS.map(([way, name, batch]) => ({
      name,
      run: async () => {
        const mails = batch === 1 ? Math.ceil(sizes.rendered / 4) : sizes.rendered;
        const { perSecond, cpuMicroseconds, runawayMs } = await play('render', { way, mails, batch });
        return { rendered: perSecond, cpu: cpuMicroseconds, runaway: runawayMs };
      },
    })),
};
