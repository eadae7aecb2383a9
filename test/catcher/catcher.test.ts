import { describe, expect, test } from 'vitest';
import { startCatcher } from '#pillarbox/catcher/catcher';
import { Inbox } from '#pillarbox/catcher/inbox';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { CAUGHT_KEPT, keepCaught } from '#pillarbox/store/scripts/caught';
import { databases } from '../databases.js';
import { outgoing, pass, sendOnce, transportTo, useCatcher } from './fixture.js';

describe.each(databases)('the catcher on $name', ({ ready }) => {
  const scene = useCatcher(ready);

  test('keeps what it takes, byte for byte, with its envelope', async () => {
    const transport = transportTo(scene().url);
    const mail = outgoing({
      to: { email: 'ada@example.org', name: 'Ada' },
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org' }],
      subject: 'Größe 👍',
      text: 'Hello.\n.\n..two dots',
      html: '<p>Hëllo <img src="cid:logo"></p>',
      ics: {
        method: 'REQUEST',
        content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Tür\r\nEND:VCALENDAR\r\n',
      },
      attachments: [
        { filename: 'größe.bin', contentType: 'application/octet-stream', contentBase64: 'AAH/gA==' },
        { filename: 'x.png', contentType: 'image/png', contentBase64: 'iVBORw==', contentId: 'logo' },
      ],
    });
    expect(await transport.send(mail, pass)).toMatchObject({
      status: 'sent',
      providerMessageId: expect.stringMatching(/^caught as cgt_\w+$/) as string,
    });
    await transport.close();

    const [summary] = (await scene().inbox.list({ limit: 10 })).items;
    expect(scene().told).toEqual([summary]);
    expect(summary).toMatchObject({
      sender: 'box@example.org',
      recipients: ['ada@example.org', 'bob@example.org', 'eve@example.org'],
      subject: 'Größe 👍',
    });
    const read = await scene().inbox.read(summary!.id);
    expect(read.raw).toHaveLength(summary!.size);
    expect(read.raw.toString()).not.toContain('eve');
    expect(read).toMatchObject({
      text: expect.stringContaining('Hello.\n.\n..two dots') as string,
      html: expect.stringContaining('<p>Hëllo') as string,
      calendar: { method: 'REQUEST', content: expect.stringContaining('SUMMARY:Tür') as string },
      attachments: [
        { filename: 'x.png', contentType: 'image/png', size: 4, contentId: 'logo' },
        { filename: 'größe.bin', contentType: 'application/octet-stream', size: 4 },
      ],
    });
    expect(read.attachments[1]!.content).toEqual(Buffer.from([0, 1, 255, 128]));
    expect(read.headers.find(({ name }) => name === 'Subject')).toEqual({
      name: 'Subject',
      value: 'Größe 👍',
      raw: 'Subject: =?UTF-8?B?R3LDtsOfZSDwn5GN?=',
    });
  });

  test('has committed a mail before the client hears 250', async () => {
    await sendOnce(scene().url);
    // Through another connection to the same database: only what is committed can be seen there.
    const other = await openStore({ databaseUrl: scene().databaseUrl, leaseMs: 60_000, log: silent });
    expect((await new Inbox(other).list({ limit: 10 })).items).toHaveLength(1);
    await other.close();
  });

  test('says 451 while the database does not answer, and keeps running', async () => {
    const { store } = scene();
    const failing = Object.create(store, {
      transaction: { value: () => Promise.reject(new Error('down')) },
      now: { value: () => store.now() },
    }) as typeof store;
    const errors: string[] = [];
    const log = { ...silent, error: (_facts: object, text: string) => errors.push(text) };
    const broken = await startCatcher({ store: failing, port: 0, log });
    for (const subject of ['one', 'two']) {
      expect(await sendOnce(broken.url, { subject })).toMatchObject({
        status: 'retryable',
        error: { code: '451 4.3.0', message: 'the mail could not be stored' },
      });
    }
    expect(errors).toHaveLength(2);
    await broken.close();
  });

  test('lists newest first, page by page, and forgets all at once', async () => {
    for (const subject of ['one', 'two', 'three']) await sendOnce(scene().url, { subject });
    const first = await scene().inbox.list({ limit: 2 });
    expect(first.items.map(({ subject }) => subject)).toEqual(['three', 'two']);
    const rest = await scene().inbox.list({ limit: 2, cursor: first.nextCursor! });
    expect(rest.items.map(({ subject }) => subject)).toEqual(['one']);
    expect(rest.nextCursor).toBeNull();
    await expect(scene().inbox.list({ limit: 2, cursor: 'msg_1' })).rejects.toMatchObject({
      field: 'cursor',
    });
    expect(await scene().inbox.clear()).toBe(3);
    expect(await scene().subjects()).toEqual([]);
    for (const id of [first.items[0]!.id, 'cgt_zzzz', '1']) {
      await expect(scene().inbox.read(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('keeps the newest thousand', async () => {
    const { store } = scene();
    const raw = Buffer.from('Subject: x\r\n\r\nx\r\n');
    const mail = { receivedAt: 1, sender: '', recipients: ['a@b.org'], size: raw.length, raw };
    await store.transaction(
      (function* () {
        for (let n = 1; n <= CAUGHT_KEPT + 5; n++)
          yield* keepCaught(store, { ...mail, subject: `mail ${n}` });
      })(),
    );
    const { items: newest } = await scene().inbox.list({ limit: 2_000 });
    expect(newest).toHaveLength(CAUGHT_KEPT);
    expect([newest[0]!.subject, newest.at(-1)!.subject]).toEqual([`mail ${CAUGHT_KEPT + 5}`, 'mail 6']);
  });
});
