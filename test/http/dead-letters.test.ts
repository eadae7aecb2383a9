import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { aMailThatIs, fatefulCarrier } from './fates.js';
import { officesOn } from './offices.js';

interface Group {
  readonly fingerprint: string;
  readonly count: number;
}

describe.concurrent.each(databases)('dead letters over HTTP on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are groups with a sentence for all of them, and lead to their letters',
    onOffice(
      async (office) => {
        const ids = [await aMailThatIs('dead', office), await aMailThatIs('dead', office)];
        await aMailThatIs('sent', office);
        const { data } = await office.call(office.admin, 'GET', '/api/messages/dead-groups');
        expect(data).toMatchObject({
          nextCursor: null,
          summary: {
            level: 'act',
            sentence: '2 dead letters have 1 cause. It does not look over.',
            evidence: 'They would fail the same way.',
            retryable: { count: 0, fingerprints: [] },
          },
          items: [
            {
              ...{ class: 'permanent', code: '552 5.3.4', count: 2, outlook: 'change' },
              cause: 'The message is larger than the receiver takes',
              sentence: 'Send it smaller, or as a link.',
              ...{ lastReply: 'too large', days: [0, 0, 0, 0, 0, 0, 2], lastSuccessAt: null },
              newest: [{ id: ids[1], to: { email: 'dead@example.org', name: null } }, { id: ids[0] }],
            },
          ],
          ...{ classes: ['permanent'], lastDismissedAt: null },
        });
        const [group] = data['items'] as Group[];
        const letters = `/api/messages?state=dead&fingerprint=${group!.fingerprint}`;
        const listed = await office.call(office.admin, 'GET', letters);
        expect((listed.data['items'] as { id: string }[]).map(({ id }) => id)).toEqual([...ids].reverse());
        const other = await office.call(office.admin, 'GET', '/api/messages/dead-groups?class=recipient');
        expect(other.data['items']).toEqual([]);
        const wrong = await office.call(office.admin, 'GET', '/api/messages/dead-groups?since=yesterday');
        expect(wrong.status).toBe(400);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'of another workspace are not there, and stay as they are',
    onOffice(
      async (office) => {
        const id = await aMailThatIs('dead', office);
        const { data } = await office.call(office.admin, 'GET', '/api/messages/dead-groups');
        const [group] = data['items'] as Group[];
        const stranger = await office.key(['admin', 'operate', 'read'], await office.workspace('elsewhere'));
        for (const action of ['retry', 'dismiss']) {
          const address = `/api/messages/dead-groups/${group!.fingerprint}/${action}`;
          expect(await office.call(stranger, 'POST', address)).toMatchObject({
            status: 404,
            error: { code: 'not_found' },
          });
        }
        expect((await office.call(office.admin, 'GET', `/api/messages/${id}`)).data).toMatchObject({
          state: 'dead',
        });
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'that were dismissed say when',
    onOffice(
      async (office) => {
        await aMailThatIs('dead', office);
        const before = await office.call(office.admin, 'GET', '/api/messages/dead-groups');
        const [group] = before.data['items'] as Group[];
        const address = `/api/messages/dead-groups/${group!.fingerprint}/dismiss`;
        const { data } = await office.call(office.admin, 'POST', address);
        expect(data).toEqual({ done: 1, conflicts: 0, more: false });
        const again = await office.call(office.admin, 'POST', address);
        expect(again.data).toEqual({ done: 0, conflicts: 0, more: false });
        const after = await office.call(office.admin, 'GET', '/api/messages/dead-groups');
        expect(after.data).toMatchObject({
          items: [],
          summary: { level: 'fine', sentence: 'No dead letters.' },
          lastDismissedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        });
      },
      { carrier: fatefulCarrier() },
    ),
  );
});
