import { describe, expect, test } from 'vitest';
import { ImportRunner } from '#pillarbox/contacts/import-runner';
import { parseId } from '#pillarbox/core/ids';
import { silent } from '#pillarbox/log/log';
import { lockImport, startImport } from '#pillarbox/store/scripts/imports';
import { databases } from '../databases.js';
import type { Caller, Office } from './office.js';
import { officesOn } from './offices.js';

const people = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => `p${from + n}@example.org,P${from + n}\n`).join('');

async function uploaded(office: Office, file: string): Promise<string> {
  const reply = await office.app.inject({
    ...{ method: 'POST', url: '/api/contacts/imports?fileName=guests.csv', payload: file },
    headers: { ...office.admin.headers, 'content-type': 'text/csv' },
  });
  return reply.json<{ data: { id: string } }>().data.id;
}

const post = (office: Office, path: string, body?: object, by: Caller = office.admin) =>
  office.call(by, 'POST', path, body);

const importOf = async (office: Office, id: string) =>
  (await office.call(office.admin, 'GET', `/api/contacts/imports/${id}`)).data;

async function aCampaign(office: Office, name: string): Promise<string> {
  const { data } = await office.call(office.admin, 'GET', '/api/accounts');
  const [account] = data['items'] as readonly { id: string }[];
  const made = await post(office, '/api/campaigns', { name, accountIds: [account!.id] });
  return String(made.data['id']);
}

const inCampaign = async (office: Office, id: string) =>
  (await office.call(office.admin, 'GET', `/api/campaigns/${id}`)).data['people'];

const otherRunner = ({ box }: Office) => new ImportRunner(box.store, box.home.id, () => undefined, silent);

