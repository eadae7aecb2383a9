import { describe, expect, test } from 'vitest';
import { forbids, suppressedAgain, type Suppression } from './suppression.js';

const suppression = (over: Partial<Suppression> = {}): Suppression => ({
  address: 'bob@example.org',
  reason: 'manual',
  lanes: null,
  createdAt: 1,
  messageId: null,
  note: null,
  actor: null,
  ...over,
});

describe('a suppression', () => {
  const campaign = { lane: 'campaign', transactional: false } as const;
  const receipt = { lane: 'outbox', transactional: true } as const;

  test('of no lane in particular forbids all of them', () => {
    expect([campaign, receipt].map((errand) => forbids(suppression(), errand))).toEqual([true, true]);
  });

  test('of one lane leaves the others alone', () => {
    const own = suppression({ lanes: ['campaign'] });
    expect([campaign, receipt].map((errand) => forbids(own, errand))).toEqual([true, false]);
  });

  test('by unsubscribing lets transactional mail through, and nothing else does', () => {
    expect(forbids(suppression({ reason: 'unsubscribed' }), receipt)).toBe(false);
    expect(forbids(suppression({ reason: 'unsubscribed' }), campaign)).toBe(true);
    for (const reason of ['hard_bounce', 'soft_bounces', 'complaint', 'manual'] as const) {
      expect(forbids(suppression({ reason }), receipt)).toBe(true);
    }
  });
});

describe('suppressed again', () => {
  test('the first reason stays, with its time', () => {
    const first = suppression({ reason: 'hard_bounce', messageId: 7 });
    const again = suppression({ reason: 'manual', createdAt: 2 });
    expect(suppressedAgain(first, again)).toEqual(first);
  });

  test('a graver one takes its place', () => {
    const left = suppression({ reason: 'unsubscribed' });
    const bounced = suppression({ reason: 'hard_bounce', createdAt: 2, messageId: 7 });
    const complained = suppression({ reason: 'complaint', createdAt: 3 });
    expect(suppressedAgain(left, bounced)).toEqual(bounced);
    expect(suppressedAgain(bounced, complained)).toEqual(complained);
    expect(suppressedAgain(complained, bounced)).toEqual(complained);
  });

  test('it holds in the lanes of both', () => {
    const own = suppression({ lanes: ['campaign'] });
    expect(suppressedAgain(own, suppression({ lanes: ['notification', 'campaign'] })).lanes).toEqual([
      'campaign',
      'notification',
    ]);
    expect(suppressedAgain(own, suppression()).lanes).toBeNull();
    expect(suppressedAgain(suppression(), own).lanes).toBeNull();
  });
});
