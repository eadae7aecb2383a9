import { expect, test } from 'vitest';
import { happeningWords } from './subscription-history.js';
import { subscriptionPlate, subscriptionState, type SubscriptionFacts } from './subscription-words.js';

const NOW = Date.UTC(2026, 10, 16, 15, 42);
const CLOCK = { now: NOW, timezone: 'America/New_York' };
const MINUTE = 60_000;
const NO_PREFERENCES = { notifyOn: null, maxNotifications: null, deliveryWindow: null, snoozeUntil: null };

const facts = (over: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  ...{ status: 'active', preferences: NO_PREFERENCES, notified: 0, timezone: 'Europe/Paris' },
  ...{ told: 0, lastToldAt: null, askedAt: null, dead: 0, waiting: 0, nextAt: null, others: 0 },
  ...{ changedBy: null, changedAt: null, suppression: undefined },
  ...over,
});
const plate = (over: Partial<SubscriptionFacts> = {}) => subscriptionPlate(facts(over), CLOCK);
const suppression = {
  ...{ address: 'p@x.example', reason: 'hard_bounce' as const, lanes: null, messageId: null },
  ...{ note: null, actor: null },
  createdAt: Date.UTC(2026, 10, 13, 15),
};

test('who is told hears how often, when last, and from when to when', () => {
  const limited = { ...NO_PREFERENCES, maxNotifications: 5 };
  expect(plate({ preferences: limited, notified: 3, lastToldAt: NOW - 31_000 }).sentence).toBe(
    'Told 3 of 5 times, last 31 s ago. 2 more, then no further ones.',
  );
  expect(plate({ preferences: limited, notified: 5 }).sentence).toBe('Told 5 of 5 times. No further ones.');
  expect(plate({ told: 41, lastToldAt: NOW - 21 * MINUTE }).sentence).toBe('Told 41 times, last 21 m ago.');
  expect(plate({ told: 1, lastToldAt: NOW - 9 * 24 * 60 * MINUTE }).sentence).toBe(
    'Told once, last on Sat 7 Nov.',
  );
  expect(plate()).toEqual({
    level: 'fine',
    sentence: 'Not told of anything yet.',
    evidence: 'Mails may leave at any hour. Nothing waits.',
  });
  const deliveryWindow = { startMinutes: 480, endMinutes: 1_200 };
  expect(plate({ preferences: { ...NO_PREFERENCES, deliveryWindow } }).evidence).toBe(
    'Mails may leave 08:00–20:00 in Paris, where it is 16:42. Nothing waits.',
  );
});

test('what waits is said by the clock of the person, and what died is not hidden', () => {
  expect(plate({ waiting: 1, nextAt: Date.UTC(2026, 10, 17, 7) }).sentence).toBe(
    'Waits for Tue 17 Nov, 08:00 in Paris; 1 mail.',
  );
  expect(plate({ told: 2, dead: 1, lastToldAt: NOW })).toMatchObject({
    ...{ level: 'look', sentence: 'Told 2 times, last 0 s ago. 1 mail died.' },
  });
});

test('who is not told hears why', () => {
  expect(plate({ suppression })).toMatchObject({
    level: 'look',
    sentence: 'Suppressed since Fri 13 Nov: its mailbox is gone. Nothing is sent.',
  });
  expect(plate({ status: 'suppressed' }).sentence).toBe('Suppressed. Nothing is sent.');
  expect(plate({ status: 'pending', askedAt: NOW - 2 * 60 * MINUTE })).toMatchObject({
    ...{ sentence: 'Not confirmed yet. Nothing is sent before.', evidence: 'Asked 2 h ago.' },
  });
  expect(plate({ status: 'unsubscribed', changedBy: 'recipient', changedAt: NOW })).toMatchObject({
    ...{ sentence: 'Ended by the person. Coming back needs the person.' },
    evidence: 'By the person, 10:42 EST.',
  });
  expect(plate({ status: 'unsubscribed', changedBy: 'mara@x', changedAt: NOW })).toMatchObject({
    ...{ sentence: 'Ended. Coming back needs the person.', evidence: 'By mara@x, 10:42 EST.' },
  });
  expect(plate({ status: 'paused' })).toMatchObject({ evidence: 'It came like this.' });
  const snoozed = { ...NO_PREFERENCES, snoozeUntil: Date.UTC(2026, 11, 1, 14) };
  expect(plate({ preferences: snoozed }).sentence).toBe(
    'Snoozed until Tue 1 Dec, 09:00 EST. Nothing is sent before.',
  );
});

