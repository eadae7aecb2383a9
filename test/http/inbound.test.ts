import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { LINES } from '#pillarbox/core/lines';
import { ask } from '#pillarbox/store/script';
import {
  DAY,
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  MONDAY,
  planOf,
  plannerOf,
  settle,
  step,
} from '../campaigns/world.js';
import { databases } from '../databases.js';
import { afterTheGate, Carrier, inDoubt } from '../engine/carrier.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const receive = (office: Office, body: object): Promise<Reply> =>
  office.call(office.admin, 'POST', '/api/inbound', body);

const itemsOf = ({ data }: Reply) => data['items'] as Readonly<Record<string, unknown>>[];

const ofBox = ({ box }: Office) => ({ store: box.store, workspaceId: box.home.id });

/** Two people in one campaign of two mails, all planned. */
async function campaignIn(office: Office, steps = [step(1), step(2)]) {
  const place = ofBox(office);
  await place.store.setClock(MONDAY);
  await settle(place);
  const email = await makeAccount(place, 'ann');
  const linkedin = await makeAccount(place, 'lin', {}, 'linkedin');
  const people = await makeContacts(place, 2, (n) => ({ linkedin_id: `person-${String(n)}` }));
  const sequenceId = await makeSequence(place, steps);
  const campaign = await makeCampaign(place, {
    sequenceId,
    accountIds: [email, linkedin],
    contactIds: people,
  });
  await plannerOf(place.store).plan(place.workspaceId, campaign);
  const enrolments = () =>
    place.store.read(
      ask(
        place.store.db
          .selectFrom('enrolments')
          .select(['contact_id as contact', 'state', 'resume_at as resumeAt', 'accepted_at as acceptedAt'])
          .orderBy('contact_id'),
      ),
    );
  return { campaign, people, enrolments, plan: () => planOf(place), email };
}

const stateOf = async (office: Office, email: string): Promise<unknown> =>
  (
    (await office.call(office.admin, 'GET', `/api/suppressions/${email}`)).data as Reply['data'] | undefined
  )?.['reason'];

