import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { parseId } from '#pillarbox/core/ids';
import { presentResults } from '#pillarbox/presentation/sequence';
import { readStepResults } from '#pillarbox/store/scripts/sequence-figures';
import { databases } from '../databases.js';
import { failed } from '../engine/carrier.js';
import { addPerson } from '../sequences/people.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const secret = 'a secret of some length, for tests';
const STEPS = [
  { order: 1, delayDays: 0, subject: 'Hello {{ contact.name }}', body: '<p>Hi {{ contact.name }}</p>' },
  {
    order: 2,
    delayDays: 3,
    delayUnit: 'sendingDays',
    body: 'And {{ contact.attributes.company | default: "you" }}?',
  },
];
const WHOLE = [
  { ...STEPS[0], delayUnit: 'days', action: 'email', bodyText: null },
  { ...STEPS[1], action: 'email', subject: null, bodyText: null },
];

describe.concurrent.each(databases)('sequences over HTTP on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, { secret });

  const make = async (office: Office, steps: readonly object[] = STEPS) =>
    (await office.call(office.admin, 'POST', '/api/sequences', { name: 'Autumn', steps })).data;

  test(
    'are made, listed, shown, saved and removed',
    on(async (office) => {
      const operator = await office.key(['operate', 'read']);
      const made = await make(office);
      expect(made).toMatchObject({ name: 'Autumn', version: 1, steps: WHOLE });
      const url = `/api/sequences/${String(made['id'])}`;
      expect((await office.call(operator, 'GET', url)).data).toEqual(made);
      const { steps, ...head } = made;
      expect(steps).toHaveLength(2);
      expect((await office.call(operator, 'GET', '/api/sequences')).data).toEqual({
        plate: {
          level: 'fine',
          sentence: '1 sequence.',
          evidence: 'No campaign that runs says any of them.',
        },
        items: [head],
        nextCursor: null,
      });

      const put = (body: object) => office.call(operator, 'PUT', url, body);
      // What was shown may be put back, and changes nothing.
      expect((await put(made)).data).toEqual(made);
      const changed = await put({ ...made, steps: STEPS.slice(0, 1) });
      expect(changed.data).toMatchObject({ version: 2, steps: WHOLE.slice(0, 1) });
      expect(await put({ ...made, name: 'Late' })).toMatchObject({
        status: 409,
        error: { code: 'conflict', details: { field: 'version' } },
      });
      expect((await put({ name: 'Winter', steps: STEPS.slice(0, 1) })).data).toMatchObject({
        name: 'Winter',
        version: 2,
      });
      expect((await office.call(operator, 'DELETE', url)).status).toBe(200);
      for (const method of ['GET', 'DELETE'] as const)
        expect((await office.call(operator, method, url)).status).toBe(404);
      expect((await put({ name: 'Winter', steps: STEPS })).status).toBe(404);
    }),
  );

  test(
    'are saved by many at once, one version after the other',
    on(async (office) => {
      const { id } = await make(office);
      const bodies = Array.from({ length: 8 }, (_, index) => ({
        name: 'Autumn',
        steps: [{ ...STEPS[0], body: `turn ${String(index)}` }],
      }));
      const url = `/api/sequences/${String(id)}`;
      const replies = await Promise.all(bodies.map((body) => office.call(office.admin, 'PUT', url, body)));
      const versions = replies.map(({ data }) => Number(data['version'])).sort((a, b) => a - b);
      expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    }),
  );

  test(
    'that make no sense name the field, and are not stored',
    on(async (office) => {
      const [first, second] = STEPS as [object, object];
      const wrong: [object, string, RegExp][] = [
        [{ name: 'x', steps: [] }, 'steps', /./],
        [{ name: '', steps: STEPS }, 'name', /1 to/],
        [{ name: 'x', steps: [first, { ...second, order: 1 }] }, 'steps.1.order', /twice/],
        [{ name: 'x', steps: [first, { ...second, order: 3 }] }, 'steps.1.order', /without a gap/],
        [{ name: 'x', steps: [first, { ...second, delayUnit: 'weeks' }] }, 'steps.1.delayUnit', /./],
        [{ name: 'x', steps: [first, { ...second, delayDays: -1 }] }, 'steps.1.delayDays', /./],
        [{ name: 'x', steps: [first, { ...second, delayDays: 1.5 }] }, 'steps.1.delayDays', /./],
        [{ name: 'x', steps: [first, { ...second, delayDays: 400 }] }, 'steps.1.delayDays', /a year/],
        [{ name: 'x', steps: [first, { order: 2, body: 'x' }] }, 'steps.1.delayDays', /missing/],
        [{ name: 'x', steps: [first, { ...second, action: 'fax' }] }, 'steps.1.action', /./],
        [{ name: 'x', steps: [{ ...first, subject: null }] }, 'steps.0.subject', /begins the thread/],
        [{ name: 'x', steps: [{ ...first, extra: 1 }] }, 'steps.0.extra', /not a known field/],
        [
          { name: 'x', steps: [{ ...first, body: 'a\n{{ contact.name | upcas }}' }] },
          'steps.0.body',
          /line 2: there is no filter “upcas”; is upcase meant\?/,
        ],
        [
          { name: 'x', steps: [{ ...first, body: '{% include "x" %}' }] },
          'steps.0.body',
          /there is no tag “include”/,
        ],
        [
          { name: 'x', steps: [{ ...first, subject: '{{ contat.name }}' }] },
          'steps.0.subject',
          /is contact.name meant\?/,
        ],
        [
          { name: 'x', steps: [first, { ...second, bodyText: '{{ contact.company }}' }] },
          'steps.1.bodyText',
          /contact.attributes.company/,
        ],
        [{ name: 'x', steps: [{ ...first, body: '{% if a %}' }] }, 'steps.0.body', /not closed/],
        [
          {
            name: 'x',
            steps: [{ order: 1, delayDays: 0, action: 'connection_request', body: 'x'.repeat(301) }],
          },
          'steps.0.body',
          /300 letters/,
        ],
        [
          { name: 'x', steps: [{ order: 1, delayDays: 0, action: 'message', subject: 'x', body: 'x' }] },
          'steps.0.subject',
          /belongs to/,
        ],
      ];
      for (const [body, field, words] of wrong) {
        const reply = await office.call(office.admin, 'POST', '/api/sequences', body);
        expect([body, reply.status, reply.error.details?.field]).toEqual([body, 400, field]);
        expect(reply.error.message).toMatch(words);
      }
      expect((await office.call(office.admin, 'GET', '/api/sequences')).data['items']).toEqual([]);
    }),
  );

  test(
    'are checked with what is known of people',
    on(async (office) => {
      await addPerson(office.box, {
        email: 'a@example.org',
        name: 'Ada',
        attributes: { company: 'Looms', n: 5 },
      });
      await addPerson(office.box, { email: 'b@example.org', name: 'Bob', attributes: { company: '' } });
      await addPerson(office.box, { email: 'c@example.org' }, await office.workspace('elsewhere'));
      const body =
        'Hi {{ contact.name }} of {{ contact.attributes.company }},\n{{ contact.attributes.town | upcas }}';
      const check = (steps: object[]) => office.call(office.admin, 'POST', '/api/sequences/check', { steps });
      expect((await check([{ ...STEPS[0], body }])).data['faults']).toEqual([
        {
          ...{
            step: 1,
            part: 'body',
            line: 2,
            sentence: 'there is no filter “upcas”',
            count: 2,
            suggestion: 'upcase',
            blocks: true,
          },
        },
      ]);
      const { data } = await check([{ ...STEPS[0], body: body.replace('upcas', 'upcase') }, STEPS[1] ?? {}]);
      expect(data['faults']).toEqual([
        {
          ...{
            step: 1,
            part: 'body',
            line: 1,
            count: 1,
            suggestion: 'contact.attributes.company | default: "…"',
            blocks: false,
          },
          sentence: '1 of 2 people have no contact.attributes.company; their mail would not be sent',
        },
        {
          ...{
            step: 1,
            part: 'body',
            line: 2,
            count: 2,
            suggestion: 'contact.attributes.town | default: "…"',
            blocks: false,
          },
          sentence: '2 of 2 people have no contact.attributes.town; their mail would not be sent',
        },
      ]);
      expect(data['variables']).toEqual(
        expect.arrayContaining([
          { name: 'contact.name', filled: 2, of: 2, example: 'Bob' },
          { name: 'contact.attributes.company', filled: 1, of: 2, example: 'Looms' },
          { name: 'contact.attributes.n', filled: 1, of: 2, example: '5' },
          { name: 'contact.attributes.town', filled: 0, of: 2, example: null },
          { name: 'unsubscribeUrl', filled: 2, of: 2, example: null },
        ]),
      );
      // A sequence that is not whole yet is told what it lacks, and not refused.
      expect((await check([{ ...STEPS[0], subject: null }])).data['faults']).toMatchObject([
        { step: 1, part: 'subject' },
      ]);
    }),
  );

  test(
    'are walked through person by person, also through those alone who lack something',
    on(async (office) => {
      const walk = async (body: object) =>
        (await office.call(office.admin, 'POST', '/api/sequences/people', { steps, ...body })).data;
      const steps = [
        { ...STEPS[0], body: '{{ contact.attributes.company }} {{ contact.attributes.town | default: "" }}' },
      ];
      expect(await walk({})).toEqual({
        ...{ contactId: null, previousId: null, nextId: null, sentence: 'Nobody yet', items: [] },
        lacking: { count: 0, sentence: 'Nobody lacks anything', firstId: null },
      });
      const company = { company: 'Looms' };
      const add = (name: string | null, attributes: object) =>
        addPerson(office.box, {
          ...{ email: `${String(name)}@example.org`, name },
          attributes: { ...attributes },
        });
      const ada = await add('Ada', company);
      const bob = await add('Bob', { company: '' });
      const cyd = await add('Cyd', company);
      const nameless = await add(null, company);
      await addPerson(office.box, { email: 'e@example.org' }, await office.workspace('elsewhere'));

      const lacking = { count: 2, sentence: '2 who lack something', firstId: nameless };
      expect(await walk({})).toMatchObject({
        ...{ contactId: nameless, sentence: 'Person 1 of 4', previousId: null, nextId: cyd, lacking },
        items: [{ id: nameless, name: null, email: 'null@example.org' }, {}, {}, { id: ada }],
      });
      expect(await walk({ contactId: bob })).toMatchObject({
        ...{ sentence: 'Person 3 of 4', previousId: cyd, nextId: ada },
      });
      expect(await walk({ contactId: bob, lacking: true })).toMatchObject({
        ...{ sentence: 'Person 2 of 2 who lack something', previousId: nameless, nextId: null, lacking },
        items: [{ id: nameless }, { id: bob, attributes: { company: '' } }],
      });
      // Whoever lacks nothing any more stands between them.
      expect(await walk({ contactId: cyd, lacking: true })).toMatchObject({
        ...{ contactId: cyd, sentence: 'Lacks nothing', previousId: nameless, nextId: bob },
      });
      expect(
        (await office.call(office.admin, 'POST', '/api/sequences/people', { steps, contactId: 'x' })).error,
      ).toMatchObject({ details: { field: 'contactId' } });
    }),
  );

  test(
    'are shown as somebody would get them, and sent as they are shown',
    on(async (office) => {
      const { id } = await make(office);
      const ada = await addPerson(office.box, { email: 'ada@example.org', name: 'Ada' });
      await office.call(office.admin, 'PUT', '/api/settings/workspace', { postalAddress: 'Quay 4\nHamburg' });
      const show = (body: object) =>
        office.call(office.admin, 'POST', `/api/sequences/${String(id)}/preview`, body);
      const first = (await show({ step: 1, contactId: ada })).data as unknown as Shown;
      expect(first).toMatchObject({
        subject: 'Hello Ada',
        html: expect.stringContaining('<p>Hi Ada</p>') as string,
      });
      expect(first.text).toMatch(
        /^Hi Ada\n\n-- \nUnsubscribe: http:\/\/127\.0\.0\.1:8025\/u\/[\w-]+\nQuay 4\nHamburg\n$/,
      );
      expect(first.headers).toEqual({
        'List-Unsubscribe': expect.stringMatching(/^<http:\/\/127\.0\.0\.1:8025\/u\/[\w-]+>$/) as string,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      });
      expect((await show({ step: 2, contactId: ada })).data).toMatchObject({
        subject: 'Re: Hello Ada',
        text: expect.stringMatching(/^And you\?/) as string,
      });

      const accountId = String(
        ((await office.call(office.admin, 'GET', '/api/accounts')).data['items'] as Listed)[0]?.id,
      );
      const url = `/api/sequences/${String(id)}/test`;
      const body = { step: 1, contactId: ada, accountId, to: 'me@example.org' };
      const sent = await office.call(office.admin, 'POST', url, body);
      expect(sent).toMatchObject({ status: 200, data: { id: expect.stringMatching(/^msg_/) as string } });
      await office.box.start();
      await office.carrier.until('the test has left', () => office.carrier.left.length === 1);
      const { mail, messageId, date } = office.carrier.left[0]!;
      const { headers, subject, html, text } = first;
      expect(mail).toMatchObject({
        ...{ subject, html, text },
        to: { email: 'me@example.org' },
        headers: { 'X-Pillarbox-Test': '1' },
      });
      const bytes = toBytes(compose(mail, { messageId, date })).toString();
      for (const [name, value] of Object.entries(headers)) expect(bytes).toContain(`${name}: ${value}\r\n`);
      expect(bytes.match(/^X-Pillarbox.*$/gm)).toEqual(['X-Pillarbox-Test: 1']);
    }),
  );

  test(
    'are shown and tested as they would be, too, and a frame gets them as a document',
    on(async (office) => {
      const { id } = await make(office);
      const contactId = await addPerson(office.box, { email: 'ada@example.org', name: 'Ada' });
      const url = `/api/sequences/${String(id)}`;
      const steps = [
        { ...STEPS[0], body: '<b style="color: red">New</b> <img src="https://x.example/a.png">' },
      ];
      const input = { step: 1, contactId, steps };
      expect((await office.call(office.admin, 'POST', `${url}/preview`, input)).data).toMatchObject({
        html: expect.stringContaining('<b style="color: red">New</b>') as string,
        remoteImages: 1,
        from: 'box@example.org',
      });
      expect(
        (await office.call(office.admin, 'POST', `${url}/preview`, { ...input, steps: [] })).error.details,
      ).toEqual({ field: 'steps' });
      expect((await office.call(office.admin, 'GET', url)).data).toMatchObject({ version: 1, steps: WHOLE });

      const { cookie } = (await office.person('viewer')).headers;
      const post = (headers: Readonly<Record<string, string>>, json = JSON.stringify(input)) =>
        office.app.inject({
          ...{ method: 'POST', url: `${url}/document`, payload: new URLSearchParams({ json }).toString() },
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookie!, ...headers },
        });
      // As browsers send a form of a page that tells nobody where it is.
      const ours = { origin: 'null', 'sec-fetch-site': 'same-origin' };
      const shown = await post(ours);
      expect(shown.statusCode).toBe(200);
      expect(shown.body).toContain('<b style="color: red">New</b>');
      expect(shown.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(shown.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
      for (const forged of [
        { origin: 'null' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        {},
      ])
        expect([forged, (await post(forged)).statusCode]).toEqual([forged, 403]);
      expect((await post({ ...ours, cookie: 'pillarbox_session=x' })).statusCode).toBe(401);
      expect((await post(ours, '')).json<Reply>().error.details).toEqual({ field: 'json' });
      expect((await post(ours, '{"step":')).statusCode).toBe(400);
      // Nothing else takes a form.
      const form = await office.app.inject({
        ...{ method: 'POST', url: `${url}/preview`, payload: 'json=%7B%7D' },
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookie!, ...ours },
      });
      expect(form.statusCode).toBe(403);
    }),
  );

  test(
    'keep every version, are found by their name, and say who uses them',
    on(async (office) => {
      const { id } = await make(office);
      const url = `/api/sequences/${String(id)}`;
      await office.call(office.admin, 'PUT', url, { name: 'Autumn', steps: STEPS.slice(0, 1) });
      const { items } = (await office.call(office.admin, 'GET', `${url}/versions`)).data;
      expect(items).toMatchObject([{ version: 2 }, { version: 1 }]);
      expect((await office.call(office.admin, 'GET', `${url}/versions/1`)).data).toMatchObject({
        version: 1,
        steps: WHOLE,
      });
      for (const none of ['3', '0', 'x', '99999999999'])
        expect((await office.call(office.admin, 'GET', `${url}/versions/${none}`)).status).toBe(404);

      const accounts = (await office.call(office.admin, 'GET', '/api/accounts')).data['items'] as Listed;
      await office.call(office.admin, 'POST', '/api/campaigns', {
        ...{ name: 'November', sequenceId: id, accountIds: [accounts[0]?.id] },
      });
      const found = async (q: string) =>
        (await office.call(office.admin, 'GET', `/api/sequences?q=${encodeURIComponent(q)}`)).data['items'];
      expect(await found('TUM')).toMatchObject([{ id, usedBy: { campaigns: 1, running: 0 } }]);
      expect(await found('%')).toEqual([]);
      expect((await office.call(office.admin, 'GET', url)).data).toMatchObject({
        usedBy: { campaigns: 1, running: 0 },
      });
    }),
  );

  test(
    'are not shown for whom they can not be, and the reason is told',
    on(async (office) => {
      const { id } = await make(office, [
        { ...STEPS[0], body: '{{ contact.attributes.company }}' },
        { order: 2, delayDays: 1, action: 'connection_request', body: '{{ contact.name }}' },
      ]);
      const elsewhere = await office.workspace('elsewhere');
      const ada = await addPerson(office.box, { email: 'ada@example.org', name: 'Ada'.repeat(200) });
      const theirs = await addPerson(office.box, { email: 'eve@example.org', name: 'Eve' }, elsewhere);
      const show = async (body: object) => {
        const reply = await office.call(office.admin, 'POST', `/api/sequences/${String(id)}/preview`, body);
        return [reply.status, reply.error.details?.field, reply.error.message] as const;
      };
      expect(await show({ step: 1, contactId: ada })).toEqual([
        400,
        'contactId',
        'contactId: step 1, html, line 1: contact.attributes.company is not known of this recipient, and the html needs it',
      ]);
      expect((await show({ step: 3, contactId: ada })).slice(0, 2)).toEqual([400, 'step']);
      expect((await show({ step: 1, contactId: theirs })).slice(0, 2)).toEqual([400, 'contactId']);
      expect((await show({ step: 1, contactId: ada, accountId: 'acc_zzz' })).slice(0, 2)).toEqual([
        400,
        'accountId',
      ]);
      expect(await show({ step: 2, contactId: ada })).toEqual([
        400,
        'accountId',
        'accountId: is needed: there is no account at LinkedIn',
      ]);
      const accountId = String(
        ((await office.call(office.admin, 'GET', '/api/accounts')).data['items'] as Listed)[0]?.id,
      );
      expect(await show({ step: 2, contactId: ada, accountId })).toEqual([
        400,
        'accountId',
        'accountId: is not an account at LinkedIn',
      ]);
      const test = await office.call(office.admin, 'POST', `/api/sequences/${String(id)}/test`, {
        ...{ step: 1, contactId: ada, accountId, to: 'nobody' },
      });
      expect(test.status).toBe(400);
      expect((await office.call(office.admin, 'GET', '/api/messages')).data['items']).toEqual([]);
    }),
  );
});

