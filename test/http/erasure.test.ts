import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { parseId } from '#pillarbox/core/ids';
import { Sweeper } from '#pillarbox/engine/sweeper';
import { silent } from '#pillarbox/log/log';
import { createPillarbox } from '#pillarbox/library/pillarbox';
import { ask } from '#pillarbox/store/script';
import { writeAudit } from '#pillarbox/store/scripts/audit';
import { keepCaught } from '#pillarbox/store/scripts/caught';
import { readContent } from '#pillarbox/store/scripts/messages';
import { noteSoftBounce, suppress } from '#pillarbox/store/scripts/suppressions';
import { databases } from '../databases.js';
import { callerOf } from '../engine/caller.js';
import { afterTheGate, Carrier, failed, inDoubt, type Conduct } from '../engine/carrier.js';
import { postsOn, type Place } from '../engine/posts.js';
import { barrier } from '../engine/signal.js';
import { PATIENCE_MS } from '../patience.js';
import { Office } from './office.js';
import { rawDatabase } from './raw-database.js';

const PERSON = 'erasme.rotterdam@example.org';
/** Nobody else's address, name or key has it. */
const CANARY = /erasme/i;
const WHERE = `/api/people/${encodeURIComponent(PERSON)}`;
const DAY = 24 * 3_600_000;

/** What a server says of somebody quotes him. */
const quoting: Conduct = async (message, gate, nth) => {
  const { email } = message.mail.to;
  if (message.mail.subject.startsWith('dead')) {
    return failed({
      class: 'permanent',
      scope: 'message',
      code: '550 5.7.1',
      message: `<${email}>: go away`,
    });
  }
  if (message.mail.subject.startsWith('held')) return afterTheGate(() => inDoubt())(message, gate, nth);
  return undefined;
};

