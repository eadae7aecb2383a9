import { describe, expect, test } from 'vitest';
import { judgeCause, summariseDead, type CauseFacts } from './dead-letters.js';

const NOW = Date.UTC(2026, 10, 16, 10, 42);
const MINUTE = 60_000;
const clock = (instant: number): string => new Date(instant).toISOString().slice(11, 16);

const facts = (over: Partial<CauseFacts> = {}): CauseFacts => ({
  ...{ fingerprint: 'f1', class: 'retryable', code: '451 4.3.0', sample: 'Temporary lookup failure' },
  ...{ count: 163, lastAt: NOW - 25 * MINUTE, accounts: ['bookings'], paused: [] },
  ...{ successesSince: 214, countedFrom: NOW - 25 * MINUTE },
  ...over,
});
const judge = (over?: Partial<CauseFacts>) => judgeCause(facts(over), NOW, clock);

describe('whether a retry would help', () => {
  test('a passing trouble looks over once enough has left the same way for a while', () => {
    expect(judge()).toMatchObject({
      outlook: 'over',
      sentence: '214 mails left through bookings since 10:17.',
    });
  });

  test('nine successes, or nine minutes, are too few', () => {
    expect(judge({ successesSince: 9 })).toMatchObject({
      outlook: 'untried',
      sentence: 'Only 9 mails left through bookings since 10:17: too few to tell.',
    });
    expect(judge({ successesSince: 10 }).outlook).toBe('over');
    expect(judge({ lastAt: NOW - 9 * MINUTE }).outlook).toBe('untried');
    expect(judge({ lastAt: NOW - 10 * MINUTE }).outlook).toBe('over');
  });

  test('where nothing was sent since, nobody can tell', () => {
    expect(judge({ successesSince: 0, accounts: ['a', 'b'] })).toMatchObject({
      outlook: 'untried',
      sentence: 'Nothing has left through a and b since 10:17.',
    });
  });

  test.each([
    ['recipient', 'The addresses are suppressed: a retry would be skipped.'],
    ['permanent', 'The server would refuse the same mail again. Change it first.'],
    ['in_doubt', 'It may have left: a retry may send it twice.'],
  ] as const)('%s needs a change, whatever else has left', (kind, sentence) => {
    expect(judge({ class: kind, code: '550', sample: 'no' })).toMatchObject({ outlook: 'change', sentence });
  });

  test.each([
    [{ class: 'recipient' as const, code: '550', sample: 'no' }, '/settings/suppressions'],
    [{ class: 'account' as const, successesSince: 0 }, '/accounts'],
    [
      { class: 'permanent' as const, code: 'template_missing_variable', sample: 'seat v3, ar, html: no' },
      '/templates/seat?version=v3',
    ],
    [
      {
        ...{ class: 'permanent' as const, code: 'template_missing_locale' },
        sample: 'template “seat” v3 has no text in it, only in en',
      },
      '/templates/seat?version=v3',
    ],
  ])('the place where it is dealt with is one press away: %j', (facts, to) => {
    expect(judge(facts).remedy).toMatchObject({ to });
  });

  test('what is over, or dealt with nowhere, leads nowhere', () => {
    expect(judge().remedy).toBeNull();
    expect(judge({ class: 'permanent', code: '554', sample: 'no' }).remedy).toBeNull();
  });

  test('an account that sends again is over; one that does not needs its sign-in renewed', () => {
    expect(judge({ class: 'account' }).outlook).toBe('over');
    expect(judge({ class: 'account', successesSince: 0 })).toMatchObject({
      outlook: 'change',
      sentence: 'Renew the sign-in of bookings first.',
    });
  });

  test('it says what happens: the count, and who is paused', () => {
    expect(judge().onRetry).toBe(
      'Attempts start again at 0, and all 163 are due at once. What is past its expiry ends as expired.',
    );
    expect(judge({ paused: ['bookings'] }).onRetry).toContain(
      'bookings is paused: they wait until that ends.',
    );
  });
});

describe('the sentence of the page', () => {
  const group = (fingerprint: string, count: number, outlook: 'over' | 'change' | 'untried') => ({
    ...{ fingerprint, count, outlook },
  });

  test('counts letters and causes, and says which can be retried', () => {
    expect(
      summariseDead([
        group('a', 163, 'over'),
        group('b', 147, 'change'),
        group('c', 41, 'over'),
        group('d', 61, 'change'),
      ]),
    ).toEqual({
      level: 'act',
      sentence: '412 dead letters have 4 causes. Two of them look over.',
      evidence:
        '204 can be tried again now: other mail has left the same way since. The rest would fail the same way.',
      retryable: { count: 204, fingerprints: ['a', 'c'] },
    });
  });

  test.each([
    ['1 dead letter has 1 cause. It looks over.', [group('a', 1, 'over')]],
    ['5 dead letters have 1 cause. It does not look over.', [group('a', 5, 'change')]],
    [
      '2,000 dead letters have 2 causes. None of them look over.',
      [group('a', 1_999, 'change'), group('b', 1, 'untried')],
    ],
    ['3 dead letters have 2 causes. Both look over.', [group('a', 2, 'over'), group('b', 1, 'over')]],
  ])('%s', (sentence, groups) => {
    expect(summariseDead(groups).sentence).toBe(sentence);
  });

  test.each([
    ['It would fail the same way.', [group('a', 1, 'change')]],
    ['They would fail the same way.', [group('a', 2, 'change')]],
    ['Nothing has shown yet that it is over.', [group('a', 2, 'untried')]],
  ])('what speaks for it: %s', (evidence, groups) => {
    expect(summariseDead(groups).evidence).toBe(evidence);
  });

  test('nothing dead is fine', () => {
    expect(summariseDead([])).toMatchObject({ level: 'fine', sentence: 'No dead letters.' });
  });
});