test('the end and a missing confirmation count before a suppression, and that before the rest', () => {
  const state = (over: Partial<SubscriptionFacts>) => subscriptionState(facts(over), NOW);
  const snoozed = { ...NO_PREFERENCES, snoozeUntil: NOW + 1 };
  expect(state({ status: 'unsubscribed', suppression })).toBe('unsubscribed');
  expect(state({ status: 'pending', suppression })).toBe('pending');
  expect(state({ status: 'paused', suppression })).toBe('suppressed');
  expect(state({ preferences: snoozed })).toBe('snoozed');
  expect(state({ preferences: { ...snoozed, snoozeUntil: NOW } })).toBe('active');
  expect(state({ status: 'paused', preferences: snoozed })).toBe('paused');
});

const words = (kind: string, actor: string | null = null, details: Record<string, unknown> | null = null) =>
  happeningWords({ kind, actor, details }, CLOCK);

test('a history says who did what, before and after', () => {
  expect(words('created', 'key Website', { status: 'pending' })).toMatchObject({
    ...{ headline: 'Subscribed', sentence: 'by key Website, not confirmed' },
  });
  expect(words('created', 'library', { status: 'active' }).sentence).toBe('by a program');
  expect(words('confirmation_sent').headline).toBe('Asked to confirm');
  expect(words('notify_sent', null, { statusBefore: 'Closed', statusAfter: 'Open' })).toEqual({
    ...{ headline: 'Told', sentence: '', changes: [] },
    snapshot: 'statusBefore: Closed, statusAfter: Open',
  });
  expect(
    words('updated', 'recipient', {
      maxNotifications: { before: null, after: 5 },
      deliveryWindow: { before: null, after: { startMinutes: 480, endMinutes: 1_200 } },
      notifyOn: { before: ['Open', 'Closed'], after: null },
      snoozeUntil: { before: null, after: Date.UTC(2026, 10, 16, 16) },
      locale: { before: 'en', after: null },
    }),
  ).toEqual({
    ...{ headline: 'Preferences changed', sentence: 'by the person', snapshot: null },
    changes: [
      { what: 'at most', before: 'no limit', after: '5' },
      { what: 'hours', before: 'any hour', after: '08:00–20:00' },
      { what: 'tells when', before: 'Open, Closed', after: 'anything' },
      { what: 'snoozed until', before: 'not snoozed', after: '11:00 EST' },
      { what: 'locale', before: 'en', after: 'none' },
    ],
  });
});

test('a move is called by what it means', () => {
  const moved = (before: string, after: string, actor = 'mara@x') =>
    words('status_changed', actor, { before, after });
  expect(moved('pending', 'active', 'recipient').headline).toBe('Confirmed');
  expect(moved('active', 'unsubscribed')).toMatchObject({ headline: 'Ended', sentence: 'by mara@x' });
  expect(moved('active', 'paused').headline).toBe('Paused');
  expect(moved('paused', 'active').headline).toBe('Resumed');
  expect(moved('unsubscribed', 'pending')).toMatchObject({
    ...{ headline: 'State changed', changes: [{ what: 'state', before: 'ended', after: 'not confirmed' }] },
  });
  expect(words('something_new').headline).toBe('something new');
});
