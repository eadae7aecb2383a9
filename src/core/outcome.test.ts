import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOVES, mayHappen } from './lifecycle.js';
import { DOUBT_POLICIES } from './message.js';
import {
  consequencesOf,
  outcomeOf,
  outcomeOfDoubt,
  outcomeOfLookup,
  outcomeOfLoss,
  type Trial,
} from './outcome.js';
import { ERROR_CLASSES, type SendError, type SendReport } from './report.js';
import { RETRY_POLICIES } from './retry.js';

const trial = (over: Partial<Trial> = {}): Trial => ({
  attempts: 0,
  ageMs: 0,
  inline: false,
  doubts: 0,
  policy: RETRY_POLICIES.outbox,
  doubtPolicy: 'resend',
  unknownWaitMs: 7_000,
  ...over,
});
const error = (over: Partial<SendError> = {}): SendError => ({
  class: 'retryable',
  scope: 'message',
  code: '451',
  message: 'try later',
  ...over,
});
const failed = (over: Partial<SendError> = {}): SendReport => ({
  status: 'failed',
  provider: 'smtp',
  error: error(over),
});

describe('the outcome of a try', () => {
  test('a success counts one try', () => {
    expect(outcomeOf({ status: 'sent', provider: 'smtp' }, trial({ attempts: 2 }))).toEqual({
      event: 'accepted',
      attempt: 'success',
      attempts: 3,
    });
  });

  test('a failure for now waits by the policy, or as long as the provider asks', () => {
    expect(outcomeOf(failed(), trial())).toMatchObject({ event: 'deferred', attempts: 1, waitMs: 60_000 });
    expect(outcomeOf(failed({ retryAfterSeconds: 900 }), trial())).toMatchObject({ waitMs: 900_000 });
  });

  test('the last try that fails is the end', () => {
    expect(outcomeOf(failed(), trial({ attempts: 4 }))).toMatchObject({
      event: 'exhausted',
      attempts: 5,
      reason: 'max_attempts',
    });
  });

  test.each(['permanent', 'recipient'] as const)('a %s error is the end at once', (kind) => {
    expect(outcomeOf(failed({ class: kind }), trial())).toMatchObject({
      event: 'rejected',
      attempts: 1,
      reason: 'permanent_error',
    });
  });

  test.each(['account', 'rate_limited'] as const)(
    'a %s error burns no try, and the message does not come again at once',
    (kind) => {
      const released = { event: 'released', attempts: 4 };
      const limit = { class: kind, scope: 'account' } as const;
      expect(outcomeOf(failed(limit), trial({ attempts: 4 }))).toMatchObject({ ...released, waitMs: 7_000 });
      // How long it rests is the account's matter: whoever resumes it does not wait for its mail.
      expect(outcomeOf(failed({ ...limit, retryAfterSeconds: 90 }), trial())).toMatchObject({
        waitMs: 7_000,
      });
    },
  );

  test('what nobody was asked for uses up no try', () => {
    const report = failed({ attempted: false, retryAfterSeconds: 5 });
    expect(outcomeOf(report, trial({ attempts: 4 }))).toEqual({
      event: 'released',
      attempts: 4,
      waitMs: 5_000,
    });
    expect(outcomeOf(failed({ attempted: false }), trial())).toMatchObject({ waitMs: 7_000 });
  });

  test('a limit of one recipient makes only that message wait', () => {
    const report = failed({ class: 'rate_limited', scope: 'recipient' });
    expect(outcomeOf(report, trial())).toMatchObject({ event: 'released', waitMs: 900_000 });
    expect(consequencesOf(report, 'ada@example.org')).toEqual({});
  });
});

describe('doubt', () => {
  test('hold asks a person; assume_sent takes it for sent; resend tries once more after the wait', () => {
    expect(outcomeOfDoubt(error(), trial({ doubtPolicy: 'hold' }))).toMatchObject({
      event: 'doubted',
      attempts: 1,
    });
    expect(outcomeOfDoubt(error(), trial({ doubtPolicy: 'assume_sent' }))).toMatchObject({
      event: 'accepted',
    });
    expect(outcomeOfDoubt(error(), trial())).toMatchObject({ event: 'deferred', waitMs: 60_000 });
  });

  test('a second doubt is for a person, whatever the policy says about resending', () => {
    expect(outcomeOfDoubt(error(), trial({ doubts: 1 }))).toMatchObject({ event: 'doubted' });
  });

  test('a doubt on the last try is for a person', () => {
    expect(outcomeOfDoubt(error(), trial({ attempts: 4 }))).toMatchObject({ event: 'doubted', attempts: 5 });
  });

  test('stays in the history as a doubt, also when the provider could say what became of it', () => {
    expect(outcomeOfLookup('sent', error(), trial())).toMatchObject({
      event: 'accepted',
      attempt: 'in_doubt',
    });
    expect(outcomeOfLookup('unsent', error(), trial())).toMatchObject({
      event: 'deferred',
      attempt: 'in_doubt',
    });
  });
});

