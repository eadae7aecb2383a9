import { expect, test } from 'vitest';
import { judgeAccount, judgeAccounts, type AccountFacts } from './account-standing.js';

const NOW = Date.parse('2026-11-16T15:42:00Z');
const WHEN = { now: NOW, timezone: 'America/New_York', mostCounted: 10_000 };
const MINUTE = 60_000;

const account = (name: string, over: Partial<AccountFacts> = {}): AccountFacts => ({
  name,
  pausedAt: null,
  pauseReason: null,
  cooldownUntil: 0,
  cooldownReason: null,
  waiting: 0,
  ...over,
});
const paused = (name: string, pauseReason: string | null, waiting = 0) =>
  account(name, { pausedAt: NOW - MINUTE, pauseReason, waiting });
const resting = (name: string, forMs: number, cooldownReason: string | null = null) =>
  account(name, { cooldownUntil: NOW + forMs, cooldownReason });
const judge = (...accounts: readonly AccountFacts[]) => judgeAccounts({ ...WHEN, accounts });

test('accounts that may all send need no further word', () => {
  expect(judge(account('bookings'), account('mara'))).toEqual({
    level: 'fine',
    sentence: 'All 2 accounts may send now.',
    evidence: '',
  });
  expect(judge(account('default')).sentence).toBe('The only account may send now.');
});

test('who is paused or rests is named, with the reason and with what waits', () => {
  expect(
    judge(
      account('bookings'),
      resting('jonas', 15 * MINUTE, '421 4.7.0 slow down.'),
      paused('hello', 'Google refused the sign-in', 29),
    ),
  ).toEqual({
    level: 'look',
    sentence: 'One account may send now. jonas rests until 10:57 EST. hello is paused.',
    evidence:
      'hello: Google refused the sign-in. 29 mails wait for it. jonas: 421 4.7.0 slow down. Nothing waits for it.',
  });
});

test('many of a kind are counted instead of named', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => paused(name, null));
  expect(judge(account('e'), ...four).sentence).toBe('One account may send now. 4 are paused.');
  expect(judge(account('e'), ...four.slice(0, 2)).sentence).toBe(
    'One account may send now. a is paused and b is paused.',
  );
});

test('a workspace where nobody may send, or where there is nobody, needs a person', () => {
  expect(judge(paused('hello', 'bounces'))).toMatchObject({
    level: 'act',
    sentence: 'No account may send now. hello is paused.',
  });
  expect(judge(resting('hello', MINUTE))).toMatchObject({ level: 'act' });
  expect(judge()).toMatchObject({ level: 'act', sentence: 'There is no account. No mail can leave.' });
});

test('a pause goes before a cool-down that runs beside it', () => {
  const both = account('hello', { pausedAt: NOW, pauseReason: 'bounces', cooldownUntil: NOW + MINUTE });
  expect(judge(account('mara'), both).sentence).toBe('One account may send now. hello is paused.');
  expect(judgeAccount(both, WHEN).sentence).toBe('hello is paused: bounces.');
});

test('one account alone says what holds it up, until when, and what waits', () => {
  expect(judgeAccount(account('mara', { waiting: 1 }), WHEN)).toEqual({
    level: 'fine',
    sentence: 'mara may send now.',
    evidence: '1 mail waits for it.',
  });
  expect(judgeAccount(resting('mara', 3 * 24 * 60 * MINUTE), WHEN)).toEqual({
    level: 'look',
    sentence: 'mara rests until Thu 19 Nov, 10:42 EST.',
    evidence: 'Its server asked for it. Nothing waits for it.',
  });
  expect(judgeAccount(paused('mara', null, 10_001), WHEN)).toEqual({
    level: 'act',
    sentence: 'mara is paused: by a person.',
    evidence: 'More than 10,000 mails wait for it. Mail that waits loses no attempt.',
  });
});
