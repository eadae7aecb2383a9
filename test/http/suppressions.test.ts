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