describe.concurrent.each(databases)('what came of steps on $name', (database) => {
  const onOffice = officesOn(database);
  // A Monday before nine; ten hours pass in a second.
  const on = (act: (office: Office) => Promise<void>) =>
    onOffice(act, { secret, clock: '2031-03-03T06:00:00Z*36000' });

  test(
    'is told by step: how many have left, and after which of them people replied',
    on(async (office) => {
      const { box, carrier, admin } = office;
      carrier.conduct = ({ mail }) =>
        mail.to.email === 'p0@example.org' && mail.subject.startsWith('Re:')
          ? failed({ class: 'permanent', scope: 'message', code: '550', message: 'no' })
          : undefined;
      await box.home.settings.changeSending({ sendingDays: [1, 2, 3, 4, 5, 6, 7] });
      const made = (await office.call(admin, 'POST', '/api/sequences', { name: 'Autumn', steps: TWO })).data;
      const url = `/api/sequences/${String(made['id'])}/results`;
      expect((await office.call(admin, 'GET', url)).data).toEqual({ items: [], sentence: null });
      const { ids } = await box.contacts.addMany(
        Array.from({ length: 3 }, (_, n) => ({ email: `p${String(n)}@example.org` })),
      );
      const accounts = await box.home.accounts.list();
      const id = await box.campaigns.create({
        ...{ name: 'November', sequenceId: String(made['id']), accountIds: [accounts.items[0]!.id] },
      });
      await box.campaigns.enrol(id, ids);
      await box.campaigns.launch(id);
      await box.start();
      while ((await box.campaigns.get(id)).state !== 'completed') await sleep(25);
      for (const email of ['p0@example.org', 'p1@example.org'])
        await box.home.inbound.receive({ kind: 'reply', email });
      expect((await office.call(admin, 'GET', url)).data).toEqual({
        items: [
          { step: 1, sent: 3, replied: 1, sentence: '3 sent, 1 replied' },
          { step: 2, sent: 2, replied: 1, sentence: '2 sent, 1 replied' },
        ],
        sentence: null,
      });

      // All campaigns that say it count; of too many mails the newest, and it is said which.
      const again = await box.campaigns.create({
        ...{ name: 'December', sequenceId: String(made['id']), accountIds: [accounts.items[0]!.id] },
        startAt: '2034-01-02T09:00:00Z',
      });
      await box.campaigns.enrol(again, [(await box.contacts.add({ email: 'late@example.org' })).id]);
      await box.campaigns.launch(again);
      expect((await office.call(admin, 'GET', url)).data).toMatchObject({
        items: [{ sent: 3 }, { sent: 2 }],
        sentence: null,
      });
      const sequence = parseId('sequence', String(made['id']))!;
      const few = await box.store.read(readStepResults(box.store, box.home.id, sequence, 3));
      expect(presentResults(few)).toMatchObject({
        items: [],
        sentence: 'Counted: the newest 1 of its 2 campaigns.',
      });
    }),
  );
});

const TWO = [
  { order: 1, delayDays: 0, subject: 'Hello', body: 'Hi' },
  { order: 2, delayDays: 2, body: 'And?' },
];

interface Shown {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}
type Listed = readonly { readonly id: string }[];