describe.each(databases)('the people of a file on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are told before anything is stored: who is known, who is not written to, which lines would be left out',
    onOffice(async (office) => {
      await post(office, '/api/contacts', {
        contacts: [{ email: 'Anna@Example.org' }, { linkedinId: 'bert-1' }],
      });
      await post(office, '/api/suppressions', { email: 'cora@example.org', reason: 'unsubscribed' });
      const id = await uploaded(
        office,
        [
          'mail,profile,tz,notes',
          'anna@example.org,,,x',
          ',bert-1,,x',
          'cora@example.org,,CET+1,x',
          'CORA@example.org,,UTC,x',
          'nobody,,,x',
          ',,,x',
          '',
        ].join('\n'),
      );
      const look = (mapping: object) => post(office, `/api/contacts/imports/${id}/look`, { mapping });
      const mapping = { mail: 'email', profile: 'linkedinId', tz: 'timezone', notes: null };
      expect((await look(mapping)).data).toEqual({
        ...{ lines: 6, known: 2, suppressed: 1, rejected: 3 },
        reasons: expect.arrayContaining([
          { reason: 'address', count: 1 },
          { reason: 'unreachable', count: 1 },
          { reason: 'time_zone', count: 1 },
        ]),
      });
      expect((await look({ ...mapping, profile: null })).data).toMatchObject({ known: 1, rejected: 4 });
      expect(await look({ ...mapping, mail: null, profile: null })).toMatchObject({ status: 400 });
      expect((await importOf(office, id))['state']).toBe('mapping');
      await post(office, `/api/contacts/imports/${id}/start`, { mapping });
      expect(await look(mapping)).toMatchObject({ status: 409 });
    }),
  );

  test(
    'are put into a campaign as they come in, each once and in the order of the file',
    onOffice(async (office) => {
      const campaign = await aCampaign(office, 'Autumn hosts');
      const { data } = await post(office, '/api/contacts', { email: 'p3@example.org' });
      await post(office, `/api/campaigns/${campaign}/prospects`, { contactIds: [data['id']] });
      const id = await uploaded(office, `email,name\n${people(5)}nobody,\np1@example.org,P1 again\n`);
      const start = (campaignId: string, by?: Caller) =>
        post(office, `/api/contacts/imports/${id}/start`, { campaignId }, by);

      // Who may only send may not decide who is in a campaign.
      expect(await start(campaign, await office.key(['send']))).toMatchObject({ status: 403 });
      expect(await start('cmp_zzz')).toMatchObject({
        ...{ status: 400, error: { details: { field: 'campaignId' } } },
      });
      const over = await aCampaign(office, 'Over');
      await post(office, `/api/campaigns/${over}/stop`);
      expect(await start(over)).toMatchObject({ status: 409 });
      expect((await importOf(office, id))['state']).toBe('mapping');

      expect((await start(campaign)).status).toBe(200);
      await expect.poll(async () => (await importOf(office, id))['state']).toBe('done');
      expect(await importOf(office, id)).toMatchObject({
        ...{ imported: 4, updated: 2, rejected: 1, enrolled: 4, notEnrolled: 0 },
        campaign: { id: campaign, name: 'Autumn hosts' },
        plate: {
          sentence: 'Imported 4, updated 2, left out 1. 4 people were put into Autumn hosts.',
          evidence: expect.stringMatching(/Its people are put into Autumn hosts, which says what they get\./),
        },
      });
      expect(await inCampaign(office, campaign)).toBe(5);
      const { data: listed } = await office.call(
        office.admin,
        'GET',
        `/api/campaigns/${campaign}/people?limit=10`,
      );
      expect((listed['items'] as { email: string }[]).map(({ email }) => email)).toEqual(
        ['p3', 'p0', 'p1', 'p2', 'p4'].map((name) => `${name}@example.org`),
      );
    }),
  );

  test(
    'are each in it once, whoever goes on with a file that its process left',
    onOffice(async (office) => {
      const campaign = await aCampaign(office, 'Many');
      const id = await uploaded(office, `email,name\n${people(4_500)}`);
      const { store, home } = office.box;
      const number = parseId('import', id)!;
      // As by a process that died right then.
      await store.transaction(function* () {
        const known = (yield* lockImport(store, home.id, number))!;
        const mapping = { email: 'email', name: 'name' };
        yield* startImport(store, known, mapping, parseId('campaign', campaign)!, 1);
      });
      await Promise.all([home.contacts.runner.run(number), otherRunner(office).run(number)]);
      await expect
        .poll(async () => await importOf(office, id))
        .toMatchObject({ state: 'done', imported: 4_500, enrolled: 4_500 });
      expect(await inCampaign(office, campaign)).toBe(4_500);
    }),
  );

  test(
    'come in all the same when the campaign is stopped meanwhile, and that is told',
    onOffice(async (office) => {
      const campaign = await aCampaign(office, 'Harbour festival');
      const id = await uploaded(office, `email,name\n${people(3)}`);
      const { store, home } = office.box;
      const number = parseId('import', id)!;
      await store.transaction(function* () {
        const known = (yield* lockImport(store, home.id, number))!;
        const mapping = { email: 'email', name: 'name' };
        yield* startImport(store, known, mapping, parseId('campaign', campaign)!, 1);
      });
      await post(office, `/api/campaigns/${campaign}/stop`);
      await home.contacts.runner.run(number);
      expect(await importOf(office, id)).toMatchObject({
        ...{ state: 'done', imported: 3, enrolled: 0, notEnrolled: 3 },
        plate: {
          level: 'look',
          sentence:
            'Imported 3, updated 0, left out 0. Nobody was put into Harbour festival: it was stopped.',
        },
      });
      expect(await inCampaign(office, campaign)).toBe(0);
    }),
  );

  test(
    'and what sequences say of them is known by its name',
    onOffice(async (office) => {
      const sequence = async (name: string, body: string) =>
        String(
          (
            await post(office, '/api/sequences', {
              name,
              steps: [{ order: 1, delayDays: 0, subject: 'S', body }],
            })
          ).data['id'],
        );
      const first = await sequence('First', '{{ contact.name }} of {{ contact.attributes.company }}');
      const second = await sequence(
        'Second',
        '{{ contact.attributes.company | default: "you" }} {% if contact.attributes.rooms %}!{% endif %}',
      );
      const { data } = await office.call(office.admin, 'GET', '/api/sequences/attributes');
      expect(data['items']).toEqual([
        {
          name: 'company',
          sequences: [
            { id: second, name: 'Second' },
            { id: first, name: 'First' },
          ],
        },
        { name: 'rooms', sequences: [{ id: second, name: 'Second' }] },
      ]);
    }),
  );
});
