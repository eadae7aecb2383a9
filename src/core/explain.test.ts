import { describe, expect, test } from 'vitest';
import { explain, type Standing } from './explain.js';
import { ALL_STATES } from './lifecycle.js';

const NOON = Date.UTC(2026, 10, 16, 12);
const standing = (over: Partial<Standing> = {}): Standing => ({
  now: NOON,
  timezone: 'UTC',
  state: 'scheduled',
  dueAt: NOON - 1,
  attempts: 0,
  maxAttempts: 5,
  lastError: null,
  reason: null,
  finishedAt: null,
  suppressed: false,
  account: { name: 'main', pausedAt: null, pauseReason: null, blockedUntil: 0, blockedReason: null },
  guard: null,
  lease: null,
  workers: 2,
  ...over,
});
const account = (over: Partial<Standing['account']>) => ({ account: { ...standing().account, ...over } });

describe('why a message has not left', () => {
  test.each<[string, Partial<Standing>, string, number | null]>([
    ['its time has not come', { dueAt: NOON + 60_000 }, 'scheduled', NOON + 60_000],
    [
      'it waits for the next try',
      { state: 'retry_scheduled', attempts: 2, dueAt: NOON + 5 },
      'retry_wait',
      NOON + 5,
    ],
    ['all who work are busy', {}, 'waiting_for_worker', null],
    ['nobody works', { workers: 0 }, 'no_worker', null],
    [
      'the account is paused',
      account({ pausedAt: NOON - 5, pauseReason: '535 wrong password' }),
      'account_paused',
      null,
    ],
    ['the account cools down', account({ blockedUntil: NOON + 900_000 }), 'account_cooling', NOON + 900_000],
    ['the recipient is suppressed', { suppressed: true }, 'suppressed', null],
    ['a worker has it', { state: 'sending', lease: { owner: 'w1', handed: false } }, 'in_flight', null],
    ['it was handed over', { state: 'sending', lease: { owner: 'w1', handed: true } }, 'handed_over', null],
    ['it is in doubt', { state: 'held' }, 'in_doubt', null],
    ['it was restored from a backup', { state: 'held', reason: 'restored' }, 'in_doubt', null],
    ['it is dead', { state: 'dead', reason: 'max_attempts', attempts: 5 }, 'max_attempts', null],
  ])('%s', (_, over, reason, until) => {
    expect(explain(standing(over))).toMatchObject({ reason, until });
  });

  test('a pause is told before a cool-down, and a later due time outlives a cool-down', () => {
    const both = account({ pausedAt: NOON - 5, blockedUntil: NOON + 1 });
    expect(explain(standing(both)).reason).toBe('account_paused');
    const later = { ...account({ blockedUntil: NOON + 1_000 }), dueAt: NOON + 9_000 };
    expect(explain(standing(later))).toMatchObject({ reason: 'scheduled', until: NOON + 9_000 });
  });

  test('the sentence names account, time and the last error', () => {
    const { sentence } = explain(
      standing(account({ blockedUntil: NOON + 900_000, blockedReason: '421 4.7.0 slow down' })),
    );
    expect(sentence).toBe('Account main rests until 12:15:00 UTC: 421 4.7.0 slow down.');
    const retry = explain(
      standing({
        state: 'retry_scheduled',
        attempts: 1,
        dueAt: NOON + 60_000,
        lastError: { code: '451', message: 'busy' },
      }),
    );
    expect(retry).toMatchObject({
      headline: 'Try 1 of 5 failed; the next one is at 12:01:00 UTC.',
      evidence: 'The last try ended with: 451 busy',
    });
    expect(retry.sentence).toBe(
      'Try 1 of 5 failed; the next one is at 12:01:00 UTC. The last try ended with: 451 busy',
    );
  });

  test('the sentence of one that is due says who could take it', () => {
    const sentence = (workers: number) => explain(standing({ workers })).sentence;
    expect(sentence(0)).toBe(
      'It is due, but no worker is running. It leaves as soon as one is: pillarbox work',
    );
    expect(sentence(1)).toBe('It is due and waits for the one worker that answers.');
    expect(sentence(3)).toBe('It is due and waits for one of 3 workers that answer.');
  });

  test('every state has a sentence', () => {
    for (const state of ALL_STATES) expect(explain(standing({ state })).sentence, state).toMatch(/\.$/);
  });
});

test('a mail that died while its caller waited tells of its one try', () => {
  const died = { state: 'dead', reason: 'permanent', diedInline: true } as const;
  const { sentence } = explain(standing({ ...died, lastError: { code: '550', message: 'no such user' } }));
  expect(sentence).toBe(
    'Its one try, while the caller waited, met a permanent error; it is not tried again by itself. The last try ended with: 550 no such user',
  );
});
