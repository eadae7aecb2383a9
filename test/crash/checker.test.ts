import { describe, expect, test } from 'vitest';
import type { Place, Registered } from './census.js';
import { check, describeVerdict, violationsOf, type Evidence } from './checker.js';

const NOW = 1_000;
const SENT: Place = { in: 'outcomes', state: 'sent', reason: null };
const HELD: Place = { in: 'outcomes', state: 'held', reason: 'in_doubt' };
const DEAD: Place = { in: 'outcomes', state: 'dead', reason: 'poison' };
const CANCELLED: Place = { in: 'outcomes', state: 'cancelled', reason: null };

const aMessage = (over: Partial<Registered> = {}): Registered => ({
  ...{ id: 1, to: 'ada', policy: 'hold', leaseLosses: 0, places: [SENT], attempts: ['success'] },
  ...over,
});

/** One mail to Ada, delivered so many times. */
const found = (messages: readonly Registered[], copies: number, over: Partial<Evidence> = {}) =>
  violationsOf(
    check({
      ...{ accepted: ['ada'], registered: messages, now: NOW },
      delivered: Array.from({ length: copies }, () => ({ to: 'ada' })),
      ...over,
    }),
  );

describe('the checker', () => {
  test('is content with a mail that was delivered once and is recorded as sent', () => {
    expect(found([aMessage()], 1)).toEqual([]);
  });

  test('is content with an undelivered mail that waits, is held, dead or cancelled', () => {
    for (const place of [HELD, DEAD, CANCELLED, { in: 'due', dueAt: NOW + 1 } as const]) {
      expect(found([aMessage({ places: [place], attempts: [] })], 0)).toEqual([]);
    }
  });

  test('calls lost what was accepted and is recorded as sent, or nowhere, and never arrived', () => {
    expect(found([aMessage()], 0)).toEqual(['lost']);
    expect(found([], 0)).toEqual(['lost']);
    expect(found([aMessage({ places: [] })], 0)).toEqual(['lost', 'misplaced']);
  });

  test('allows a second copy only to `resend`, with a doubt in its history, and never a third', () => {
    expect(found([aMessage()], 2)).toEqual(['duplicated']);
    expect(found([aMessage({ policy: 'resend' })], 2)).toEqual(['duplicated']);
    expect(found([aMessage({ attempts: ['in_doubt', 'success'] })], 2)).toEqual(['duplicated']);
    const resent = aMessage({ policy: 'resend', attempts: ['in_doubt', 'success'] });
    expect(found([resent], 2)).toEqual([]);
    expect(found([resent], 3)).toEqual(['duplicated']);
  });

  test('takes two messages for one mail as a duplicate when both leave', () => {
    expect(found([aMessage(), aMessage({ id: 2 })], 2)).toEqual(['duplicated']);
  });

  test('sees a mail that left although the database says that it did not', () => {
    expect(found([aMessage({ places: [DEAD], attempts: ['failed'] })], 1)).toEqual(['contradicted']);
    expect(found([aMessage({ places: [HELD], attempts: ['in_doubt'] })], 1)).toEqual([]);
    const cancelled = [aMessage({ places: [CANCELLED], attempts: [] })];
    expect(found(cancelled, 1, { cancelled: ['ada'] })).toEqual(['contradicted', 'sentThoughCancelled']);
  });

  test('calls stuck what is in flight, or due and not taken, and only that', () => {
    expect(found([aMessage({ places: [{ in: 'lease' }] })], 0)).toEqual(['stuck']);
    expect(found([aMessage({ places: [{ in: 'due', dueAt: NOW }] })], 0)).toEqual(['stuck']);
  });

  test('sees a message in two places', () => {
    expect(found([aMessage({ places: [SENT, { in: 'lease' }] })], 1)).toEqual(['stuck', 'misplaced']);
  });

  test('names what it found, and whom it concerns', () => {
    const verdict = check({ accepted: ['ada'], delivered: [], registered: [aMessage()], now: NOW });
    expect(describeVerdict('a run', verdict)).toMatch(/a run: VIOLATED \(lost\)[^]*lost +1: ada/);
  });
});
