import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../test/sending-world.js';
import { NOTHING_TAKEN } from './plan/taken.js';
import { SENDING_DEFAULTS, type SendingSettings } from './sending.js';
import { effectOf, judgeChange, movedWords, type Effect, type Line } from './sending-preview.js';

const HOUR = 3_600_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;
const SPACELESS = { spacing: { minSeconds: 0, maxSeconds: 0 }, dailyQuota: 10 };

const line = (account: number, then: Partial<SendingSettings>, due: readonly number[]): Line => ({
  ...{ account, action: 'email', due, use: { now: TEN, taken: NOTHING_TAKEN, totals: new Map() } },
  now: rulesFor(TEN, SPACELESS),
  then: rulesFor(TEN, { ...SPACELESS, ...then }),
});
const times = (count: number, at = 0) => Array.from({ length: count }, () => at);

describe('what a change does to what waits', () => {
  test('what is due goes to the next day, what has a time of its own stays', () => {
    const effect = effectOf([line(1, { sendingDays: [2, 3] }, [...times(3), TEN + 24 * HOUR])], '2026-11-16');
    expect(effect).toEqual({
      ...{ moved: 3, earlier: 0, later: 3, never: 0, postponed: 3 },
      days: [
        { date: '2026-11-16', now: 3, then: 0 },
        { date: '2026-11-17', now: 1, then: 4 },
      ],
    });
  });

  test('accounts share what the workspace may send, whoever could leave first goes first', () => {
    const lines = [line(1, { dailyQuota: 4 }, times(3, 1)), line(2, { dailyQuota: 4 }, times(3, 2))];
    expect(effectOf(lines, '2026-11-16')).toMatchObject({
      moved: 2,
      days: [
        { date: '2026-11-16', now: 6, then: 4 },
        { date: '2026-11-17', now: 0, then: 2 },
      ],
    });
  });

  test('earlier, and never', () => {
    const saturday = MONDAY + 5 * 24 * HOUR + 12 * HOUR;
    const more = line(1, { sendingDays: [1, 2, 3, 4, 5, 6] }, [saturday]);
    expect(effectOf([more], '2026-11-16')).toMatchObject({ moved: 1, earlier: 1, later: 0 });
    const none = effectOf([line(1, { dailyQuota: 0 }, times(2))], '2026-11-16');
    expect(none).toMatchObject({ moved: 2, never: 2, days: [{}, { date: 'never', now: 0, then: 2 }] });
  });

  test('nothing waits', () => {
    expect(effectOf([], '2026-11-16')).toEqual({
      ...{ moved: 0, earlier: 0, later: 0, never: 0, postponed: 0, days: [] },
    });
  });
});

const NOTHING: Effect = { moved: 0, earlier: 0, later: 0, never: 0, postponed: 0, days: [] };
const judge = (effect: Partial<Effect>, wanted: Partial<SendingSettings> = {}, over: object = {}) =>
  judgeChange({
    ...{ now: TEN, present: SENDING_DEFAULTS, wanted: { ...SENDING_DEFAULTS, ...wanted } },
    ...{ changed: true, guarded: { outbox: false, campaign: true, notification: false } },
    ...{ effect: { ...NOTHING, ...effect }, more: false },
    ...over,
  });

test('the sentence of a plate says whose mail, how many, and what could never leave', () => {
  const all = { guarded: { outbox: true, campaign: true, notification: true }, changed: false };
  expect(judge({}, {}, all).sentence).toBe('Mail may leave Mon to Fri 09:00–18:00 UTC.');
  expect(judge({}, {}, all).evidence).toContain('All mail waits for this.');
  const none = { guarded: { outbox: false, campaign: false, notification: false }, changed: false };
  expect(judge({}, {}, none).sentence).toBe('Guarded mail may leave Mon to Fri 09:00–18:00 UTC.');
  expect(judge({ moved: 1, later: 1 })).toMatchObject({
    level: 'look',
    sentence: 'Saving would move 1 mail.',
  });
  expect(judge({ moved: 1_212, later: 1_212 }, {}, { more: true }).sentence).toBe(
    'Saving would move at least 1,212 mails.',
  );
  expect(judge({ moved: 2, never: 2 })).toMatchObject({
    level: 'act',
    sentence: '2 mails could never leave.',
  });
  expect(judge({}, { dailyQuota: 0 })).toMatchObject({ level: 'act' });
});

test('in which direction', () => {
  const words = (effect: Partial<Effect>) => movedWords({ effect: { ...NOTHING, ...effect } });
  expect(words({})).toBe('');
  expect(words({ moved: 3, earlier: 1, later: 2 })).toBe('1 would leave earlier, 2 later.');
  expect(words({ moved: 2, later: 2, postponed: 1 })).toBe(
    'No mail would leave earlier; 1 of today’s would leave on another day.',
  );
});
