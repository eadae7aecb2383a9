import { describe, expect, test } from 'vitest';
import { judgeHealth, type AccountFacts, type HealthFacts } from './health.js';

const NOW = Date.UTC(2026, 10, 16, 10, 42);

const anAccount = (over: Partial<AccountFacts> = {}): AccountFacts => ({
  name: 'bookings@',
  pausedAt: null,
  pauseReason: null,
  cooldownUntil: 0,
  cooldownReason: null,
  ...over,
});

const judge = (over: Partial<HealthFacts> = {}) =>
  judgeHealth({
    now: NOW,
    oldestDueMs: null,
    pending: 0,
    dead: 0,
    deadCauses: 0,
    held: 0,
    accounts: [anAccount()],
    workers: 3,
    ...over,
  });

describe('health', () => {
  test('is fine when all mail has left, and says so', () => {
    expect(judge()).toEqual({
      level: 'fine',
      sentence: 'All mail has left. Nothing needs a person.',
      evidence: 'Nothing is due. 3 workers answer.',
      needs: [],
    });
  });

  test('is fine while mail leaves on time, with how long the oldest has waited', () => {
    expect(judge({ pending: 38_214, oldestDueMs: 1_840 })).toMatchObject({
      level: 'fine',
      sentence: 'Mail is leaving on time. Nothing needs a person.',
      evidence: 'The oldest due message has waited 1.8 s. 38,214 messages wait. 3 workers answer.',
    });
  });

  test('wants a look when something waits for a person, although mail leaves', () => {
    const paused = anAccount({ name: 'hello@', pausedAt: NOW - 1, pauseReason: 'bounces 6.1 %' });
    const health = judge({ pending: 3, dead: 412, deadCauses: 6, held: 7, accounts: [anAccount(), paused] });
    expect(health.level).toBe('look');
    expect(health.sentence).toBe('Mail is leaving on time. Three things need a person.');
    expect(health.needs).toEqual([
      { kind: 'dead', count: 412, sentence: '412 dead, 6 causes' },
      {
        ...{ kind: 'held', count: 7, sentence: '7 held, outcome unknown' },
        advice: 'Nobody knows whether these 7 mails left. Only you can decide.',
      },
      { kind: 'account_paused', count: 1, sentence: 'hello@ is paused: bounces 6.1 %' },
    ]);
  });

  test.each([
    [9_999, 'fine', 'Mail is leaving on time. Nothing needs a person.'],
    [10_000, 'look', 'Mail is leaving, but late. Nothing needs a person.'],
    [59_999, 'look', 'Mail is leaving, but late. Nothing needs a person.'],
    [60_000, 'act', 'Mail is not leaving. One thing needs a person.'],
  ] as const)('after %i ms of waiting is %s: %s', (oldestDueMs, level, sentence) => {
    const health = judge({ pending: 1, oldestDueMs });
    expect(health.level).toBe(level);
    expect(health.sentence).toBe(sentence);
  });

  test('says what to check when nothing leaves', () => {
    const { needs } = judge({ pending: 5, oldestDueMs: 250_000 });
    expect(needs).toEqual([
      {
        kind: 'late',
        count: 1,
        sentence: 'Due mail has waited 4 m 10 s, although 3 workers answer. Look into their logs.',
      },
    ]);
  });

  test('needs a person at once when something is due and nobody works', () => {
    expect(judge({ pending: 5, oldestDueMs: 100, workers: 0 })).toEqual({
      level: 'act',
      sentence: 'No worker is running, so no mail leaves. One thing needs a person.',
      evidence: 'The oldest due message has waited 0.1 s. 5 messages wait. No worker answers.',
      needs: [
        {
          kind: 'no_worker',
          count: 1,
          sentence: 'Due mail has waited 0.1 s and no worker is running. Start one: pillarbox work',
        },
      ],
    });
  });

  test('is fine without a worker while nothing is due, and says that none answers', () => {
    expect(judge({ pending: 5, workers: 0 })).toMatchObject({
      level: 'fine',
      evidence: 'Nothing is due. 5 messages wait. No worker answers.',
    });
    expect(judge({ workers: 1 }).evidence).toBe('Nothing is due. 1 worker answers.');
  });

  test.each([
    [1, 'The only account is paused. No mail leaves. One thing needs a person.'],
    [2, 'All 2 accounts are paused. No mail leaves. One thing needs a person.'],
  ])('with all of %i accounts paused nothing can leave', (count, sentence) => {
    const accounts = Array.from({ length: count }, () => anAccount({ pausedAt: NOW }));
    expect(judge({ pending: 1, accounts })).toMatchObject({ level: 'act', sentence });
  });

  test('tells which accounts rest, how long and why; a paused one does not rest', () => {
    const resting = anAccount({ cooldownUntil: NOW + 90_000, cooldownReason: '421 4.7.0' });
    const accounts = [resting, { ...resting, name: 'hello@', pausedAt: NOW }];
    expect(judge({ pending: 1, accounts }).evidence).toBe(
      'Nothing is due. 1 message waits. bookings@ rests for 1 m 30 s (421 4.7.0). 3 workers answer.',
    );
  });

  test('counts in words a person reads: one cause, and days instead of hours', () => {
    expect(judge({ dead: 1, deadCauses: 1 }).needs[0]?.sentence).toBe('1 dead, 1 cause');
    expect(judge({ oldestDueMs: 3 * 24 * 3_600_000, pending: 1 }).evidence).toContain('waited 3 days');
    expect(judge({ oldestDueMs: 2 * 3_600_000 + 240_000, pending: 1 }).evidence).toContain('waited 2 h 4 m');
  });
});
