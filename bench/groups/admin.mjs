// @ts-check
import { play } from '../children.mjs';
import { FULL } from '../sizes.mjs';
import { archived } from '../stock/archived.mjs';

/** @type {import('./group.mjs').Group} */
export const admin = {
  title: 'The admin UI in Chromium, beside millions of messages',
  notes: [
    `${FULL.listed} messages on PostgreSQL; a new browser each round, the session is there`,
    'interactive: from the navigation until the first row of the queue can be opened by a key, in the page’s own clock',
    'longest task: while the list is scrolled, rows are walked by keys, and 40 mails a second come in and leave, for 10 s; that of the load stands beside it: the program itself, evaluated by a cold browser',
  ],
  metrics: {
    interactive: 'ms',
    'longest task': 'ms',
    'longest task of the load': 'ms',
    script: 'KB gzip, first load',
  },
  goals: [
    { of: 'queue page', metric: 'interactive', atMost: 1_000 },
    { of: 'queue page', metric: 'longest task', atMost: 100 },
    { of: 'queue page', metric: 'script', atMost: 200 },
  ],
  open: async (bench) => {
    const { url, drop } = await archived(bench, 'postgres');
    const run = async () => {
      const { figures } = await play('admin', { url });
      return figures;
    };
    return [{ name: 'queue page', run, close: drop }];
  },
};