describe.each(databases)('what comes back, on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'a reply ends the sequence of its person, and of nobody else; repeated, it does nothing more',
    onOffice(async (office) => {
      const { people, enrolments, plan } = await campaignIn(office);
      const reply = { kind: 'reply', email: 'PERSON0@example.org', id: 'in-1' };
      expect(await receive(office, reply)).toMatchObject({
        status: 200,
        data: {
          contactId: formatId('contact', people[0]!),
          ended: 1,
          cancelled: 2,
          suppressed: false,
          duplicate: false,
        },
      });
      expect(await receive(office, reply)).toMatchObject({
        status: 200,
        data: { duplicate: true, ended: 0 },
      });
      expect(await receive(office, { ...reply, id: 'in-2' })).toMatchObject({
        data: { duplicate: false, ended: 0 },
      });
      expect((await enrolments()).map(({ state }) => state)).toEqual(['replied', 'active']);
      expect((await plan()).map(({ contact }) => contact)).toEqual([people[1], people[1]]);
      expect(await stateOf(office, 'person0@example.org')).toBeUndefined();
    }),
  );

  test(
    'a bounce suppresses the address that it names, a soft one counts, one that speaks of us suppresses nobody',
    onOffice(async (office) => {
      const { enrolments } = await campaignIn(office);
      expect(
        await receive(office, { kind: 'bounce', email: 'person0@example.org', code: '550 5.1.1' }),
      ).toMatchObject({
        data: { suppressed: true, ended: 1 },
      });
      expect(await stateOf(office, 'person0@example.org')).toBe('hard_bounce');
      expect((await enrolments()).map(({ state }) => state)).toEqual(['bounced', 'active']);
      const blocked = {
        kind: 'bounce',
        email: 'person1@example.org',
        code: '550 5.7.1',
        diagnostic: 'blocked using bl.example',
      };
      expect(await receive(office, blocked)).toMatchObject({ data: { suppressed: false, ended: 1 } });
      expect(await stateOf(office, 'person1@example.org')).toBeUndefined();
      const stranger = { kind: 'bounce', email: 'nobody@example.org' };
      expect(await receive(office, stranger)).toMatchObject({
        status: 200,
        data: { suppressed: true, contactId: null },
      });
      for (let n = 0; n < 3; n += 1) {
        const mail = { to: 'full@example.org', subject: 'x', text: 'x', mode: 'queue' };
        const { id } = (await office.call(office.admin, 'POST', '/api/outbox', mail)).data;
        const soft = { kind: 'bounce', messageId: id, permanent: false };
        expect(await receive(office, soft)).toMatchObject({ data: { suppressed: n === 2 } });
        expect(await receive(office, soft)).toMatchObject({ data: { duplicate: true } });
      }
      expect(await stateOf(office, 'full@example.org')).toBe('soft_bounces');
    }),
  );

  test(
    'a complaint suppresses, and speaks against the account that wrote',
    onOffice(async (office) => {
      const { enrolments, email } = await campaignIn(office);
      const [first] = await messagesOf(office);
      const { installation } = office.box.store;
      const messageId = `<${String(first)}.${installation}@example.com>`;
      const complaint = { kind: 'complaint', messageId };
      expect(await receive(office, complaint)).toMatchObject({
        data: { messageId: first, suppressed: true, ended: 1 },
      });
      expect(await receive(office, complaint)).toMatchObject({ data: { duplicate: true } });
      expect((await enrolments()).filter(({ state }) => state === 'complained')).toHaveLength(1);
      const { store } = office.box;
      const harm = await store.read(ask(store.db.selectFrom('account_harm').select(['account_id', 'kind'])));
      expect(harm).toEqual([{ account_id: email, kind: 'complaint' }]);
    }),
  );

  test(
    'an automatic answer holds its person, for a week if it does not say for how long',
    onOffice(async (office) => {
      const { enrolments, plan } = await campaignIn(office);
      const until = new Date(MONDAY + 30 * DAY).toISOString();
      const away = { kind: 'auto_reply', email: 'person0@example.org', until };
      expect(await receive(office, away)).toMatchObject({
        status: 200,
        data: { held: 1, heldUntil: until, ended: 0 },
      });
      expect(await receive(office, { kind: 'auto_reply', email: 'person1@example.org' })).toMatchObject({
        data: { held: 1 },
      });
      const [first, second] = await enrolments();
      expect(first).toMatchObject({ state: 'paused', resumeAt: MONDAY + 30 * DAY });
      expect(second!.resumeAt! - MONDAY).toBeGreaterThanOrEqual(7 * DAY);
      expect(second!.resumeAt! - MONDAY).toBeLessThan(8 * DAY);
      expect((await plan()).every(({ line }) => line === LINES.halted)).toBe(true);
      const past = { ...away, until: '2026-11-01T00:00:00Z' };
      expect(await receive(office, past)).toMatchObject({
        status: 400,
        error: { details: { field: 'until' } },
      });
    }),
  );

  test(
    'an acceptance lets the message go on that waits for it',
    onOffice(async (office) => {
      const steps = [
        step(1, { action: 'connection_request', subject: null }),
        step(2, { action: 'message', subject: null }),
      ];
      const { people, enrolments, plan } = await campaignIn(office, steps);
      const { store } = office.box;
      const waits = MONDAY + 20 * DAY;
      await store.transaction(
        ask(store.db.updateTable('due').set({ due_at: waits }).where('alone', '=', LINES.follows)),
      );
      expect(await receive(office, { kind: 'accepted', linkedinId: 'person-0' })).toMatchObject({
        data: { contactId: formatId('contact', people[0]!), released: 1 },
      });
      const [first, second] = await enrolments();
      expect([first!.acceptedAt !== null, second!.acceptedAt]).toEqual([true, null]);
      const followers = (await plan()).filter(({ line }) => line === LINES.follows);
      expect(followers.find(({ contact }) => contact === people[0])!.at).toBeLessThan(waits);
      expect(followers.find(({ contact }) => contact === people[1])!.at).toBe(waits);
    }),
  );

  test(
    'a person who is removed from the contacts, or erased, gets nothing more; the others do',
    onOffice(async (office) => {
      const { campaign, people, plan } = await campaignIn(office);
      const inCampaign = async (q = '') =>
        itemsOf(
          await office.call(
            office.admin,
            'GET',
            `/api/contacts?campaignId=${formatId('campaign', campaign)}${q}`,
          ),
        ).map(({ email }) => email);
      expect(await inCampaign()).toEqual(['person1@example.org', 'person0@example.org']);
      expect(await inCampaign('&q=person0')).toEqual(['person0@example.org']);
      await office.call(office.admin, 'DELETE', `/api/contacts/${formatId('contact', people[0]!)}`);
      expect((await plan()).map(({ contact }) => contact)).toEqual([people[1], people[1]]);
      expect(await inCampaign()).toEqual(['person1@example.org']);
      await office.call(office.admin, 'DELETE', '/api/people/person1@example.org');
      expect(await plan()).toEqual([]);
      expect(await inCampaign()).toEqual([]);
    }),
  );

  test(
    'whatever comes back for a mail in doubt proves that it left',
    onOffice(
      async (office) => {
        const mail = { to: 'ada@example.org', subject: 'x', text: 'x', onDoubt: 'hold' };
        const { id } = (await office.call(office.admin, 'POST', '/api/outbox', mail)).data;
        const message = async () =>
          (await office.call(office.admin, 'GET', `/api/messages/${String(id)}`)).data;
        expect((await message())['state']).toBe('held');
        expect(await receive(office, { kind: 'bounce', messageId: id })).toMatchObject({
          data: { resolved: true, suppressed: true },
        });
        expect((await message())['state']).toBe('sent');
      },
      { carrier: new Carrier(afterTheGate(() => inDoubt())) },
    ),
  );

  test(
    'what names nobody is refused and changes nothing',
    onOffice(async (office) => {
      const other = await office.key(['admin'], await office.workspace('Other'));
      const theirs = await office.call(other, 'POST', '/api/outbox', {
        to: 'x@example.org',
        subject: 'x',
        text: 'x',
        mode: 'queue',
      });
      const refused: [object, number][] = [
        [{ kind: 'reply' }, 400],
        [{ kind: 'nonsense', email: 'ada@example.org' }, 400],
        [{ kind: 'reply', email: 'no at' }, 400],
        [{ kind: 'reply', email: 'ada@example.org', until: '2031-01-01T00:00:00Z' }, 400],
        [{ kind: 'auto_reply', email: 'ada@example.org', until: 'tomorrow' }, 400],
        [{ kind: 'reply', email: 'ada@example.org' }, 404],
        [{ kind: 'accepted', linkedinId: 'nobody' }, 404],
        [{ kind: 'bounce', messageId: 'msg_zzz' }, 404],
        [{ kind: 'bounce', messageId: '<someone@elsewhere.example>', email: 'ada@example.org' }, 404],
        [{ kind: 'bounce', messageId: theirs.data['id'] }, 404],
      ];
      for (const [body, status] of refused)
        expect([body, (await receive(office, body)).status]).toEqual([body, status]);
      const list = await office.call(office.admin, 'GET', '/api/suppressions');
      expect(list.data['items']).toEqual([]);
    }),
  );

  test(
    'whether an address would be written to is answered lane by lane',
    onOffice(async (office) => {
      const askOf = async (email: string) =>
        (await office.call(office.admin, 'GET', `/api/suppressions/ask?email=${encodeURIComponent(email)}`))
          .data;
      const lanesOf = (data: Reply['data']) =>
        data['lanes'] as { lane: string; writes: boolean; writesTransactional: boolean }[];
      const fresh = await askOf('ada@example.org');
      expect(fresh['sentence']).toBe('We would write to ada@example.org in every lane.');
      expect(lanesOf(fresh).every(({ writes }) => writes)).toBe(true);
      const suppression = { email: 'ada@example.org', reason: 'unsubscribed', lanes: ['campaign'] };
      await office.call(office.admin, 'POST', '/api/suppressions', suppression);
      const asked = await askOf('ADA@example.org');
      expect(lanesOf(asked)).toMatchObject([
        { lane: 'outbox', writes: true, reason: null },
        { lane: 'campaign', writes: false, writesTransactional: true, reason: 'unsubscribed' },
        { lane: 'notification', writes: true },
      ]);
      expect(asked['sentence']).toBe(
        'We write to ada@example.org not in campaign: unsubscribed; transactional mail still leaves.',
      );
      await office.call(office.admin, 'POST', '/api/suppressions', {
        email: 'bob@example.org',
        reason: 'complaint',
      });
      expect(await office.call(office.admin, 'DELETE', '/api/people/bob@example.org')).toMatchObject({
        status: 200,
      });
      expect(lanesOf(await askOf('bob@example.org')).map(({ writes }) => writes)).toEqual([
        false,
        false,
        false,
      ]);
      expect((await office.call(office.admin, 'GET', '/api/suppressions/ask?email=x')).status).toBe(400);
    }),
  );
});

async function messagesOf({ box }: Office): Promise<readonly string[]> {
  const rows = await box.store.read(ask(box.store.db.selectFrom('messages').select('id').orderBy('id')));
  return rows.map(({ id }) => formatId('message', id));
}
