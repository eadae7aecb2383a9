import { describe, expect, test, vi } from 'vitest';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
/** Open all day, with room for two; as close to one another as they can be. */
const TWO_A_DAY = {
  ...{ sendingDays: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC', dailyQuota: 2 },
  hours: Object.fromEntries(DAYS.map((day) => [day, [['00:00', '24:00']]])),
  spacing: { minSeconds: 0, maxSeconds: 0 },
};
const TEMPLATE = { id: 'plain', version: 'v1', locale: 'en', subject: 'News', text: 'Of {{ room }}.' };
const EVENT = { type: 'news', topic: 'news', template: { id: 'plain' }, payload: { room: 'the attic' } };
const PEOPLE = ['ada', 'bob', 'eve', 'kim'];

/** A workspace may decide that its notifications are guarded: then they keep to hours, limits and spacing as campaigns do. */
describe.concurrent.each(databases)('guarded notifications on $name', (database) => {
  const onOffice = officesOn(database);
  // All of a day is left, however slow the machine.
  const on = (act: (office: Office) => Promise<void>) =>
    onOffice(act, { secret, clock: '2031-03-03T00:10:00Z*1' });

  const call = async (
    office: Office,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    url: string,
    body?: object,
  ) => {
    const { status, data, text } = await office.call(office.admin, method, url, body);
    if (status > 299) throw new Error(`${url} answered ${text}`);
    return data;
  };
  const messages = async (office: Office) =>
    (await call(office, 'GET', '/api/messages?lane=notification'))['items'] as {
      readonly id: string;
      readonly to: { readonly email: string };
      readonly state: string;
      readonly reason: string | null;
      readonly rescheduleReason: string | null;
    }[];
  const states = async (office: Office) => (await messages(office)).map(({ state }) => state).sort();
  const until = (office: Office, wanted: readonly string[]) =>
    vi.waitUntil(async () => (await states(office)).join() === wanted.join(), {
      ...{ timeout: PATIENCE_MS, interval: 50 },
    });

  async function told(
    office: Office,
  ): Promise<{ readonly eventId: string; readonly people: readonly string[] }> {
    await call(office, 'PUT', '/api/settings/delivery', { lanes: { notification: { guarded: true } } });
    await call(office, 'PUT', '/api/settings/sending', TWO_A_DAY);
    await call(office, 'POST', '/api/templates', TEMPLATE);
    const people: string[] = [];
    for (const name of PEOPLE) {
      const contact = { topic: 'news', contactType: 'email', contactValue: `${name}@example.org` };
      people.push(String((await call(office, 'POST', '/api/subscriptions', contact))['id']));
    }
    const { eventId } = await call(office, 'POST', '/api/events', EVENT);
    return { eventId: String(eventId), people };
  }

  test(
    'leave within the quota of a day; the others wait, and say for what',
    on(async (office) => {
      const { eventId, people } = await told(office);
      await office.box.start();
      await until(office, ['scheduled', 'scheduled', 'sent', 'sent']);
      const waiting = (await messages(office)).filter(({ state }) => state === 'scheduled');
      expect(waiting.map(({ rescheduleReason }) => rescheduleReason)).toEqual([
        ...['workspace_quota', 'workspace_quota'],
      ]);
      expect(office.carrier.left).toHaveLength(2);
      // Guarded mail asks the gate last.
      expect(office.carrier.offered.every(({ gateLast }) => gateLast)).toBe(true);
      expect(await call(office, 'GET', '/api/quota')).toMatchObject({ limit: 2, sent: 2, remaining: 0 });
      expect((await call(office, 'GET', `/api/events/${eventId}`))['counts']).toMatchObject({
        ...{ sent: 2, scheduled: 2 },
      });
      const histories = await Promise.all(
        people.map(async (id) => (await call(office, 'GET', `/api/subscriptions/${id}/history`))['items']),
      );
      const kinds = (histories as { readonly kind: string }[][]).flat().map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'notify_sent')).toHaveLength(2);
    }),
  );

  test(
    'end like others: whose subscription ends is skipped, and a cancelled event is told to nobody more',
    on(async (office) => {
      const { eventId, people } = await told(office);
      // Whoever ends it before anybody looked is not told; the account has room for him.
      await call(office, 'PATCH', `/api/subscriptions/${people[0]!}`, { status: 'unsubscribed' });
      await office.box.start();
      await until(office, ['scheduled', 'sent', 'sent', 'skipped']);
      await call(office, 'POST', `/api/events/${eventId}/cancel`, {});
      await until(office, ['cancelled', 'sent', 'sent', 'skipped']);
      const ended = (await messages(office)).filter(({ state }) => state !== 'sent');
      expect(ended.map(({ state, reason }) => [state, reason]).sort()).toEqual([
        ['cancelled', 'event_cancelled'],
        ['skipped', 'unsubscribed'],
      ]);
      expect(ended.find(({ state }) => state === 'skipped')?.to.email).toBe('ada@example.org');
      // A place that was not used is not gone.
      expect(await call(office, 'GET', '/api/quota')).toMatchObject({ sent: 2, planned: 0 });
      expect(office.carrier.left).toHaveLength(2);
    }),
  );
});
