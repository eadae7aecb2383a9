import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { BUSY, Carrier, failed } from '../engine/carrier.js';
import { STRANGER } from './office.js';
import { officesOn } from './offices.js';

const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

describe.concurrent.each(databases)('POST /api/outbox on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'sends at once, and tells the ids',
    onOffice(async (office) => {
      const { status, data } = await office.call(office.admin, 'POST', '/api/outbox', MAIL);
      expect(status).toBe(200);
      expect(data).toEqual({
        delivered: true,
        recorded: true,
        id: office.carrier.left[0]!.id,
        messageId: office.carrier.left[0]!.messageId,
      });
    }),
  );

  test(
    'keeps what the server refuses for now: 202, and when it is tried again',
    onOffice(
      async (office) => {
        const { status, data } = await office.call(office.admin, 'POST', '/api/outbox', MAIL);
        expect(status).toBe(202);
        expect(data).toMatchObject({ delivered: false, state: 'retry_scheduled' });
        const detail = await office.call(office.admin, 'GET', `/api/messages/${String(data['id'])}`);
        const { inlineAttempt, attemptLog, nextAttemptAt } = detail.data as {
          inlineAttempt: { finishedAt: string };
          attemptLog: unknown[];
          nextAttemptAt: string;
        };
        expect(attemptLog).toEqual([]);
        expect(Date.parse(nextAttemptAt)).toBe(Date.parse(inlineAttempt.finishedAt) + 30_000);
        expect(data['nextAttemptAt']).toBe(nextAttemptAt);
      },
      { carrier: new Carrier(() => failed(BUSY)) },
    ),
  );

  test(
    'queues on request, knows a key again, and refuses it for another mail [D16] [F40]',
    onOffice(async (office) => {
      const queued = { ...MAIL, mode: 'queue', idempotencyKey: 'booking-7' };
      const first = await office.call(office.admin, 'POST', '/api/outbox', queued);
      expect(first).toMatchObject({ status: 202, data: { delivered: false, state: 'scheduled' } });
      const second = await office.call(office.admin, 'POST', '/api/outbox', queued);
      expect(second).toMatchObject({ status: 200, data: { duplicate: true, id: first.data['id'] } });
      const header = { headers: { ...office.admin.headers, 'idempotency-key': 'booking-7' } };
      const other = await office.call(header, 'POST', '/api/outbox', { ...MAIL, text: 'Another mail.' });
      expect(other).toMatchObject({ status: 409, error: { code: 'idempotency_conflict' } });
    }),
  );

  test(
    'goes on in the thread that it is told',
    onOffice(async (office) => {
      const thread = { inReplyTo: '<b@example.org>', references: ['<a@example.org>', '<b@example.org>'] };
      expect(await office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, ...thread })).toMatchObject({
        status: 200,
      });
      expect(office.carrier.left[0]).toMatchObject({ mail: thread });
      const raw = await office.call(office.admin, 'GET', `/api/messages/${office.carrier.left[0]!.id}/raw`);
      expect(raw.text).toContain(
        'In-Reply-To: <b@example.org>\r\nReferences: <a@example.org> <b@example.org>\r\n',
      );
    }),
  );

  test(
    'in bulk accepts what is right and names what is wrong',
    onOffice(async (office) => {
      const { status, data } = await office.call(office.admin, 'POST', '/api/outbox/bulk', {
        messages: [MAIL, { ...MAIL, to: 'nobody' }, { ...MAIL, mode: 'queue' }, 7],
      });
      expect(status).toBe(200);
      expect(data).toMatchObject({ accepted: 2, duplicates: 0, errors: [{ index: 1 }, { index: 3 }] });
    }),
  );

  test.each([
    ['a field that nobody knows', { ...MAIL, colour: 'red' }, 'colour'],
    ['a missing recipient', { subject: 'x', text: 'y' }, 'to'],
    ['a number for a text', { ...MAIL, subject: 7 }, 'subject'],
    ['a header that the mail sets itself', { ...MAIL, headers: { Bcc: 'eve@example.org' } }, 'headers'],
    ['a line break in the subject', { ...MAIL, subject: 'a\r\nBcc: eve@example.org' }, 'subject'],
    ['a word where yes or no is meant', { ...MAIL, guarded: 'yes' }, 'guarded'],
    ['a NUL', { ...MAIL, text: 'a\0b' }, 'text'],
    ['half a surrogate pair', { ...MAIL, text: 'a\ud800b' }, 'text'],
    ['a date that is none', { ...MAIL, sendAt: '2026-02-31T00:00:00Z' }, 'sendAt'],
    ['an answer to what is no Message-ID', { ...MAIL, inReplyTo: 'booking-7' }, 'inReplyTo'],
    ['a thread of what is no Message-ID', { ...MAIL, references: ['<a@x>', 'b\r\nBcc: c'] }, 'references.1'],
    ['a key of 256 characters', { ...MAIL, idempotencyKey: 'k'.repeat(256) }, 'idempotencyKey'],
  ])('refuses %s with the field, and stores nothing [T9] [T16]', (_, mail, field) =>
    onOffice(async (office) => {
      const { status, error } = await office.call(office.admin, 'POST', '/api/outbox', mail);
      expect(status).toBe(400);
      expect(error.details?.field).toMatch(new RegExp(`^${field}`));
      expect((await office.box.messages.list()).items).toEqual([]);
      expect(office.carrier.offered).toEqual([]);
    })(),
  );

  test(
    'answers a stranger before it looks at what he says',
    onOffice(async (office) => {
      expect(await office.call(STRANGER, 'POST', '/api/outbox', '{')).toMatchObject({ status: 401 });
      const reader = await office.key(['read']);
      expect(await office.call(reader, 'POST', '/api/outbox', MAIL)).toMatchObject({ status: 403 });
    }),
  );
});
