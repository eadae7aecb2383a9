import { expect, test } from 'vitest';
import { plateOf, type HoldUp } from './plates.js';

const NOW = Date.parse('2026-11-16T15:42:07Z');
const of = (campaigns: Parameters<typeof plateOf>[0]) => plateOf(campaigns, NOW, 'America/New_York');
const runs = (name: string, holdUp: HoldUp | null = null, at = NOW + 24_000) => ({
  ...{ name, holdUp, state: 'running' as const, next: { at } },
});
const paused = (name: string): HoldUp => ({
  ...{ level: 'act', sentence: `${name} is paused; nothing leaves.`, awaits: name },
  ...{ verb: 'Open the account', to: `/accounts/${name}` },
});
const held: HoldUp = {
  ...{ level: 'look', sentence: '1 mail waits for your decision.', awaits: 'your decision' },
  ...{ verb: 'Decide', to: '/queue?campaignId=cmp_1&state=held' },
};

test('what runs as planned is told with what leaves next', () => {
  expect(of([])).toEqual({ level: 'fine', sentence: 'There is no campaign yet.', needs: [] });
  expect(of([runs('Autumn'), runs('Winter', null, NOW + 60_000)])).toEqual({
    level: 'fine',
    sentence: '2 campaigns run, all on plan. The next mail leaves 10:42:31 EST.',
    needs: [],
  });
});

test('of one that waits it is said for what, and which one it is: nobody takes it for all of them', () => {
  const { sentence, verb, to } = paused('hello@');
  expect(of([runs('Autumn', paused('hello@')), runs('Winter')])).toEqual({
    ...{ level: 'act', sentence: '2 campaigns run. 1 waits for hello@.', evidence: 'Winter is on plan.' },
    needs: [{ level: 'act', sentence: `Autumn: ${sentence}`, verb, to }],
  });
  expect(of([runs('Autumn', paused('hello@'))]).sentence).toBe('1 campaign runs, and waits for hello@.');
});

test('several that wait for the same are one thing to do, and the most urgent comes first', () => {
  const campaigns = [
    runs('Autumn', held),
    runs('Winter', paused('hello@')),
    runs('Spring', paused('hello@')),
    runs('Summer'),
    runs('Easter'),
  ];
  expect(of(campaigns)).toMatchObject({
    sentence: '5 campaigns run. 1 waits for your decision, 2 for hello@.',
    evidence: '2 of them are on plan.',
    needs: [
      { level: 'act', sentence: '2 campaigns: hello@ is paused; nothing leaves.' },
      { level: 'look', sentence: 'Autumn: 1 mail waits for your decision.' },
    ],
  });
  expect(of([runs('Autumn', paused('a@')), runs('Winter', paused('b@'))])).toMatchObject({
    sentence: 'No account may send; 2 campaigns wait.',
  });
});
