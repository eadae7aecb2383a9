// @ts-check
import { play } from '../children.mjs';

/** @type {[kind: string, name: string, share: number][]} Slow ones are asked less often. */
const KINDS = [
  ['compiled', 'pillarbox, what decides', 1],
  ['named', 'pillarbox, isWithinSendingWindow and getNextSendingSlot', 0.1],
  ['platform', 'Intl each time', 0.01],
];

/** @type {import('./group.mjs').Group} */
export const calendar = {
  title: 'Is the window open, and when does it open next',
  notes: [
    'Monday to Friday, 9 to 18 o’clock, in five zones by turns, over a year, in no order',
    'questions by CPU second: whatever else the machine does is not counted',
    'Intl each time knows no holidays and takes shifts of half an hour for whole ones',
  ],
  metrics: { check: 'window checks/s', next: 'next slots/s' },
  goals: [
    { of: 'pillarbox, what decides', metric: 'check', atLeast: 2_000_000 },
    { of: 'pillarbox, what decides', metric: 'next', atLeast: 500_000 },
    { of: 'pillarbox, what decides', metric: 'check', against: 'Intl each time' },
  ],
  open: async ({ sizes }) =>
    KINDS.map(([kind, name, share]) => ({
      name,
      run: async () => {
        const { check, next } = await play('calendar', {
          kind,
          questions: Math.ceil(sizes.questions * share),
        });
        return { check, next };
      },
    })),
};