describe.each(databases)('a person on $name', (database) => {
  const onPosts = postsOn(database);

  const onOffice = (act: (office: Office, place: Place) => Promise<void>, conduct: Conduct = quoting) =>
    onPosts(async ({ place }) => {
      const office = await Office.open(place, {
        carrier: new Carrier(conduct),
        secret: 'a secret for tests',
      });
      try {
        await act(office, place);
      } finally {
        await office.close();
      }
    });

  const send = async (office: Office, over: object): Promise<string> => {
    const mail = { to: PERSON, subject: 'sent', text: 'For you.', onDoubt: 'hold', ...over };
    const { status, data, text } = await office.call(office.admin, 'POST', '/api/outbox', mail);
    expect(status, text).toBeLessThan(300);
    return String(data['id']);
  };

  const later = async (office: Office) => new Date((await office.box.now()) + DAY).toISOString();
  const stateOf = async (office: Office, id: string) => (await office.box.messages.get(id)).state;
  const mailOf = async ({ box: { store } }: Office, id: string) => {
    const text = await store.read(readContent(store, parseId('message', id)!));
    return text === undefined ? undefined : (JSON.parse(text) as Mail);
  };

  test(
    'of whom nothing is kept is not found, and what is no address is refused',
    onOffice(async (office) => {
      for (const method of ['GET', 'DELETE'] as const) {
        expect(await office.call(office.admin, method, WHERE)).toMatchObject({ status: 404 });
        expect(await office.call(office.admin, method, '/api/people/nobody')).toMatchObject({
          status: 400,
          error: { details: { field: 'email' } },
        });
      }
      expect((await office.call(office.admin, 'GET', '/api/audit')).data['items']).toEqual([]);
    }),
  );

  test(
    'gets everything that is kept about him, page by page',
    onOffice(async (office) => {
      const ids = [];
      for (const subject of ['sent 1', 'dead', 'sent 2']) ids.push(await send(office, { subject }));
      ids.push(await send(office, { to: 'bob@example.org', cc: PERSON.toUpperCase() }));
      await send(office, { to: 'bob@example.org', text: `Ask "${PERSON}".` });
      await office.box.suppress(PERSON);
      const { data } = await office.call(office.admin, 'GET', `${WHERE}?limit=2`);
      const first = data['messages'] as { items: { id: string; role: string }[]; nextCursor: string };
      expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      expect(data).toMatchObject({
        email: PERSON,
        suppressions: [{ reason: 'manual' }],
        deadCauses: [{ sample: `<${PERSON}>: go away` }],
      });
      const rest = await office.call(office.admin, 'GET', `${WHERE}?limit=9&cursor=${first.nextCursor}`);
      expect(rest.data['messages']).toMatchObject({
        items: [
          { id: ids[2], role: 'recipient' },
          { id: ids[3], role: 'copy' },
        ],
        nextCursor: null,
      });
    }),
  );

  test(
    'who is erased is nowhere any more, not even in the files of the database [F38]',
    onOffice(async (office, place) => {
      const { store } = office.box;
      const { id: workspaceId } = office.box.home;
      const sendAt = await later(office);
      const waiting = await send(office, { mode: 'queue', sendAt, idempotencyKey: `welcome:${PERSON}` });
      const spelled = await send(office, { mode: 'queue', sendAt, to: 'Erasme.Rotterdam@Example.org' });
      const ended = [];
      for (const subject of ['sent', 'dead', 'held'])
        ended.push(await send(office, { subject: `${subject} to Erasme`, idempotencyKey: subject }));
      const others = { to: { email: 'bob@example.org', name: 'Bob' }, subject: 'for Bob' };
      const [copy, only] = [
        { ...others, cc: [PERSON, 'cy@example.org'] },
        { ...others, bcc: PERSON },
      ];
      const copied = await send(office, { ...copy, mode: 'queue', sendAt, replyTo: PERSON });
      const copiedBefore = await send(office, only);
      const now = await store.now();
      // As a server does it, which cancels nothing: that is left to the erasure.
      await store.transaction(
        suppress(store, workspaceId, PERSON, 'manual', now, { note: `${PERSON} wrote`, actor: PERSON }),
      );
      await store.transaction(
        (function* () {
          yield* noteSoftBounce(store, workspaceId, PERSON, 1, now);
          const caught = { receivedAt: now, sender: 'box@example.org', subject: 'x', size: 1 };
          const raw = Buffer.from(`To: ${PERSON}\r\n`);
          yield* keepCaught(store, { ...caught, recipients: [PERSON], raw });
          // As they were written down in earlier days.
          const action = { workspaceId, actor: PERSON, action: 'user.create', target: PERSON };
          yield* writeAudit(store, { ...action, details: { body: { email: PERSON } } }, now);
        })(),
      );
      const filter = { to: 'erasme@elsewhere.example' };
      await office.call(office.admin, 'POST', '/api/messages/bulk', { action: 'retry', filter });
      expect(await rawDatabase(place)).toMatch(CANARY);

      const { status, data } = await office.call(office.admin, 'DELETE', WHERE);
      expect(status).toBe(200);
      expect(data).toEqual({
        messages: 7,
        cancelled: 2,
        inFlight: 0,
        suppressed: true,
        events: [],
        scrubbed: true,
      });
      expect(await rawDatabase(place)).not.toMatch(CANARY);
      expect(await office.call(office.admin, 'GET', WHERE)).toMatchObject({ status: 404 });

      for (const id of [waiting, spelled]) expect(await stateOf(office, id)).toBe('cancelled');
      expect(await Promise.all(ended.map((id) => stateOf(office, id)))).toEqual([
        'sent',
        'cancelled',
        'cancelled',
      ]);
      expect(await stateOf(office, copied)).toBe('scheduled');
      expect(await mailOf(office, copied)).toMatchObject({ cc: [{ email: 'cy@example.org' }] });
      expect(await mailOf(office, copied)).not.toHaveProperty('replyTo');
      expect(await office.box.messages.get(copiedBefore)).toMatchObject({
        state: 'sent',
        to: { email: 'bob@example.org' },
      });
      const [entry] = (await office.call(office.admin, 'GET', `/api/audit?target=${PERSON}`)).data[
        'items'
      ] as {
        action: string;
        target: string;
        details: unknown;
      }[];
      expect(entry).toMatchObject({ action: 'person.erase', details: null });
      expect(entry!.target).toMatch(/^person:[\w-]{22}$/);
      // The key of another mail is still known: never twice.
      const again = { to: PERSON, subject: 'sent to Erasme', text: 'For you.', onDoubt: 'hold' };
      const sentAgain = await office.call(office.admin, 'POST', '/api/outbox', {
        ...again,
        idempotencyKey: 'sent',
      });
      expect(sentAgain.data).toMatchObject({ duplicate: true, id: ended[0] });
    }),
  );

  test(
    'of another workspace is not touched',
    onOffice(async (office) => {
      const elsewhere = await office.key(['admin'], await office.workspace('elsewhere'));
      await send(office, {});
      await office.call(elsewhere, 'POST', '/api/outbox', { to: PERSON, subject: 'x', text: 'x' });
      expect(await office.call(office.admin, 'DELETE', WHERE)).toMatchObject({
        status: 200,
        data: { messages: 1 },
      });
      expect(await office.call(elsewhere, 'GET', WHERE)).toMatchObject({ status: 200 });
    }),
  );

  test(
    'who must not be written to is known again after he was erased, whichever door a mail comes through [D24]',
    onOffice(async (office, place) => {
      const { box } = office;
      await box.suppress(PERSON);
      expect((await office.call(office.admin, 'DELETE', WHERE)).data).toMatchObject({ suppressed: true });
      expect(await rawDatabase(place)).not.toMatch(CANARY);
      const inline = await send(office, {});
      const mail = {
        to: PERSON.toUpperCase().replace('EXAMPLE.ORG', 'example.org'),
        subject: 'x',
        text: 'x',
      };
      const { id: queued } = await box.outbox.enqueue(mail);
      const many = await box.outbox.enqueueMany([{ ...mail, to: PERSON }]);
      const caller = await callerOf(place);
      let within = '';
      await caller.transaction(async (tx) => {
        within = (await box.outbox.enqueue({ ...mail, to: PERSON }, { tx })).id;
      });
      await caller.end();
      await box.start();
      for (const id of [inline, queued, many.ids[0]!, within])
        await expect.poll(() => stateOf(office, id)).toBe('skipped');
      expect(office.carrier.left).toEqual([]);
      // Let off, he is let off for good.
      expect(await box.unsuppress(PERSON)).toBe(true);
      await box.unsuppress(mail.to);
      await office.call(office.admin, 'DELETE', WHERE);
      await send(office, {});
      expect(office.carrier.left).toHaveLength(1);
    }),
  );

  test(
    'who was told of events is nowhere any more; what is left of him is a keyed hash, which notifications know [D24]',
    onOffice(async (office, place) => {
      const { box } = office;
      const post = async (url: string, body: object): Promise<string> => {
        const { status, data, text } = await office.call(office.admin, 'POST', url, body);
        expect(status, text).toBeLessThan(300);
        return String(data['id']);
      };
      await post('/api/templates', {
        ...{ id: 'note', version: 'v1', locale: 'en', subject: 'For {{ recipient.name }}', text: 'News.' },
      });
      const subscribe = () =>
        post('/api/subscriptions', {
          ...{ topic: 't', contactType: 'email', contactValue: PERSON, name: 'Erasme' },
        });
      const publish = () =>
        post('/api/events', { type: 'told', topic: 't', template: { id: 'note' }, payload: {} });
      const fates = async (id: string) =>
        (await office.call(office.admin, 'GET', `/api/events/${id}`)).data['counts'];
      await subscribe();
      const before = await publish();
      await box.start();
      await expect.poll(() => fates(before), { timeout: PATIENCE_MS }).toMatchObject({ sent: 1 });
      expect(office.carrier.left.map(({ mail }) => mail.subject)).toEqual(['For Erasme']);
      await box.suppress(PERSON);
      const erased = await office.call(office.admin, 'DELETE', WHERE);
      expect(erased.data).toMatchObject({ messages: 1, suppressed: true });
      expect(await rawDatabase(place)).not.toMatch(CANARY);

      const { store } = box;
      const kept = await store.read(ask(store.db.selectFrom('erased').select('hash')));
      expect(kept).toEqual([{ hash: expect.stringMatching(/^[\w-]{22}$/) as string }]);
      // Without the key nobody finds it by trying out addresses.
      expect(kept[0]!.hash).not.toBe(hash('sha256', PERSON, 'base64url').slice(0, 22));
      await subscribe();
      const after = await publish();
      await expect.poll(() => fates(after), { timeout: PATIENCE_MS }).toMatchObject({ sent: 0, skipped: 1 });
      expect(office.carrier.left).toHaveLength(1);
    }),
  );

  test(
    'who was never suppressed may be written to after he was erased',
    onOffice(async (office) => {
      await send(office, {});
      expect((await office.call(office.admin, 'DELETE', WHERE)).data).toMatchObject({ suppressed: false });
      await send(office, {});
      expect(office.carrier.left).toHaveLength(2);
    }),
  );

  test.each([
    ['before the gate: it does not leave', false, 'cancelled'],
    ['after the gate: it is sent', true, 'sent'],
  ] as const)(
    'whose mail is leaving, %s, and is forgotten when it has ended [F38]',
    async (_, through, end) => {
      const go = barrier();
      const conduct: Conduct = async (message, gate) => {
        if (!through) await go.wait;
        const passed = await gate();
        if (through) await go.wait;
        return passed ? { status: 'sent', provider: message.id } : undefined;
      };
      await onOffice(async (office, place) => {
        const { box, carrier } = office;
        await box.start();
        const id = await send(office, { mode: 'queue', idempotencyKey: 'k' });
        await carrier.until('the offer', () => carrier.offered.length === 1);
        if (through) await carrier.until('the gate', () => carrier.left.length === 1);
        expect((await office.call(office.admin, 'DELETE', WHERE)).data).toMatchObject({ inFlight: 1 });
        go.open();
        await expect.poll(() => stateOf(office, id)).toBe(end);
        expect(carrier.left).toHaveLength(through ? 1 : 0);
        const { store } = box;
        const sweeper = new Sweeper(store, 30 * DAY, silent);
        await expect
          .poll(async () => {
            await sweeper.sweep();
            return (await store.read(ask(store.db.selectFrom('messages').select('recipient'))))[0]!.recipient;
          })
          .toBe('');
        await expect.poll(() => store.scrub(Infinity)).toBe('clean');
        expect(await rawDatabase(place)).not.toMatch(CANARY);
      }, conduct)();
    },
  );

  test(
    'is not known again by a process without the secret, which says so and sends all the same',
    onOffice(async (office, place) => {
      await office.box.suppress(PERSON);
      await office.call(office.admin, 'DELETE', WHERE);
      const told: string[] = [];
      const log = { ...silent, error: (_: object, text: string) => told.push(text) };
      const blind = await createPillarbox({ ...place, from: 'box@example.org', log });
      await blind.outbox.enqueue({ to: PERSON, subject: 'x', text: 'x' });
      await blind.outbox.enqueue({ to: PERSON, subject: 'x', text: 'x' });
      await blind.stop();
      expect(told).toEqual([expect.stringContaining('PILLARBOX_SECRET')]);
    }),
  );
});
