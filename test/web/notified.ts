import { expect, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import type { Stage } from './stage.js';

/** All that the template of a new workspace wants. */
export const PAYLOAD = {
  ...{ courseTitle: 'Bread by the tide table', courseString: 'BREAD-1', sectionNumber: '01' },
  ...{ meetingSummary: 'Sat 21 Nov, 10:00', termId: '2026', campusCode: 'PIER', indexNumber: '07' },
  ...{ statusBefore: 'Waitlist', statusAfter: 'Open' },
};

/** Later than any test goes on, and before an event is too old to be told. */
export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

export async function subscribe(stage: Stage, name: string, over: object = {}): Promise<string> {
  const { id } = await stage.call('POST', '/api/subscriptions', {
    ...{ topic: 'workshop:bread', contactType: 'email', contactValue: `${name}@example.org`, ...over },
  });
  return String(id);
}

export async function publish(stage: Stage, over: object = {}): Promise<string> {
  const { eventId } = await stage.call('POST', '/api/events', {
    ...{ type: 'seat.opened', topic: 'workshop:bread', template: { id: 'open-seat' }, payload: PAYLOAD },
    ...over,
  });
  return String(eventId);
}

export async function untilCounts(
  stage: Stage,
  event: string,
  wanted: Readonly<Record<string, number>>,
): Promise<void> {
  await vi.waitFor(
    async () =>
      expect((await stage.call('GET', `/api/events/${event}`))['counts'], `of ${event}`).toMatchObject(
        wanted,
      ),
    { interval: 50, timeout: PATIENCE_MS },
  );
}

/** Lines that a topic has so many subscribers by; each waits, as all of them are snoozed. */
export const manySnoozed = (topic: string, count: number): string =>
  [
    'topic,email,snoozeUntil',
    ...Array.from({ length: count }, (_, n) => `${topic},many${n}@example.org,${inAnHour()}`),
  ].join('\n');

/** One event with everything that can become of it, one that nobody hears, and a subscription in every state. */
export async function aTopic(stage: Stage): Promise<{ event: string; subscription: string }> {
  const subscription = await subscribe(stage, 'odile', {
    ...{ locale: 'en', timezone: 'Europe/Paris', name: 'Odile Zeller' },
    preferences: { maxNotifications: 5, deliveryWindow: { startMinutes: 0, endMinutes: 1_440 } },
  });
  await subscribe(stage, 'odile', { topic: 'workshop:rope' });
  await subscribe(stage, 'wanda', { preferences: { snoozeUntil: inAnHour() } });
  await subscribe(stage, 'eve', { preferences: { notifyOn: ['Closed'] } });
  await subscribe(stage, 'ida', { locale: 'it' });
  await subscribe(stage, 'tove', { status: 'pending' });
  await subscribe(stage, 'paul', { status: 'paused' });
  const ended = await subscribe(stage, 'rosa');
  await stage.call('PATCH', `/api/subscriptions/${ended}`, { status: 'unsubscribed' });
  await subscribe(stage, 'pavel');
  await stage.call('POST', '/api/suppressions', { email: 'pavel@example.org', reason: 'hard_bounce' });
  await publish(stage, { type: 'notice.garden', topic: 'garden' });
  const event = await publish(stage, { dedupeKey: '07:Open', traceId: '4be1c07790c1' });
  await untilCounts(stage, event, { sent: 1, scheduled: 1, skipped: 2, dead: 1 });
  await stage.call('PATCH', `/api/subscriptions/${subscription}`, { preferences: { maxNotifications: 7 } });
  return { event, subscription };
}
