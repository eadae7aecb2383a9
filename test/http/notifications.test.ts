import { describe, expect, test, vi } from 'vitest';
import { insertMany } from '#pillarbox/store/bulk';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const PAYLOAD = {
  ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionNumber: '05', termId: '20269' },
  ...{ meetingSummary: 'Mon 10:20', campusCode: 'NB', indexNumber: '09214', statusBefore: 'Closed' },
  statusAfter: 'Open',
};
const EVENT = {
  ...{ type: 'section.opened', topic: 'section:1', template: { id: 'open-seat' }, payload: PAYLOAD },
};
const ADA = { topic: 'section:1', contactType: 'email', contactValue: 'Ada@Example.org', name: 'Ada' };
const JOB = {
  ...{ version: '1.0', notificationId: 1, openEventId: 2, subscriptionId: 3, dedupeKey: 'k', locale: 'en' },
  recipient: { email: 'ada@example.org', name: 'Ada' },
  template: {
    ...{ id: 'open-seat', version: 'v1' },
    variables: {
      ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionIndex: '09214' },
      ...{ sectionNumber: '05', meetingSummary: 'Mon 10:20', manageUrl: 'https://courses.example/manage' },
    },
  },
  event: {
    ...{ termId: '20269', campusCode: 'NB', indexNumber: '09214', statusAfter: 'Open' },
    eventAt: new Date().toISOString(),
  },
  links: { manageUrl: 'https://courses.example/manage', unsubscribeUrl: 'https://courses.example/stop' },
};

