import { expect, test } from 'vitest';
import { campaignPlate, planPlate, type PlateFacts } from './campaign-plate.js';

const at = (text: string): number => Date.parse(text);
const CLOCK = { now: at('2026-11-16T15:42:07Z'), timezone: 'America/New_York' };
const RUNNING: PlateFacts = {
  ...{ state: 'running', people: 1_200, sequenceId: 'seq_1', waiting: 2_416, replied: 61 },
  ...{ progress: { total: 3_600, sent: 1_184 }, planning: null, holdUp: null },
  ...{ next: { at: at('2026-11-16T15:42:31Z') }, endsAt: at('2026-12-17T14:41:00Z') },
  ...{ late: null, pausedAt: null, pauseReason: null },
  ...{ decidedBy: null, finishedAt: null },
};
const plateOf = (over: Partial<PlateFacts>) => campaignPlate({ ...RUNNING, ...over }, CLOCK);
const holdUp = {
  sentence: 'hello@ is paused; its people wait.',
  verb: 'Open the account',
  to: '/accounts/acc_1',
  awaits: 'hello@',
};

test('one that runs says whether it is on plan and when it ends', () => {
  expect(plateOf({})).toEqual({
    level: 'fine',
    sentence: 'On plan. 1,184 of 3,600 sent; the last mail leaves Thu 17 Dec, 09:41 EST.',
    evidence: 'The next mail leaves 10:42:31 EST.',
  });
  const late = { days: 2, cause: 'jonas@ is full until Tue 17 Nov, 09:00 EST' };
  const endsAt = at('2026-12-21T20:00:00Z');
  expect(plateOf({ endsAt, late })).toEqual({
    level: 'look',
    sentence: `Late by 2 days. ${late.cause}; the last mail leaves Mon 21 Dec, 15:00 EST.`,
    evidence: '1,184 of 3,600 sent. The next mail leaves 10:42:31 EST.',
  });
  expect(plateOf({ endsAt, late, holdUp: { level: 'look', ...holdUp } }).evidence).toBe(
    '1,184 of 3,600 sent. hello@ is paused; its people wait.',
  );
  expect(plateOf({ next: null, endsAt: null })).toEqual({
    level: 'fine',
    sentence: 'On plan. 1,184 of 3,600 sent; nothing waits to leave.',
  });
});

test('what holds it up is the evidence, or all that counts', () => {
  expect(plateOf({ holdUp: { level: 'look', ...holdUp } })).toMatchObject({
    level: 'look',
    evidence: holdUp.sentence,
  });
  expect(plateOf({ holdUp: { level: 'act', ...holdUp } })).toEqual({
    level: 'act',
    sentence: holdUp.sentence,
    evidence: '1,184 of 3,600 sent.',
  });
});

test('while it is planned it says how far that is, and that nobody need wait', () => {
  expect(plateOf({ planning: { planned: 2_412, total: 3_588 } })).toEqual({
    level: 'fine',
    sentence: '2,412 of 3,588 planned. The first leaves 10:42 EST.',
    evidence: 'The planning goes on by itself, also when this page is closed.',
  });
});

test('a draft says what is missing, a pause its reason, an end what came of it', () => {
  expect(plateOf({ state: 'draft', people: 0 }).sentence).toBe('A draft. Nobody is in it yet.');
  expect(plateOf({ state: 'draft', people: 1, sequenceId: null }).sentence).toBe(
    'A draft. 1 person is in it; it has no sequence yet.',
  );
  expect(
    plateOf({ state: 'paused', pausedAt: at('2026-11-13T15:00:00Z'), pauseReason: 'the venue', waiting: 330 })
      .sentence,
  ).toBe('Paused since Fri 13 Nov, 10:00 EST: “the venue”. 330 mails wait.');
  const finishedAt = at('2026-10-02T15:00:00Z');
  expect(plateOf({ state: 'completed', finishedAt }).sentence).toBe(
    'Completed on Fri 2 Oct. 1,184 sent, 61 replied.',
  );
  expect(plateOf({ state: 'stopped', finishedAt: at('2025-10-02T15:00:00Z') }).sentence).toBe(
    'Stopped on Thu 2 Oct 2025. 1,184 of 3,600 sent; the rest never leaves.',
  );
});

test('a dry run says what would leave when, and what stops it', () => {
  const run = {
    ...{ total: 3_588, firstAt: at('2026-11-17T14:00:00Z'), lastAt: at('2027-01-25T15:14:00Z') },
    days: [
      { date: '2026-11-17', count: 60 },
      { date: '2026-11-17', count: 50 },
      { date: '2026-11-18', count: 20 },
    ],
    pace: null,
    warnings: [{ level: 'read' as const, sentence: 'Read this.' }],
  };
  expect(planPlate(run, CLOCK)).toEqual({
    level: 'fine',
    sentence: '3,588 mails would leave from Tue 17 Nov, 09:00 EST to Mon 25 Jan 2027, 10:14 EST.',
    evidence: 'At most 110 a day, on 2 days. 1 thing to read; none stops you.',
  });
  const pace = '30 to 90 s apart, Mon to Fri 09:00–17:00 America/New_York';
  expect(planPlate({ ...run, pace }, CLOCK).evidence).toBe(
    `At most 110 a day, ${pace}. 1 thing to read; none stops you.`,
  );
  const block = { level: 'block' as const, sentence: 'mara@ has a quota of 0.' };
  expect(planPlate({ ...run, warnings: [block] }, CLOCK)).toEqual({
    level: 'act',
    sentence: '1 thing stops the launch. mara@ has a quota of 0.',
  });
  expect(planPlate({ ...run, firstAt: null, lastAt: null, total: 0, warnings: [] }, CLOCK)).toEqual({
    level: 'look',
    sentence: 'Nothing would leave.',
    evidence: 'Nothing stops you.',
  });
});
