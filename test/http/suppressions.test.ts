import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { Carrier, failed, NOBODY } from '../engine/carrier.js';
import { officesOn } from './offices.js';

describe.concurrent.each(databases)('suppressions over HTTP on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are added, listed and taken back in whatever spelling',
    onOffice(async (office) => {
      const operator = await office.key(['operate', 'read']);
      const add = (body: object) => office.call(operator, 'POST', '/api/suppressions', body);
      const bob = {
        ...{ email: 'bob@example.org', reason: 'manual', lanes: null, messageId: null },
        createdAt: expect.stringMatching(/Z$/) as string,
      };
      expect(await add({ email: 'Bob@Example.org' })).toMatchObject({ status: 200, data: bob });
      const carl = { email: 'carl@example.org', reason: 'unsubscribed', lanes: ['campaign'] };
      expect(await add(carl)).toMatchObject({ status: 200, data: carl });
      const list = async (query = '') =>
        (await office.call(operator, 'GET', `/api/suppressions${query}`)).data;
      expect(await list()).toMatchObject({ items: [bob, carl], nextCursor: null });
      const first = await list('?limit=1');
      expect(first).toMatchObject({ items: [bob], nextCursor: expect.any(String) as string });
      const next = encodeURIComponent(String(first['nextCursor']));
      expect(await list(`?limit=1&cursor=${next}`)).toMatchObject({ items: [carl] });
      expect(await list('?q=CARL')).toMatchObject({ items: [carl] });
      expect(await list('?reason=manual')).toMatchObject({ items: [bob] });
      const one = (method: 'GET' | 'DELETE', email: string) =>
        office.call(operator, method, `/api/suppressions/${encodeURIComponent(email)}`);
      expect(await one('GET', 'BOB@example.org')).toMatchObject({ status: 200, data: bob });
      expect(await one('DELETE', 'BOB@example.org')).toMatchObject({ status: 200, data: bob });
      for (const method of ['GET', 'DELETE'] as const) {
        expect(await one(method, 'bob@example.org')).toMatchObject({
          status: 404,
          error: { code: 'not_found' },
        });
      }
      expect((await one('DELETE', 'nonsense')).status).toBe(404);
    }),
  );

  test(
    'that are malformed name what is wrong and change nothing',
    onOffice(async (office) => {
      const wrong: [object, string][] = [
        [{ email: 'nobody' }, 'email'],
        [{ email: 'bob@example.org', reason: 'because' }, 'reason'],
        [{ email: 'bob@example.org', lanes: [] }, 'lanes'],
        [{ email: 'bob@example.org', lanes: ['sea'] }, 'lanes'],
        [{ email: 'bob@example.org', until: 'tomorrow' }, 'until'],
        [{}, 'email'],
      ];
      for (const [body, field] of wrong) {
        const reply = await office.call(office.admin, 'POST', '/api/suppressions', body);
        expect([body, reply.status]).toEqual([body, 400]);
        expect(reply.error.details?.field).toContain(field);
      }
      const { data } = await office.call(office.admin, 'GET', '/api/suppressions');
      expect(data['items']).toEqual([]);
    }),
  );

  test(
    'for a complaint go only for an administrator who gives the address once more; it stands in the audit',
    onOffice(async (office) => {
      const operator = await office.key(['operate', 'read']);
      await office.call(operator, 'POST', '/api/suppressions', {
        email: 'bob@example.org',
        reason: 'complaint',
      });
      const remove = (caller: typeof operator, query = '') =>
        office.call(caller, 'DELETE', `/api/suppressions/bob%40example.org${query}`);
      const confirmed = '?confirm=Bob%40example.org';
      expect(await remove(operator)).toMatchObject({ status: 409, error: { code: 'conflict' } });
      expect((await remove(operator, confirmed)).status).toBe(409);
      expect((await remove(office.admin)).status).toBe(409);
      expect((await remove(office.admin, '?confirm=carl%40example.org')).status).toBe(409);
      expect(await remove(office.admin, confirmed)).toMatchObject({
        status: 200,
        data: { reason: 'complaint' },
      });
      const { data } = await office.call(office.admin, 'GET', '/api/audit');
      const actions = (data['items'] as { action: string }[]).map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(['suppression.create', 'suppression.delete']));
    }),
  );

  test(
    'cancel what waits and say how many, are counted, and come newest first with what was said',
    onOffice(async (office) => {
      const operator = await office.key(['operate', 'read', 'send']);
      const call = async (method: 'GET' | 'POST', url: string, body?: object) =>
        (await office.call(operator, method, url, body)).data;
      const send = (to: string, over: object = {}) =>
        call('POST', '/api/outbox', { to, subject: 'Hello', text: 'x', mode: 'queue', ...over });
      await send('bob@example.org', { sendAt: '2031-01-01T09:00:00Z' });
      await send('Bob@example.org', { sendAt: '2031-01-01T09:00:00Z', transactional: true });
      const { id: other } = await send('eve@example.org', { sendAt: '2031-01-01T09:00:00Z' });
      // Who unsubscribed still gets what was asked for.
      expect(
        await call('POST', '/api/suppressions', { email: 'bob@example.org', reason: 'unsubscribed' }),
      ).toMatchObject({ cancelled: 1 });
      const several = await call('POST', '/api/suppressions/several', {
        emails: ['bob@example.org', 'nobody', 'Zoe@Example.org', 'zoe@example.org'],
        note: ' asked by letter ',
      });
      expect(several).toMatchObject({
        ...{ added: 2, known: 1, cancelled: 1, refused: [{ index: 1, why: expect.any(String) as string }] },
        sentence:
          '2 addresses are not written to any more. 1 of them was on the list before. 1 waiting mail was cancelled.',
      });
      const list = (query: string) => call('GET', `/api/suppressions?order=newest${query}`);
      const first = await list('&limit=1');
      expect(first).toMatchObject({
        items: [
          {
            ...{ email: 'zoe@example.org', reason: 'manual', note: 'asked by letter', from: null },
            ...{ said: '“asked by letter”', notSent: 'everything' },
            ifRemoved: expect.stringContaining('Somebody decided this') as string,
          },
        ],
      });
      const rest = await list(`&limit=1&cursor=${encodeURIComponent(String(first['nextCursor']))}`);
      // By hand is graver than their own word.
      expect(rest).toMatchObject({ items: [{ email: 'bob@example.org', reason: 'manual' }] });
      expect(await list('&reason=complaint')).toMatchObject({ items: [], nextCursor: null });
      const future = encodeURIComponent('2199-01-01T00:00:00Z');
      expect(await list(`&since=${future}`)).toMatchObject({ items: [] });
      expect(await list(`&q=z&since=${future}`)).toMatchObject({ items: [] });
      expect(await list('&q=Z')).toMatchObject({ items: [{ email: 'zoe@example.org' }] });
      expect((await office.call(operator, 'GET', '/api/suppressions?order=newest&cursor=x')).status).toBe(
        400,
      );
      expect(await call('GET', '/api/suppressions/standing')).toMatchObject({
        plate: { level: 'fine', sentence: '2 addresses are not written to. 2 came since yesterday.' },
        counts: expect.arrayContaining([{ reason: 'manual', count: 2 }]) as unknown,
        ...{ lastWeek: 2, weekBefore: 0 },
      });
      expect(await call('GET', `/api/messages/${String(other)}`)).toMatchObject({ state: 'scheduled' });
      const { body: csv } = await office.app.inject({
        ...{ url: '/api/suppressions/all.csv', headers: operator.headers },
      });
      expect(csv.split('\r\n').slice(0, 2)).toEqual([
        'email,reason,not sent,what was said,since',
        expect.stringMatching(/^bob@example\.org,manual,everything,“asked by letter”,/),
      ]);
      const tooMany = { emails: Array.from({ length: 1_001 }, (_, n) => `a${n}@example.org`) };
      const refused = await office.call(operator, 'POST', '/api/suppressions/several', tooMany);
      expect(refused).toMatchObject({ status: 400, error: { details: { field: 'emails' } } });
    }),
  );

  test(
    'of another workspace are not there',
    onOffice(async (office) => {
      await office.call(office.admin, 'POST', '/api/suppressions', { email: 'bob@example.org' });
      const stranger = await office.key(['admin'], await office.workspace('elsewhere'));
      expect((await office.call(stranger, 'GET', '/api/suppressions')).data['items']).toEqual([]);
      expect((await office.call(stranger, 'DELETE', '/api/suppressions/bob%40example.org')).status).toBe(404);
      const still = await office.call(office.admin, 'GET', '/api/suppressions/bob%40example.org');
      expect(still.status).toBe(200);
    }),
  );

  test(
    'make a retry answer 409 with the remedy, and the remedy helps',
    onOffice(
      async (office) => {
        const mail = { to: 'Nobody@example.org', subject: 'Hello', text: 'x' };
        const { data } = await office.call(office.admin, 'POST', '/api/outbox', mail);
        const id = String(data['id']);
        const act = (method: 'POST' | 'DELETE', url: string, body?: object) =>
          office.call(office.admin, method, url, body);
        for (const url of [`/api/messages/${id}/retry`, `/api/admin/outbox/${id}/retry`]) {
          expect(await act('POST', url)).toMatchObject({
            status: 409,
            error: {
              code: 'illegal_move',
              message: expect.stringContaining('nobody@example.org is on the suppression list') as string,
            },
          });
        }
        const bulk = await act('POST', '/api/messages/bulk', { action: 'retry', ids: [id] });
        expect(bulk.data).toMatchObject({ done: 0, conflicts: 1, refused: [id] });
        const groups = await office.call(office.admin, 'GET', '/api/messages/dead-groups');
        const [group] = groups.data['items'] as { fingerprint: string }[];
        const whole = await act('POST', `/api/messages/dead-groups/${group!.fingerprint}/retry`);
        expect(whole.data).toEqual({ done: 0, conflicts: 1, more: false });
        expect((await act('DELETE', '/api/suppressions/nobody%40example.org')).data).toMatchObject({
          ...{ reason: 'hard_bounce', messageId: id },
        });
        expect((await act('POST', `/api/messages/${id}/retry`)).status).toBe(200);
      },
      { carrier: new Carrier(() => failed(NOBODY)) },
    ),
  );
});
