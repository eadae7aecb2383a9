import { describe, expect, test } from 'vitest';
import type { Counts, Dashboard } from '../../api/types';
import { exitsOf, forwardOf } from './flow';

const NOW = Date.UTC(2026, 10, 16, 15, 42, 7);
const ZONE = 'America/New_York';
const NOTHING: Counts = {
  scheduled: 0,
  queued: 0,
  sending: 0,
  sent: 0,
  retry_scheduled: 0,
  held: 0,
  dead: 0,
  skipped: 0,
  expired: 0,
  cancelled: 0,
};

const aDashboard = ({
  states,
  ...over
}: Partial<Omit<Dashboard, 'states'>> & { states?: Partial<Counts> } = {}) =>
  ({
    states: { ...NOTHING, ...states },
    next: { retryAt: null, scheduledAt: null },
    sentToday: 0,
    oldestHeldAgeSeconds: null,
    deadToday: 0,
    workers: { alive: 1, senders: 1 },
    ...over,
  }) as Dashboard;

const forward = (dashboard: Dashboard) => forwardOf(dashboard, NOW, ZONE);
const exits = (dashboard: Dashboard) => exitsOf(dashboard, NOW, ZONE);
const inMs = (ms: number) => new Date(NOW + ms).toISOString();

describe('the flow strip', () => {
  test('leaves Queued out where nothing goes through a broker', () => {
    expect(forward(aDashboard()).map(({ label }) => label)).toEqual(['Scheduled', 'Sending', 'Sent today']);
    expect(forward(aDashboard({ states: { queued: 126 } })).map(({ label }) => label)).toEqual([
      'Scheduled',
      'Queued',
      'Sending',
      'Sent today',
    ]);
  });

  test('counts what was sent today, not ever, and says since when in the zone of the workspace', () => {
    const [, , sent] = forward(aDashboard({ states: { sent: 51_084 }, sentToday: 12_397 }));
    expect(sent).toMatchObject({ state: 'sent', count: 12_397, evidence: 'since midnight, EST' });
  });

  test('says when the next one leaves, and never a time that is over', () => {
    const at = (scheduledAt: string | null) =>
      forward(aDashboard({ next: { retryAt: null, scheduledAt } }))[0]?.evidence;
    expect(at(inMs(24_000))).toBe('next in 24 s');
    expect(at(inMs(-3_000))).toBe('next now');
    expect(at(inMs(3 * 24 * 3_600_000))).toBe('next Thu 10:42');
    expect(at(null)).toBe('');
  });

  test('says on how many workers, and that none runs', () => {
    const sending = (senders: number) =>
      forward(aDashboard({ workers: { alive: senders + 2, senders, oldestSeenSeconds: 1, items: [] } }))[1]
        ?.evidence;
    expect([sending(3), sending(1), sending(0)]).toEqual(['on 3 workers', 'on 1 worker', 'no worker runs']);
  });

  test('shows the exits with what waits longest and what is new', () => {
    const dashboard = aDashboard({
      states: { retry_scheduled: 91, held: 7, dead: 412 },
      next: { retryAt: inMs(3_000), scheduledAt: null },
      oldestHeldAgeSeconds: 3_840,
      deadToday: 1_196,
    });
    expect(exits(dashboard).map(({ count, evidence }) => [count, evidence])).toEqual([
      [91, 'next in 3 s'],
      [7, 'oldest 1 h 4 m'],
      [412, '+1,196 today'],
    ]);
  });

  test('does not count who died today and was retried since as dead', () => {
    expect(exits(aDashboard({ deadToday: 3 }))[2]).toMatchObject({ count: 0, evidence: '' });
  });
});
