import { describe, expect, test } from 'vitest';
import { forgetFinished } from '#pillarbox/store/scripts/sweep';
import { databases } from '../databases.js';
import { postsOn } from '../engine/posts.js';
import { aMailThatIs, fatefulCarrier } from './fates.js';
import { Office, STRANGER } from './office.js';
import { officesOn } from './offices.js';

interface Row {
  readonly id: string;
  readonly state: string;
}

const itemsOf = (data: Readonly<Record<string, unknown>>): readonly Row[] => data['items'] as Row[];

describe.concurrent.each(databases)('messages over HTTP on $name', (database) => {
  const onOffice = officesOn(database);
  const onPosts = postsOn(database);

  const list = async (office: Office, query: string, caller = office.admin): Promise<readonly Row[]> => {
    const { status, data, text } = await office.call(caller, 'GET', `/api/messages${query}`);
    if (status !== 200) throw new Error(text);
    return itemsOf(data);
  };

  test(
    'a message has every field, null where there is nothing to say',
    onOffice(
      async (office) => {
        const id = await aMailThatIs('dead', office, { idempotencyKey: 'k1', traceId: 't1' });
        const [message] = await list(office, '');
        const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(message).toEqual({
          ...{ id, number: expect.any(Number), lane: 'outbox', action: 'email', state: 'dead' },
          ...{ accountId: expect.stringMatching(/^acc_/), to: { email: 'dead@example.org', name: null } },
          ...{ subject: 'Booked and dead', idempotencyKey: 'k1', dedupeKey: 'k1', traceId: 't1' },
          ...{
            scheduledFor: instant,
            queuedAt: null,
            nextAttemptAt: null,
            attempts: expect.any(Number),
            maxAttempts: 5,
          },
          ...{ leaseLosses: 0, deadReason: 'permanent_error', reason: 'permanent_error' },
          lastError: { code: '552 5.3.4', message: 'too large', class: 'permanent' },
          ...{ rescheduleReason: null, messageId: expect.stringContaining(id), threadId: null },
          ...{ workspaceId: expect.stringMatching(/^wsp_/), campaignId: null, contactId: null },
          ...{ sequenceId: null, stepNumber: null },
          ...{ eventId: null, subscriptionId: null, lockedBy: null, lockedUntil: null, expiresAt: null },
          ...{ sentAt: null, createdAt: instant, updatedAt: instant },
        });
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'are listed by state, address, account, lane and question, newest first, page by page',
    onOffice(
      async (office) => {
        const sent = await aMailThatIs('sent', office);
        const dead = await aMailThatIs('dead', office);
        const waiting = await aMailThatIs('waiting', office);
        const held = await aMailThatIs('held', office);
        const all = [held, waiting, dead, sent];
        expect((await list(office, '')).map(({ id }) => id)).toEqual(all);
        const ids = async (query: string) => (await list(office, query)).map(({ id }) => id);
        expect(await ids('?state=dead')).toEqual([dead]);
        expect(await ids('?state=dead,held')).toEqual([held, dead]);
        expect(await ids('?to=dead@example.org')).toEqual([dead]);
        expect(await ids('?to=dead@example.org&state=held')).toEqual([]);
        expect(await ids('?q=booked%20held')).toEqual([held]);
        expect(await ids('?q=sent@')).toEqual([sent]);
        expect(await ids('?lane=outbox&state=sent')).toEqual([sent]);
        expect(await ids('?lane=campaign')).toEqual([]);
        expect(await ids('?campaignId=cmp_1')).toEqual([]);
        const { data } = await office.call(office.admin, 'GET', `/api/messages/${sent}`);
        expect(await ids(`?accountId=${String(data['accountId'])}`)).toEqual(all);
        expect(await ids('?accountId=acc_zzz')).toEqual([]);
        const first = await office.call(office.admin, 'GET', '/api/messages?limit=3');
        expect(itemsOf(first.data)).toHaveLength(3);
        expect(await ids(`?limit=3&cursor=${String(first.data['nextCursor'])}`)).toEqual([sent]);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'tell when the tries that are left would begin, and none for what does not wait or whose account is paused',
    onOffice(
      async (office) => {
        const planned = async (id: string) => {
          const { data } = await office.call(office.admin, 'GET', `/api/messages/${id}`);
          return { next: data['nextAttemptAt'] as string, at: data['plannedAttempts'] as string[] };
        };
        const busy = await planned(await aMailThatIs('busy', office));
        const waits = busy.at.map((at) => (Date.parse(at) - Date.parse(busy.at[0]!)) / 1_000);
        expect(busy.at[0]).toBe(busy.next);
        expect(waits).toEqual([0, 60, 180, 420, 900]);
        expect((await planned(await aMailThatIs('dead', office))).at).toEqual([]);
        const waiting = await aMailThatIs('waiting', office);
        expect((await planned(waiting)).at).toHaveLength(5);
        await office.box.pause('by ada');
        expect((await planned(waiting)).at).toEqual([]);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'a decision that comes too late says who was first',
    onOffice(
      async (office) => {
        const jonas = await office.person('operator');
        const decide = (id: string, action: string) =>
          office.call(office.admin, 'POST', `/api/messages/${id}/${action}`);
        const alone = await aMailThatIs('dead', office);
        await office.call(jonas, 'POST', `/api/messages/${alone}/retry`);
        expect((await decide(alone, 'retry')).error).toEqual({
          code: 'illegal_move',
          message: expect.stringMatching(
            /^already retried by operator@\S+, (?:just now|\d+ s ago); it is scheduled now$/,
          ) as string,
        });
        const among = await aMailThatIs('dead', office);
        await office.call(jonas, 'POST', '/api/messages/bulk', { action: 'dismiss', ids: [among] });
        expect((await decide(among, 'retry')).error.message).toMatch(/^already dismissed by operator@/);
        const sent = await aMailThatIs('sent', office);
        expect((await decide(sent, 'retry')).error.message).toBe("a message that is sent can't be retried");
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'tell why they will not leave at their time while their account is paused',
    onOffice(async (office) => {
      const id = await aMailThatIs('waiting', office);
      await office.box.pause('by ada');
      expect(await list(office, '')).toMatchObject([{ id, rescheduleReason: 'account_paused' }]);
      await office.box.resume();
      expect(await list(office, '')).toMatchObject([{ id, rescheduleReason: null }]);
    }),
  );

  test.each([
    ['state=lost', 'state'],
    ['lane=mine', 'lane'],
    ['limit=201', 'limit'],
    ['cursor=zzz', 'cursor'],
    ['q=%00', 'q'],
    ['colour=red', 'colour'],
  ])('a list with %s is refused with the field', (query, field) =>
    onOffice(async (office) => {
      const { status, error } = await office.call(office.admin, 'GET', `/api/messages?${query}`);
      expect(status).toBe(400);
      expect(error.details?.field).toBe(field);
    })(),
  );

  describe('content', () => {
    const MAIL = {
      cc: ['cora@example.org'],
      bcc: ['bob@example.org'],
      html: '<p>See you on Monday.</p>',
      headers: { 'X-Booking': '7' },
      attachments: [{ filename: 'plan.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }],
      ics: { content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n', method: 'REQUEST' },
    };

    test(
      'is shown in parts, and as the bytes that left, which do not name who is in Bcc',
      onOffice(async (office) => {
        const id = await aMailThatIs('sent', office, MAIL);
        const content = await office.call(office.admin, 'GET', `/api/messages/${id}/content`);
        expect(content.data).toMatchObject({
          ...{ id, from: { email: 'box@example.org' }, to: { email: 'sent@example.org' } },
          ...{ cc: [{ email: 'cora@example.org' }], bcc: [{ email: 'bob@example.org' }], replyTo: null },
          ...{ subject: 'Booked and sent', text: 'See you on Monday.', html: MAIL.html },
          attachments: [{ filename: 'plan.txt', contentType: 'text/plain', bytes: 5, contentId: null }],
          ...{ headers: MAIL.headers, calendar: MAIL.ics },
        });
        expect(content.text).not.toContain('aGVsbG8=');
        const raw = await office.call(office.admin, 'GET', `/api/messages/${id}/raw`);
        expect(raw.status).toBe(200);
        expect(raw.headers).toMatchObject({
          'content-type': 'message/rfc822',
          'content-disposition': `attachment; filename="${id}.eml"`,
          'x-content-type-options': 'nosniff',
        });
        expect(raw.text).toContain(`Message-ID: ${office.carrier.left[0]!.messageId}\r\n`);
        expect(raw.text).toContain('Subject: Booked and sent\r\n');
        expect(raw.text).not.toMatch(/bob@example\.org/);
        const date = new Date(/^Date: (.*)\r$/m.exec(raw.text)![1]!).getTime();
        expect(date).toBe(Math.floor(office.carrier.left[0]!.date / 1_000) * 1_000);
        expect((await office.call(office.admin, 'GET', `/api/messages/${id}/raw`)).text).toBe(raw.text);
      }),
    );

    test(
      'is gone after the retention time, and says so',
      onOffice(async (office) => {
        const { store } = office.box;
        const id = await aMailThatIs('sent', office);
        const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
        await store.transaction(forgetFinished(store, office.box.home.id, keeping, 100));
        for (const part of ['content', 'raw']) {
          const { status, error } = await office.call(office.admin, 'GET', `/api/messages/${id}/${part}`);
          expect(status).toBe(404);
          expect(error.message).toContain('retention');
        }
      }),
    );

    test(
      'is for those who may read here, and nobody else',
      onOffice(async (office) => {
        const id = await aMailThatIs('sent', office);
        const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
        const sender = await office.key(['send']);
        for (const part of ['content', 'raw']) {
          const url = `/api/messages/${id}/${part}`;
          expect(await office.call(STRANGER, 'GET', url)).toMatchObject({ status: 401 });
          expect(await office.call(elsewhere, 'GET', url)).toMatchObject({ status: 404 });
          expect(await office.call(sender, 'GET', url)).toMatchObject({ status: 403 });
        }
      }),
    );
  });

  describe('pressed by many at once [D15] [F39]', () => {
    test.each(['retry', 'dismiss'] as const)('%s acts once, and the others are told 409', (action) =>
      onPosts(async ({ place }) => {
        const offices = await Promise.all(
          [1, 2].map(() => Office.open(place, { carrier: fatefulCarrier() })),
        );
        try {
          const [here, there] = offices as [Office, Office];
          const id = await aMailThatIs('dead', here);
          const presses = await Promise.all(
            Array.from({ length: 10 }, (_, n) => {
              const office = n % 2 === 0 ? here : there;
              return office.call(office.admin, 'POST', `/api/messages/${id}/${action}`);
            }),
          );
          const statuses = presses.map(({ status }) => status).sort();
          expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
          const refused = presses.find(({ status }) => status === 409)!;
          expect(refused.error).toMatchObject({ code: 'illegal_move' });
          const { data } = await here.call(here.admin, 'GET', '/api/admin/dashboard');
          expect(data).toMatchObject({ failedEmailCount: 0, pendingEmailCount: action === 'retry' ? 1 : 0 });
        } finally {
          await Promise.all(offices.map((office) => office.close()));
        }
      })(),
    );
  });

  describe('in bulk', () => {
    const bulk = (office: Office, body: unknown) =>
      office.call(office.admin, 'POST', '/api/messages/bulk', body);

    test(
      'those that are named are moved, and those that do not allow it are conflicts',
      onOffice(
        async (office) => {
          const dead = [await aMailThatIs('dead', office), await aMailThatIs('dead', office)];
          const sent = await aMailThatIs('sent', office);
          const ids = [...dead, sent, 'msg_zzzzz', 'nonsense', dead[0]];
          const first = await bulk(office, { action: 'retry', ids });
          expect(first.data).toEqual({
            ...{ done: 2, conflicts: 3, more: false },
            refused: [sent, 'msg_zzzzz', 'nonsense'],
          });
          expect((await bulk(office, { action: 'retry', ids: dead })).data).toMatchObject({
            done: 0,
            conflicts: 2,
          });
          expect((await list(office, '?state=scheduled')).map(({ id }) => id)).toEqual([...dead].reverse());
        },
        { carrier: fatefulCarrier() },
      ),
    );

    test(
      'those that match are moved if they allow it; the others are left alone',
      onOffice(
        async (office) => {
          for (const fate of ['dead', 'held', 'held', 'waiting', 'sent', 'busy'] as const)
            await aMailThatIs(fate, office);
          const dismissed = await bulk(office, { action: 'dismiss', filter: { state: 'dead,waiting' } });
          expect(dismissed).toMatchObject({ status: 400, error: { details: { field: 'state' } } });
          const held = { to: 'held@example.org' };
          const resolved = await bulk(office, { action: 'resolve', as: 'sent', filter: held });
          expect(resolved.data).toMatchObject({ done: 2, conflicts: 0 });
          expect((await bulk(office, { action: 'dismiss', filter: {} })).data).toMatchObject({ done: 1 });
          expect((await bulk(office, { action: 'cancel', filter: { lane: 'outbox' } })).data).toMatchObject({
            done: 2,
          });
          expect(await list(office, '?state=sent')).toHaveLength(3);
          expect(await list(office, '?state=cancelled')).toHaveLength(3);
        },
        { carrier: fatefulCarrier() },
      ),
    );

    test(
      'more than one step is worked off to the end',
      onOffice(async (office) => {
        const sendAt = new Date((await office.box.now()) + 3_600_000).toISOString();
        const mails = Array.from({ length: 450 }, (_, n) => ({
          ...{ to: `r${n}@example.org`, subject: 'Later', text: 'x', sendAt },
        }));
        await office.box.outbox.enqueueMany(mails);
        const { data } = await bulk(office, { action: 'cancel', filter: { state: 'scheduled' } });
        expect(data).toMatchObject({ done: 450, conflicts: 0, more: false });
        expect(await list(office, '?state=scheduled')).toEqual([]);
      }),
    );

    test.each([
      [{ action: 'retry' }, 'ids'],
      [{ action: 'retry', ids: ['msg_1'], filter: {} }, 'filter'],
      [{ action: 'resolve', ids: ['msg_1'] }, 'as'],
      [{ action: 'retry', as: 'sent', ids: ['msg_1'] }, 'as'],
      [{ action: 'burn', ids: ['msg_1'] }, 'action'],
      [{ action: 'retry', ids: [] }, 'ids'],
      [{ action: 'retry', filter: { colour: 'red' } }, 'filter.colour'],
    ])('%j is refused with the field', (body, field) =>
      onOffice(async (office) => {
        const { status, error } = await bulk(office, body);
        expect(status).toBe(400);
        expect(error.details?.field).toBe(field);
      })(),
    );

    test(
      'of another workspace nothing is moved',
      onOffice(
        async (office) => {
          const id = await aMailThatIs('dead', office);
          const elsewhere = await office.key(['operate'], await office.workspace('elsewhere'));
          const url = '/api/messages/bulk';
          const named = await office.call(elsewhere, 'POST', url, { action: 'retry', ids: [id] });
          expect(named.data).toMatchObject({ done: 0, conflicts: 1 });
          const matching = await office.call(elsewhere, 'POST', url, { action: 'dismiss', filter: {} });
          expect(matching.data).toMatchObject({ done: 0, conflicts: 0 });
          expect(await list(office, '?state=dead')).toHaveLength(1);
        },
        { carrier: fatefulCarrier() },
      ),
    );
  });
});