describe('what may have been sent, but is known by its key', () => {
  const DAY_SECONDS = 86_400;

  test('is tried again like any failure while the key lasts, also under hold and after another doubt', () => {
    const keyed = failed({ keyLifeSeconds: DAY_SECONDS });
    const lastMinuteMs = DAY_SECONDS * 1_000 - 60_000;
    expect(outcomeOf(keyed, trial({ doubtPolicy: 'hold', doubts: 1, ageMs: lastMinuteMs }))).toMatchObject({
      event: 'deferred',
      attempt: 'failed',
      waitMs: 60_000,
    });
  });

  test('is a doubt if the next try would come too late for the key', () => {
    const keyed = failed({ keyLifeSeconds: DAY_SECONDS });
    const ageMs = DAY_SECONDS * 1_000 - 59_999;
    expect(outcomeOf(keyed, trial({ ageMs, doubtPolicy: 'hold' }))).toMatchObject({
      event: 'doubted',
      attempt: 'in_doubt',
      error: { class: 'in_doubt' },
    });
    expect(outcomeOf(keyed, trial({ ageMs }))).toMatchObject({ event: 'deferred', attempt: 'in_doubt' });
    expect(outcomeOf(keyed, trial({ ageMs, doubts: 1 }))).toMatchObject({ event: 'doubted' });
  });

  test('is a doubt and not dead if there is no next try', () => {
    const keyed = failed({ keyLifeSeconds: DAY_SECONDS });
    expect(outcomeOf(keyed, trial({ attempts: 4 }))).toMatchObject({ event: 'doubted', attempts: 5 });
  });

  test('is tried again after a lost lease, whatever the policy, and the doubt stays in the history', () => {
    const answer = { keyLifeSeconds: DAY_SECONDS };
    const held = trial({ doubtPolicy: 'hold', doubts: 1 });
    expect(outcomeOfLookup(answer, error(), held)).toMatchObject({ event: 'deferred', attempt: 'in_doubt' });
    expect(outcomeOfLookup(answer, error(), trial({ attempts: 4 }))).toMatchObject({ event: 'doubted' });
  });
});

describe('a lost lease', () => {
  const loss = { handed: false, withdrawn: false, alone: false, loneLosses: 0 };

  test('before the gate: again, as if nothing had happened', () => {
    expect(outcomeOfLoss(loss, trial({ attempts: 3 }))).toEqual({
      event: 'released',
      attempts: 3,
    });
  });

  test('after the gate: in doubt, even if it was withdrawn too late', () => {
    expect(
      outcomeOfLoss({ ...loss, handed: true, withdrawn: true }, trial({ doubtPolicy: 'hold' })),
    ).toMatchObject({
      event: 'doubted',
    });
  });

  test('a withdrawn message is cancelled', () => {
    expect(outcomeOfLoss({ ...loss, withdrawn: true }, trial())).toMatchObject({ event: 'cancelled' });
  });

  test('only losses of a lease of one count towards poison, and the fifth ends it', () => {
    expect(outcomeOfLoss({ ...loss, loneLosses: 4 }, trial()).event).toBe('released');
    expect(outcomeOfLoss({ ...loss, alone: true, loneLosses: 3 }, trial()).event).toBe('released');
    expect(outcomeOfLoss({ ...loss, alone: true, loneLosses: 4 }, trial())).toMatchObject({
      event: 'poisoned',
      reason: 'poison',
    });
  });
});

describe('consequences', () => {
  test('a refused recipient of a mail that left for others is suppressed by itself', () => {
    const refused = [
      { address: 'gone@example.org', error: error({ class: 'recipient' }) },
      { address: 'full@example.org', error: error({ softBounce: true }) },
    ];
    expect(consequencesOf({ status: 'sent', provider: 'smtp', refused }, 'ada@example.org')).toEqual({
      suppress: ['gone@example.org'],
      softBounces: ['full@example.org'],
    });
  });

  test.each<[string, Partial<SendError>, object]>([
    [
      'a bad password pauses the account',
      { class: 'account', scope: 'account' },
      { pauseAccount: expect.anything() },
    ],
    [
      'an account that may come back by itself rests',
      { class: 'account', scope: 'account', retryAfterSeconds: 900 },
      { coolAccount: { retryAfterSeconds: 900, reason: expect.any(String) } },
    ],
    [
      'a rate limit cools the account',
      { class: 'rate_limited', scope: 'account' },
      { coolAccount: expect.anything() },
    ],
    [
      'an unknown mailbox is suppressed',
      { class: 'recipient', scope: 'recipient' },
      { suppress: ['ada@example.org'] },
    ],
    ['a full mailbox is noted', { softBounce: true }, { softBounces: ['ada@example.org'] }],
    ['a temporary failure has none', {}, {}],
  ])('%s', (_, over, expected) => {
    expect(consequencesOf(failed(over), 'ada@example.org')).toEqual(expected);
  });
});

test('whatever the report, the move is legal from "sending" and tries never go down', () => {
  const anyTrial = fc.record({
    attempts: fc.nat(60),
    ageMs: fc.nat(),
    inline: fc.boolean(),
    doubts: fc.nat(3),
    policy: fc.constantFrom(...Object.values(RETRY_POLICIES)),
    doubtPolicy: fc.constantFrom(...DOUBT_POLICIES),
    unknownWaitMs: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(
    fc.property(
      anyTrial,
      fc.constantFrom(...ERROR_CLASSES),
      fc.option(fc.nat(90_000)),
      (each, kind, wait) => {
        const report = failed({ class: kind, ...(wait !== null && { retryAfterSeconds: wait }) });
        const outcome = outcomeOf(report, each);
        expect(mayHappen('sending', outcome.event)).toBe(true);
        const counts = !each.inline && kind !== 'account' && kind !== 'rate_limited';
        expect(outcome.attempts - each.attempts).toBe(counts ? 1 : 0);
        if (outcome.event === 'deferred') expect(outcome.waitMs).toBeGreaterThanOrEqual(0);
        if (outcome.event === 'released') expect(outcome.waitMs).toBeGreaterThan(0);
        expect(Object.keys(MOVES)).toContain(outcome.event);
      },
    ),
  );
});