describe.concurrent.each(databases)('notifications over HTTP on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret });

  const post = (office: Office, url: string, body: object) => office.call(office.admin, 'POST', url, body);
  const get = async (office: Office, url: string) => (await office.call(office.admin, 'GET', url)).data;
  const made = async (office: Office, url: string, body: object): Promise<string> => {
    const { status, data, text } = await post(office, url, body);
    if (status > 299) throw new Error(`${url} answered ${text}`);
    return String(data['id']);
  };
  const counts = async (office: Office, id: string) =>
    (await get(office, `/api/events/${id}`))['counts'] as Record<string, number>;
  const until = (office: Office, id: string, wanted: Record<string, number>) =>
    vi.waitUntil(
      async () => {
        const now = await counts(office, id);
        return Object.entries(wanted).every(([state, n]) => now[state] === n);
      },
      { timeout: 15_000, interval: 50 },
    );

  test(
    'an event reaches those who want to know, as a mail with one-click headers',
    on(async (office) => {
      const ada = await made(office, '/api/subscriptions', ADA);
      await made(office, '/api/subscriptions', { ...ADA, contactType: 'sms', contactValue: '+4712345678' });
      await made(office, '/api/subscriptions', {
        ...{ ...ADA, contactValue: 'eve@example.org' },
        preferences: { notifyOn: ['Closed'] },
      });
      const published = await post(office, '/api/events', {
        ...EVENT,
        dedupeKey: '09214:Open',
        traceId: 't-1',
      });
      expect([published.status, published.data]).toEqual([
        202,
        { id: published.data['eventId'], eventId: published.data['eventId'], matched: 3 },
      ]);
      const id = String(published.data['eventId']);
      expect(await get(office, `/api/events/${id}`)).toMatchObject({ repeatedAt: null });
      for (let n = 0; n < 2; n += 1) {
        const again = await post(office, '/api/events', { ...EVENT, dedupeKey: '09214:Open' });
        expect([again.status, again.data]).toEqual([200, { id, eventId: id, duplicate: true }]);
      }

      await office.box.start();
      await until(office, id, { sent: 1, skipped: 2 });
      const event = await get(office, `/api/events/${id}`);
      expect(event).toMatchObject({
        ...{ topic: 'section:1', matched: 3, payload: PAYLOAD, template: { id: 'open-seat', version: 'v1' } },
        progress: { seen: 3, total: 3, done: true },
        repeatedAt: expect.stringMatching(/^\d{4}-/),
        plate: {
          ...{ level: 'fine', sentence: 'Told 1 of 3; 2 skipped.' },
          evidence: 'Same key within 3 minutes: nobody was told twice.',
        },
      });
      expect(event['reasons']).toEqual(
        expect.arrayContaining([
          { state: 'skipped', reason: 'not_email', count: 1, sentence: 'has no mail address' },
          { state: 'skipped', reason: 'notify_on', count: 1, sentence: 'wants others, not Open' },
        ]),
      );
      const mail = office.carrier.left[0]?.mail;
      expect(mail).toMatchObject({
        to: { email: 'Ada@example.org', name: 'Ada' },
        subject: 'A seat is open: Linear Algebra (09214)',
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      expect(mail!.unsubscribeUrl).toMatch(/\/u\/[\w-]+$/);
      expect(mail!.html).toContain('Linear Algebra');
      expect(mail!.text).toContain('/m/');
      const { items } = (await get(office, '/api/messages?lane=notification')) as { items: unknown };
      expect(items).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...{ state: 'sent', eventId: id, subscriptionId: ada, idempotencyKey: `${id}:${ada}` },
            traceId: 't-1',
          }),
        ]),
      );
      const found = (await get(office, `/api/messages?q=${id}:${ada}`)) as { items: unknown[] };
      expect(found.items).toHaveLength(1);
      const history = (await get(office, `/api/subscriptions/${ada}/history`)) as { items: unknown[] };
      expect(history.items).toMatchObject([
        { kind: 'notify_sent', eventId: id, details: { statusBefore: 'Closed', statusAfter: 'Open' } },
        { kind: 'created' },
      ]);
      const cancelled = await post(office, `/api/events/${id}/cancel`, {});
      expect(cancelled.status).toBe(200);
      expect((await post(office, `/api/events/${id}/cancel`, {})).status).toBe(409);
    }),
  );

  test(
    'what cannot be said dies with its reason; what is too old expires',
    on(async (office) => {
      await made(office, '/api/subscriptions', ADA);
      const unknown = await made(office, '/api/events', { ...EVENT, template: { id: 'no-such' } });
      const lacking = { ...PAYLOAD, courseTitle: undefined };
      const bare = await made(office, '/api/events', { ...EVENT, payload: lacking });
      const old = await made(office, '/api/events', { ...EVENT, eventAt: '2020-01-01T00:00:00Z' });
      await made(office, '/api/subscriptions', { ...ADA, locale: 'it' });
      const foreign = await made(office, '/api/events', EVENT);
      await office.box.start();
      for (const [id, reason] of [
        [unknown, 'template_not_found'],
        [bare, 'template_missing_variable'],
      ] as const) {
        // Whoever reads Italian now did so when it was claimed.
        await until(office, id, { dead: 1 });
        expect((await get(office, `/api/events/${id}`))['reasons']).toMatchObject([
          { state: 'dead', reason, count: 1 },
        ]);
      }
      await until(office, foreign, { dead: 1 });
      expect((await get(office, `/api/events/${foreign}`))['reasons']).toMatchObject([
        { state: 'dead', reason: 'template_missing_locale', count: 1 },
      ]);
      await until(office, old, { expired: 1 });
      // Nobody writes a header by what an event says of itself.
      const courseTitle = 'Algebra\r\nBcc: eve@example.org';
      await made(office, '/api/subscriptions', { ...ADA, locale: 'en' });
      const injected = await made(office, '/api/events', { ...EVENT, payload: { ...PAYLOAD, courseTitle } });
      await until(office, injected, { dead: 1 });
      expect((await get(office, `/api/events/${injected}`))['reasons']).toMatchObject([
        { state: 'dead', reason: 'template_bad_subject', count: 1 },
      ]);
      expect(office.carrier.left).toEqual([]);
    }),
  );

  test(
    'a known topic and contact keeps its id; who has ended it comes back by a confirmation alone',
    on(async (office) => {
      const id = await made(office, '/api/subscriptions', ADA);
      const again = await post(office, '/api/subscriptions', {
        ...{ ...ADA, contactValue: 'ada@EXAMPLE.org', locale: 'fr_CA', timezone: 'America/Toronto' },
        preferences: { maxNotifications: 5, deliveryWindow: { startMinutes: 1_320, endMinutes: 60 } },
      });
      expect(again.data).toMatchObject({
        ...{ id, locale: 'fr-CA', status: 'active', contactValue: 'Ada@example.org', notified: 0 },
        preferences: { maxNotifications: 5, notifyOn: null },
      });
      const url = `/api/subscriptions/${id}`;
      const patch = (body: object) => office.call(office.admin, 'PATCH', url, body);
      expect((await patch({ status: 'unsubscribed' })).data).toMatchObject({ status: 'unsubscribed' });
      expect((await post(office, '/api/subscriptions', ADA)).data).toMatchObject({ id, status: 'pending' });
      // However often it is asked for, no more than three mails a day ask that address.
      for (let n = 0; n < 4; n += 1)
        expect((await post(office, '/api/subscriptions', ADA)).data).toMatchObject({ status: 'pending' });
      expect((await patch({ status: 'active' })).data).toMatchObject({ status: 'pending' });
      const { items } = (await get(office, '/api/messages?lane=outbox')) as { items: { subject: string }[] };
      expect(items.map(({ subject }) => subject)).toEqual(
        Array.from({ length: 3 }, () => 'Veuillez confirmer : section:1'),
      );
      const wrong = await patch({ preferences: { deliveryWindow: { startMinutes: 60, endMinutes: 60 } } });
      expect([wrong.status, wrong.error.details?.field]).toEqual([400, 'preferences.deliveryWindow']);
      expect((await patch({ timezone: 'Mars/Olympus' })).error.details?.field).toBe('timezone');
      expect((await patch({ locale: 'not a locale' })).error.details?.field).toBe('locale');
      const listed = (await get(office, '/api/subscriptions?topic=section:1&q=ada@')) as { items: unknown[] };
      expect(listed.items).toMatchObject([{ id }]);
    }),
  );

  test(
    'a job of another producer is told once, and what breaks the contract is named by its path',
    on(async (office) => {
      const taken = await post(office, '/api/mail-jobs', JOB);
      expect([taken.status, taken.data['state']]).toEqual([202, 'scheduled']);
      const again = await post(office, '/api/mail-jobs', { ...JOB, notificationId: 9 });
      expect([again.status, again.data]).toEqual([200, { duplicate: true, id: taken.data['id'] }]);
      const without = { ...JOB, links: undefined };
      const wrong = await post(office, '/api/mail-jobs', without);
      expect([wrong.status, wrong.error.details?.field]).toEqual([422, '/links']);
      expect((await post(office, '/api/mail-jobs', { ...JOB, version: '2.0' })).status).toBe(422);
      await office.box.start();
      await vi.waitUntil(() => office.carrier.left.length === 1, { timeout: 15_000 });
      expect(office.carrier.left[0]?.mail).toMatchObject({
        ...{ to: { email: 'ada@example.org' }, unsubscribeUrl: 'https://courses.example/stop' },
        subject: 'A seat is open: Linear Algebra (09214)',
      });
    }),
  );

  test(
    'a file of subscriptions goes in and comes out; who has ended one is not revived; a person is found and erased',
    on(async (office) => {
      const ended = await made(office, '/api/subscriptions', ADA);
      await office.call(office.admin, 'PATCH', `/api/subscriptions/${ended}`, { status: 'unsubscribed' });
      const lines = [
        'email;topic;maxNotifications;notifyOn;startMinutes;endMinutes',
        'ada@example.org;section:1;;;;',
        'bob@example.org;section:1;2;Open|Wait;480;1320',
        'no address;section:1;;;;',
        'eve@example.org;section:1;many;;;',
      ];
      const reply = await office.app.inject({
        ...{ method: 'POST', url: '/api/subscriptions/import', payload: lines.join('\n') },
        headers: { ...office.admin.headers, 'content-type': 'text/csv' },
      });
      expect(reply.json<{ data: unknown }>().data).toMatchObject({
        ...{ imported: 1, updated: 1, rejectedTotal: 2 },
        rejected: [{ line: 4 }, { line: 5 }],
      });
      expect(await get(office, `/api/subscriptions/${ended}`)).toMatchObject({ status: 'unsubscribed' });
      const csv = await office.app.inject({
        ...{ method: 'GET', url: '/api/subscriptions/export', headers: office.admin.headers },
      });
      expect(csv.body.split('\r\n')[1]).toBe(
        'section:1,email,bob@example.org,,,,active,Open|Wait,2,480,1320,',
      );
      const event = await made(office, '/api/events', {
        ...EVENT,
        payload: { statusAfter: 'Open', seen: 'by bob@example.org' },
      });
      const person = await get(office, '/api/people/bob@example.org');
      expect(person).toMatchObject({
        subscriptions: [{ topic: 'section:1', status: 'active', history: [{ kind: 'created' }] }],
        events: [event],
      });
      const erased = await office.call(office.admin, 'DELETE', '/api/people/bob@example.org');
      expect(erased.data).toMatchObject({ events: [event], messages: 1 });
      expect((await office.call(office.admin, 'GET', '/api/people/bob@example.org')).status).toBe(404);
      expect(((await get(office, '/api/subscriptions?q=bob')) as { items: unknown[] }).items).toEqual([]);
    }),
  );

  test(
    'a password reset does not wait behind an event that many are told of, nor until all of them are found',
    on(async (office) => {
      const { store, home } = office.box;
      const text = (name: string) => ({ name, type: 'text' as const });
      await store.transaction(
        insertMany(
          store,
          'subscriptions',
          [
            ...['topic', 'contact_type', 'contact', 'status'].map(text),
            { name: 'workspace_id', type: 'int' },
            ...['created_at', 'updated_at'].map((name) => ({ name, type: 'bigint' as const })),
          ],
          Array.from({ length: 600 }, (_, n) => [
            ...['section:1', 'email', `p${n}@example.org`, 'active'],
            ...[home.id, 1, 1],
          ]),
        ),
      );
      const id = await made(office, '/api/events', EVENT);
      expect(await get(office, `/api/events/${id}`)).toMatchObject({
        progress: { seen: 0, total: 600, done: false },
      });
      await made(office, '/api/outbox', {
        ...{ to: 'ada@example.org', subject: 'Your new password', text: 'Here.', mode: 'queue' },
      });
      await office.box.start();
      await vi.waitUntil(async () => (await counts(office, id))['sent'] === 600, {
        ...{ timeout: PATIENCE_MS, interval: 50 },
      });
      const place = office.carrier.left.findIndex(({ mail }) => mail.subject === 'Your new password');
      expect(place).toBeGreaterThanOrEqual(0);
      // It came while they were being looked for, and went long before the last of them.
      expect(place).toBeLessThan(500);
      expect(office.carrier.left).toHaveLength(601);
    }),
  );

  test(
    'what is hostile is refused with its field, and changes nothing',
    on(async (office) => {
      const answer = async (url: string, body: object | string) => {
        const payload = typeof body === 'string' ? body : JSON.stringify(body);
        const headers = { ...office.admin.headers, 'content-type': 'application/json' };
        const reply = await office.app.inject({ method: 'POST', url, payload, headers });
        const { error } = JSON.parse(reply.body) as { error?: { details?: { field?: string } } };
        return [reply.statusCode, error?.details?.field];
      };
      for (const contactValue of [
        'ada@example.org\r\nBcc: eve@example.org',
        'ada@example.org\n',
        'ada\r@example.org',
        '"ada\r\n"@example.org',
        'ada@example.org, eve@example.org',
      ]) {
        const told = await answer('/api/subscriptions', { ...ADA, contactValue });
        const job = await answer('/api/mail-jobs', { ...JOB, recipient: { email: contactValue } });
        expect([contactValue, told, job]).toEqual([
          ...[contactValue, [400, 'contactValue'], [422, '/recipient/email']],
        ]);
      }
      const payloads = {
        long: JSON.stringify({ text: 'x'.repeat(300_000) }),
        huge: JSON.stringify({ text: 'x'.repeat(12_000_000) }),
        deep: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
        nul: '{"text":"a\\u0000b"}',
        prototype: '{"__proto__":{"x":1}}',
        constructor: '{"a":{"constructor":{"prototype":{"x":1}}}}',
      };
      const whole = JSON.stringify({ ...EVENT, payload: 0 });
      const told: Record<string, unknown> = {};
      for (const [name, payload] of Object.entries(payloads))
        told[name] = await answer(
          '/api/events',
          whole.replace('"payload":0', () => `"payload":${payload}`),
        );
      expect(told).toEqual({
        ...{
          long: [400, 'payload'],
          huge: [413, undefined],
          deep: [400, 'body'],
          nul: [400, 'payload.text'],
        },
        ...{ prototype: [400, undefined], constructor: [400, undefined] },
      });
      // A program may hand in what no wire can carry (src/shapes/plain.test.ts has the rest).
      const { home } = office.box;
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      let deep: unknown = 1;
      for (let level = 0; level < 100_000; level += 1) deep = { deep };
      const throwing = {
        toJSON: () => {
          throw new Error('no');
        },
      };
      for (const value of [
        circle,
        deep,
        1n,
        Number.NaN,
        throwing,
        'x'.repeat(1_000_000),
        '\ud800',
        () => 1,
      ]) {
        const payload = { ...PAYLOAD, value };
        const code = 'invalid_input';
        const job = { ...JOB, event: { ...JOB.event, value } };
        await expect(home.events.publish({ ...EVENT, payload })).rejects.toMatchObject({ code });
        await expect(
          home.templates.preview({ id: 'open-seat', locale: 'en', payload }),
        ).rejects.toMatchObject({
          code,
        });
        await expect(home.mailJobs.handIn(job)).rejects.toMatchObject({ code: 'mail_job_invalid' });
        await expect(home.events.publish(value as never)).rejects.toMatchObject({ code });
        await expect(home.mailJobs.handIn(value)).rejects.toMatchObject({ code: 'mail_job_invalid' });
      }
      expect((await get(office, '/api/events'))['items']).toEqual([]);
      expect((await get(office, '/api/subscriptions'))['items']).toEqual([]);
      expect((await get(office, '/api/messages'))['items']).toEqual([]);
    }),
  );
});
