import { describe, expect, test } from 'vitest';
import { judge, unused, type Evidence, type House, type Left, type Sender, type Try } from './judge.js';

const at = (instant: string): number => Date.parse(instant);
const MINUTE = 60_000;
/** The night on which clocks go back in New York, and a month ends. */
const SATURDAY_NOON = at('2015-10-31T16:00:00Z');

const SENDER: Sender = {
  ...{ id: 1, house: 1, zone: 'America/New_York', holidays: [], actions: ['email'], rampUp: undefined },
  window: { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 9, endHour: 18 },
  limits: { day: 2 },
  spacingMs: MINUTE,
};
const HOUSE: House = { id: 1, zone: 'UTC', dailyQuota: 100_000 };

/** Asked for a second before it arrived, and noted in between. */
function sent(instants: readonly number[]): Pick<Evidence, 'left' | 'tries'> {
  const left = instants.map((t, n): Left => ({
    ...{ to: `m${n}`, sender: 1, action: 'email', asked: t - 1_000, earliest: t, latest: t + 10 },
  }));
  const tries = left.map(({ to, earliest }): Try => ({
    ...{ to, sender: 1, outcome: 'success', handedAt: earliest - 500, finishedAt: earliest + 50 },
  }));
  return { left, tries };
}

const found = (
  instants: readonly number[],
  over: { sender?: Partial<Sender>; house?: Partial<House> } = {},
) => {
  const evidence = {
    ...sent(instants),
    senders: [{ ...SENDER, ...over.sender }],
    houses: [{ ...HOUSE, ...over.house }],
  };
  const { outside, over: more, close, unvouched } = judge(evidence);
  return Object.entries<readonly string[]>({ outside, over: more, close, unvouched })
    .filter(([, sentences]) => sentences.length > 0)
    .map(([kind, sentences]) => `${kind} ${sentences.length}`);
};

describe('the judge of a race', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(found([SATURDAY_NOON, SATURDAY_NOON + 2 * MINUTE, SATURDAY_NOON + 24 * 60 * MINUTE])).toEqual([]);
  });

  test.each<[string, number[], Parameters<typeof found>[1], string[]]>([
    ['an hour too early after the clocks went back', [at('2015-11-01T13:30Z')], {}, ['outside 1']],
    ['one more than the day', [0, 2, 4].map((n) => SATURDAY_NOON + n * MINUTE), {}, ['over 1']],
    [
      'one more than the month that ends at midnight',
      [SATURDAY_NOON, SATURDAY_NOON + 2 * MINUTE],
      { sender: { limits: { day: 9, month: 1 } } },
      ['over 1'],
    ],
    [
      'one more than all may send together',
      [SATURDAY_NOON, SATURDAY_NOON + 2 * MINUTE],
      { house: { dailyQuota: 1 } },
      ['over 1'],
    ],
    [
      'a second day of a ramp-up as full as a third',
      [0, 1_440, 1_442, 1_444].map((n) => SATURDAY_NOON + n * MINUTE),
      { sender: { limits: { day: 9 }, rampUp: { start: 1, step: 1 } } },
      ['over 1'],
    ],
    ['two within a minute', [SATURDAY_NOON, SATURDAY_NOON + 59_000], {}, ['close 1']],
  ])('finds %s', (_, instants, over, kinds) => {
    expect(found(instants, over)).toEqual(kinds);
  });

  test('believes no try that the wire knows nothing of', () => {
    const { left, tries } = sent([SATURDAY_NOON]);
    const elsewhere = tries.map((each) => ({ ...each, handedAt: SATURDAY_NOON - 10 * MINUTE }));
    const evidence = { senders: [SENDER], houses: [HOUSE], left, tries: elsewhere };
    expect(judge(evidence).unvouched).toHaveLength(1);
    expect(judge({ ...evidence, left: [] }).unvouched).toHaveLength(1);
  });

  test('gives what was never answered the benefit of the time that it took', () => {
    const shut = at('2015-10-31T22:00:00Z');
    const left = [
      {
        to: 'm',
        sender: 1,
        action: 'email',
        asked: shut - 500,
        earliest: shut + 400,
        latest: shut + 500,
      } as const,
    ];
    expect(judge({ senders: [SENDER], houses: [HOUSE], left, tries: [] }).outside).toEqual([]);
    const late = [{ ...left[0]!, asked: shut + 100 }];
    expect(judge({ senders: [SENDER], houses: [HOUSE], left: late, tries: [] }).outside).toHaveLength(1);
  });

  test('finds days that had room for more', () => {
    const evidence = { ...sent([SATURDAY_NOON]), senders: [SENDER], houses: [HOUSE] };
    const day = { from: at('2015-10-31T13:00Z'), until: at('2015-10-31T22:00Z') };
    expect(unused(evidence, day)).toEqual(['a1 email on 2015-10-31: 1 of 2']);
    // One whose window lies only half inside is not asked about.
    expect(unused(evidence, { ...day, until: day.until - 1 })).toEqual([]);
  });
});
