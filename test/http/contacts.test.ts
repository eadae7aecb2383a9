import { describe, expect, test } from 'vitest';
import { ImportRunner } from '#pillarbox/contacts/import-runner';
import { ImportWatch } from '#pillarbox/contacts/import-watch';
import { formatId, parseId } from '#pillarbox/core/ids';
import { silent } from '#pillarbox/log/log';
import { lockImport, startImport } from '#pillarbox/store/scripts/imports';
import { databases } from '../databases.js';
import type { Caller, Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const itemsOf = ({ data }: Reply) => data['items'] as Readonly<Record<string, unknown>>[];

const add = (office: Office, body: object, by: Caller = office.admin) =>
  office.call(by, 'POST', '/api/contacts', body);

async function send(
  office: Office,
  url: string,
  payload: string | Buffer,
  by: Caller = office.admin,
): Promise<Reply> {
  const reply = await office.app.inject({
    ...{ method: 'POST', url, payload },
    headers: { ...by.headers, 'content-type': 'text/csv; charset=utf-8' },
  });
  const body = reply.json<{ data: Reply['data']; error: Reply['error'] }>();
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, ...body };
}

const csv = (office: Office, payload: string | Buffer) => send(office, '/api/contacts/import', payload);

const list = async (office: Office, query = '') =>
  itemsOf(await office.call(office.admin, 'GET', `/api/contacts${query}`));

describe.each(databases)('contacts on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'say how many they are, which files wait, and in which campaigns each of them is',
    onOffice(async (office) => {
      const standing = async () => (await office.call(office.admin, 'GET', '/api/contacts/standing')).data;
      expect(await standing()).toMatchObject({
        ...{ contacts: 0, isAll: true, open: [] },
        plate: { level: 'fine', sentence: '0 contacts.', evidence: 'Nothing was imported yet.' },
      });
      const id = String((await add(office, { email: 'ada@example.org', name: 'Ada' })).data['id']);
      await csv(office, 'email\nbob@example.org\nnobody\n');
      const upload = await send(
        office,
        '/api/contacts/imports?fileName=guests.csv',
        'email\nx@example.org\n',
      );
      expect(await standing()).toMatchObject({
        ...{ contacts: 2, open: [{ id: upload.data['id'], state: 'mapping' }] },
        plate: { level: 'look', sentence: 'Guests.csv waits for you to say what its columns become.' },
      });
      await office.call(office.admin, 'POST', `/api/contacts/imports/${String(upload.data['id'])}/stop`);
      expect(await standing()).toMatchObject({ plate: { level: 'fine', sentence: '2 contacts.' } });

      const [account] = itemsOf(await office.call(office.admin, 'GET', '/api/accounts'));
      const names = ['Spring', 'Summer', 'Autumn', 'Winter'];
      for (const name of names) {
        const campaign = { name, accountIds: [account!['id']] };
        const { data } = await office.call(office.admin, 'POST', '/api/campaigns', campaign);
        const url = `/api/campaigns/${String(data['id'])}/prospects`;
        await office.call(office.admin, 'POST', url, { contactIds: [id] });
      }
      const shown = await office.call(office.admin, 'GET', `/api/contacts/${id}`);
      expect(shown.data['campaigns']).toMatchObject(
        ['Winter', 'Autumn', 'Summer'].map((name) => ({ name, status: 'active' })),
      );
      expect((await list(office)).map(({ campaigns }) => (campaigns as unknown[]).length)).toEqual([0, 3]);
      const page = (query: string) =>
        office.call(office.admin, 'GET', `/api/contacts/${id}/campaigns${query}`);
      const first = await page('?limit=3');
      expect(itemsOf(first)).toMatchObject(
        ['Winter', 'Autumn', 'Summer'].map((campaign) => ({
          ...{
            campaign,
            campaignState: 'draft',
            status: 'active',
            steps: [],
            nextAt: null,
            why: 'Planned at the launch.',
          },
        })),
      );
      const rest = await page(`?limit=3&cursor=${String(first.data['nextCursor'])}`);
      expect([itemsOf(rest), rest.data['nextCursor']]).toMatchObject([[{ campaign: 'Spring' }], null]);
      expect((await office.call(office.admin, 'GET', '/api/contacts/con_zzz/campaigns')).status).toBe(404);
    }),
  );

  test(
    'are added one by one or many at once, known by their address in any spelling',
    onOffice(async (office) => {
      const first = await add(office, {
        email: 'Ada@Example.org',
        name: 'Ada',
        attributes: { company: 'AE', rooms: 3 },
      });
      expect(first).toMatchObject({ status: 200, data: { id: expect.stringMatching(/^con_/) } });
      const { id } = first.data;
      const many = await add(office, {
        contacts: [
          { email: 'bob@example.org', timezone: 'Europe/Oslo' },
          { email: 'ADA@example.ORG', attributes: { rooms: 4, company: null } },
          { linkedinId: 'cleo-1' },
          { email: 'bob@EXAMPLE.org', name: 'Bob' },
        ],
      });
      const ids = many.data['ids'] as string[];
      expect(ids).toHaveLength(4);
      expect(ids[1]).toBe(id);
      expect(ids[3]).toBe(ids[0]);
      const ada = await office.call(office.admin, 'GET', `/api/contacts/${String(id)}`);
      expect(ada.data).toMatchObject({
        ...{ email: 'ADA@example.org', name: 'Ada', linkedinId: null, timezone: null },
        ...{ attributes: { rooms: 4 }, suppression: null, importId: null },
      });
      expect(await list(office)).toHaveLength(3);
    }),
  );

  test(
    'of one call are all taken or none, and what is wrong is named by its place',
    onOffice(async (office) => {
      const faults: [object, string][] = [
        [{ contacts: [{ email: 'a@example.org' }, { email: 'no at' }] }, 'contacts.1.email'],
        [{ contacts: [{ email: 'a@example.org' }, {}] }, 'contacts.1.email'],
        [{ contacts: [{ email: 'a@example.org', timezone: 'CET+1' }] }, 'contacts.0.timezone'],
        [{ email: 'a@example.org', name: 'two\nlines' }, 'name'],
        [{ email: 'a@example.org', attributes: { a: { b: 1 } } }, 'attributes.a'],
        [{ email: 'a@example.org', attributes: { constructor: 'x' } }, 'attributes'],
        [{ email: 'a@example.org', attributes: { long: 'x'.repeat(4_001) } }, 'attributes.long'],
        [{ email: 'a@example.org', company: 'x' }, 'company'],
        [{ email: 'a@example.org', contacts: [{ email: 'b@example.org' }] }, 'email'],
        [{ linkedinId: 'with blank' }, 'linkedinId'],
        [{}, 'email'],
      ];
      for (const [body, field] of faults) {
        const reply = await add(office, body);
        expect([field, reply.status, reply.error.details?.field]).toEqual([field, 400, field]);
      }
      expect(await list(office)).toEqual([]);
    }),
  );

  test(
    'are changed and removed by their id, and never become somebody else',
    onOffice(async (office) => {
      const ada = String((await add(office, { email: 'ada@example.org', linkedinId: 'ada' })).data['id']);
      await add(office, { email: 'bob@example.org', linkedinId: 'bob' });
      const patch = (body: object) => office.call(office.admin, 'PATCH', `/api/contacts/${ada}`, body);
      expect(await patch({ email: 'BOB@example.org' })).toMatchObject({
        status: 409,
        error: { details: { field: 'email' } },
      });
      expect(await patch({ linkedinId: 'bob' })).toMatchObject({
        status: 409,
        error: { details: { field: 'linkedinId' } },
      });
      expect(await add(office, { email: 'ada@example.org', linkedinId: 'bob' })).toMatchObject({
        status: 409,
      });
      expect(await patch({ email: null, linkedinId: null })).toMatchObject({ status: 400 });
      expect(await patch({ email: null, name: 'Ada L.' })).toMatchObject({
        status: 200,
        data: { id: ada, email: null, linkedinId: 'ada', name: 'Ada L.' },
      });
      expect(await list(office, '?q=ada')).toHaveLength(1);
      expect(await patch({ name: null })).toMatchObject({ status: 200, data: { name: null } });
      expect((await office.call(office.admin, 'DELETE', `/api/contacts/${ada}`)).status).toBe(200);
      expect((await patch({ name: 'x' })).status).toBe(404);
      expect((await office.call(office.admin, 'DELETE', `/api/contacts/${ada}`)).status).toBe(404);
      expect(await list(office, '?q=ada')).toEqual([]);
      expect(await list(office)).toHaveLength(1);
    }),
  );

  test(
    'are listed newest first, page by page, and found by address, name, house, id and LinkedIn id',
    onOffice(async (office) => {
      const contacts = [
        { email: 'anna.lind@fjordhus.example', name: 'Anna Lind' },
        { email: 'm.costa@casacosta.example', name: 'Marta Müller-Costa' },
        { email: 'lindsay@quay.example', name: 'Jo Ferris', linkedinId: 'jo-ferris-9' },
        { linkedinId: 'nameless' },
      ];
      const { ids } = (await add(office, { contacts })).data as { ids: string[] };
      const found = async (q: string) =>
        (await list(office, `?q=${encodeURIComponent(q)}`)).map(({ id }) => ids.indexOf(String(id)));
      expect(await found('lind')).toEqual([2, 0]);
      expect(await found('LIND anna')).toEqual([0]);
      expect(await found('muller')).toEqual([1]);
      expect(await found('casaco')).toEqual([1]);
      expect(await found('Anna.Lind@fjord')).toEqual([0]);
      expect(await found('jo-ferris-9')).toEqual([2]);
      expect(await found(ids[3] ?? '')).toEqual([3]);
      expect(await found('nobody')).toEqual([]);
      expect(await found('   ')).toEqual([3, 2, 1, 0]);
      const first = await office.call(office.admin, 'GET', '/api/contacts?limit=3');
      expect(itemsOf(first).map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]]);
      expect(await list(office, `?limit=3&cursor=${String(first.data['nextCursor'])}`)).toMatchObject([
        { id: ids[0] },
      ]);
      expect((await office.call(office.admin, 'GET', '/api/contacts?cursor=msg_1')).status).toBe(400);
    }),
  );

  test(
    'of another workspace are not there',
    onOffice(async (office) => {
      const { id } = (await add(office, { email: 'ada@example.org', name: 'Ada' })).data;
      const other = await office.key(['admin'], await office.workspace('Other'));
      expect((await office.call(other, 'GET', `/api/contacts/${String(id)}`)).status).toBe(404);
      expect(itemsOf(await office.call(other, 'GET', '/api/contacts?q=ada'))).toEqual([]);
      const theirs = await add(office, { email: 'ada@example.org' }, other);
      expect(theirs.data['id']).not.toBe(id);
    }),
  );

  test(
    'come as a file: merged by address, bad lines told, nobody written to who must not be',
    onOffice(async (office) => {
      await add(office, {
        email: 'known@example.org',
        name: 'Known',
        attributes: { company: 'Old', city: 'Oslo' },
      });
      await add(office, { email: 'by-hand@example.org' });
      await office.call(office.admin, 'POST', '/api/suppressions', {
        email: 'gone@example.org',
        reason: 'unsubscribed',
      });
      const file =
        '\ufeffCompany,EMAIL,Name,linkedinid,timeZone\r\n' +
        'New,KNOWN@example.org,,,\r\n' +
        '"Hus, am See",gone@example.org,"Gone ""G""",,Europe/Oslo\r\n' +
        '\r\n' +
        'x,no-at.example.org,,,\r\n' +
        'x,,,,\r\n' +
        'x,z@example.org,,,CET+1\r\n' +
        '"open,q@example.org\r\n' +
        'x,Gone@Example.org,Again,,,\r\n' +
        'x,many@example.org,a,b,UTC,too,many\r\n' +
        '=1+1,formula@example.org,=cmd,,\r\n' +
        ',,Only LinkedIn,lin-1,\r\n';
      const reply = await csv(office, file);
      expect(reply.status).toBe(200);
      expect(reply.data).toMatchObject({ imported: 3, updated: 2, rejectedTotal: 5 });
      expect(reply.data['rejected']).toEqual([
        { line: 5, reason: expect.stringContaining('email has no @') },
        { line: 6, reason: 'has neither an email nor a linkedinId' },
        { line: 7, reason: expect.stringContaining('timezone is not a time zone') },
        { line: 8, reason: 'a quote is not closed' },
        { line: 10, reason: 'has 7 cells where the first line has 5' },
      ]);
      expect(await list(office, '?q=known')).toMatchObject([
        {
          name: 'Known',
          attributes: { company: 'Old', city: 'Oslo', Company: 'New' },
          importLine: 2,
          importDid: 'updated: email, Company',
        },
      ]);
      expect(await list(office, '?q=gone@')).toMatchObject([
        {
          name: 'Again',
          timezone: 'Europe/Oslo',
          suppression: { reason: 'unsubscribed' },
          importLine: 9,
          importDid: 'updated: email, name, Company',
        },
      ]);
      expect(await list(office, '?q=formula@')).toMatchObject([
        { name: '=cmd', attributes: { Company: '=1+1' }, importDid: 'new' },
      ]);
      const importId = String(reply.data['id']);
      expect(await list(office, `?importId=${importId}`)).toHaveLength(4);
      const job = await office.call(office.admin, 'GET', `/api/contacts/imports/${importId}`);
      expect(job.data).toMatchObject({
        ...{
          state: 'done',
          lines: 10,
          done: 10,
          imported: 3,
          updated: 2,
          rejected: 5,
          suppressed: 1,
          etaSeconds: 0,
        },
        ...{ encoding: 'utf-8', separator: ',' },
        reasons: [
          { reason: 'broken', count: 2 },
          { reason: 'address', count: 1 },
          { reason: 'unreachable', count: 1 },
          { reason: 'time_zone', count: 1 },
        ],
        plate: { level: 'look', sentence: 'Imported 3, updated 2, left out 5.' },
      });
      const again = await csv(office, file);
      expect(again.data).toMatchObject({ imported: 0, updated: 5 });
      expect(await list(office, '?q=formula@')).toMatchObject([{ importDid: 'unchanged' }]);
      expect(await list(office, '?q=by-hand@')).toMatchObject([{ importDid: null }]);
    }),
  );

  test(
    'in a file of the wrong kind are refused as a whole, and nothing of it is kept',
    onOffice(async (office) => {
      const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
      const faults: [string | Buffer, RegExp][] = [
        ['', /file: is empty/],
        ['\r\n\r\n', /file: is empty/],
        ['company,name\nx,y\n', /no column becomes email or linkedinId.*company, name/],
        ['email,Email\na@example.org,x\n', /both become email/],
        ['email,email\na@example.org,x\n', /line 1 names the column email twice/],
        ['email,,x\n', /line 1 has no name for column 2/],
        [
          Buffer.from('email,name\na@example.org,Ada\nb@example.org,M\xfcller\nc@example.org,x\n', 'latin1'),
          /line 3 is not UTF-8/,
        ],
        [Buffer.from('email,M\xfcller\n', 'latin1'), /line 1 is not UTF-8/],
        [Buffer.from('email,name\n', 'utf16le'), /NUL bytes.*byte order mark/],
        [Buffer.concat([utf16('email\n'), Buffer.from([0x41])]), /middle of a character/],
        [`email,${'x'.repeat(101)}\n`, /more than 100 characters/],
        [`email,${Array.from({ length: 200 }, (_, n) => `c${n}`).join(',')}\n`, /201 columns/],
        ['email,constructor\n', /constructor.*can not be used/],
      ];
      for (const [file, words] of faults) {
        const reply = await csv(office, file);
        expect([reply.status, reply.error.message]).toEqual([400, expect.stringMatching(words)]);
      }
      expect(await list(office)).toEqual([]);
      expect(itemsOf(await office.call(office.admin, 'GET', '/api/contacts/imports'))).toEqual([]);
      const json = await office.call(office.admin, 'POST', '/api/contacts/import', {
        email: 'a@example.org',
      });
      expect(json).toMatchObject({ status: 400, error: { message: expect.stringContaining('text/csv') } });
      expect((await send(office, '/api/contacts', 'email\n')).status).toBe(400);
      expect((await csv(office, utf16('email;name\r\na@example.org;Ägir\r\n'))).data).toMatchObject({
        imported: 1,
      });
      expect(await list(office, '?q=agir')).toMatchObject([{ name: 'Ägir' }]);
    }),
  );

  test(
    'are read from a file as somebody says, and an upload that was read in another way is replaced',
    onOffice(async (office) => {
      const upload = (query: string, file: string | Buffer = 'email,x;name\na@example.org,b;Ada\n') =>
        send(office, `/api/contacts/imports?fileName=f.csv${query}`, file);
      const first = String((await upload('')).data['id']);
      const second = await upload(`&separator=%3B&instead=${first}`);
      expect(second.data).toMatchObject({
        ...{ state: 'mapping', separator: ';', columns: [{ name: 'email,x' }, { name: 'name' }] },
      });
      const imports = async () => itemsOf(await office.call(office.admin, 'GET', '/api/contacts/imports'));
      expect(await imports()).toMatchObject([{ id: second.data['id'] }]);
      // What can't be read replaces nothing, and neither does anything once it has begun.
      const broken = await upload(`&encoding=utf-16be&instead=${String(second.data['id'])}`, 'odd');
      expect(broken).toMatchObject({ status: 400 });
      expect(await imports()).toMatchObject([{ id: second.data['id'], state: 'mapping' }]);
      const path = `/api/contacts/imports/${String(second.data['id'])}`;
      await office.call(office.admin, 'POST', `${path}/start`, {
        mapping: { 'email,x': null, name: 'linkedinId' },
      });
      expect(await upload(`&instead=${String(second.data['id'])}`)).toMatchObject({ status: 409 });
      expect(await upload(`&instead=${first}`)).toMatchObject({ status: 404 });
      for (const query of ['&separator=x', '&encoding=latin-1', '&instead=imp_0'])
        expect((await upload(query)).status).toBeGreaterThanOrEqual(400);

      const old = Buffer.from('email,name\nm@example.org,M\xfcller \x80\x9f\x85\n', 'latin1');
      const query = '/api/contacts/import?encoding=windows-1252';
      expect((await send(office, query, old)).data).toMatchObject({ imported: 1 });
      expect(await list(office, '?q=m@example.org')).toMatchObject([{ name: 'Müller €Ÿ…' }]);
      expect((await send(office, `${query}&separator=%09`, old)).error.message).toMatch(
        /no column becomes email/,
      );
    }),
  );

  test(
    'in lines of a megabyte are left out, the others are in [T19]',
    onOffice(async (office) => {
      const long = 'x'.repeat(1_000_000);
      const reply = await csv(
        office,
        `email,name\na@example.org,A\nb@example.org,${long}\n"c@example.org,${long}\nd@example.org,D\n`,
      );
      expect(reply.data).toMatchObject({ imported: 2, rejected: [{ line: 3 }, { line: 4 }] });
      const { text } = await download(office, String(reply.data['id']));
      expect(text.length).toBeLessThan(2_000);
    }),
  );

  test(
    'of a job wait for what columns become, and then come by themselves',
    onOffice(async (office) => {
      const file =
        'E-Mail;full_name;Company;notes\nanna@example.org;Anna;"=HYPERLINK(""x"")";hm\nbad;-Bert;B;\n';
      const made = await send(office, '/api/contacts/imports?fileName=guests.csv', file);
      expect(made).toMatchObject({
        status: 202,
        data: {
          ...{ state: 'mapping', fileName: 'guests.csv', separator: ';', lines: 2, mapping: null },
          columns: [
            { name: 'E-Mail', samples: ['anna@example.org', 'bad'], filled: 2, proposed: 'email' },
            { name: 'full_name', filled: 2, proposed: 'name' },
            { name: 'Company', filled: 2, proposed: 'attributes.Company' },
            { name: 'notes', filled: 1 },
          ],
        },
      });
      const url = `/api/contacts/imports/${String(made.data['id'])}`;
      const start = (mapping: object) => office.call(office.admin, 'POST', `${url}/start`, { mapping });
      expect(await start({})).toMatchObject({ status: 400, error: { details: { field: 'mapping' } } });
      expect(await start({ nope: 'email' })).toMatchObject({
        status: 400,
        error: { details: { field: 'mapping.nope' } },
      });
      expect(await start({ 'E-Mail': 'email', notes: 'email' })).toMatchObject({ status: 400 });
      const mapping = { 'E-Mail': 'email', full_name: 'name', Company: 'company', notes: null };
      expect((await start(mapping)).status).toBe(200);
      await expect.poll(async () => (await office.call(office.admin, 'GET', url)).data['state']).toBe('done');
      expect(await start(mapping)).toMatchObject({ status: 409 });
      expect(await office.call(office.admin, 'POST', `${url}/stop`)).toMatchObject({ status: 409 });
      expect(await list(office)).toMatchObject([
        { email: 'anna@example.org', name: 'Anna', attributes: { company: '=HYPERLINK("x")' } },
      ]);
      expect(itemsOf(await office.call(office.admin, 'GET', `${url}/rejected?reason=address`))).toMatchObject(
        [{ line: 3, code: 'address', cells: ['bad', '-Bert', 'B', ''] }],
      );
      const { text, type } = await download(office, String(made.data['id']));
      expect(type).toBe('text/csv; charset=utf-8');
      expect(text).toMatch(/^E-Mail,full_name,Company,notes,reason\r\nbad,'-Bert,B,,"?email has no @/);
    }),
  );

  test(
    'of a job that is stopped are not imported, and its file is gone',
    onOffice(async (office) => {
      const made = await send(office, '/api/contacts/imports', 'email\na@example.org\n');
      const url = `/api/contacts/imports/${String(made.data['id'])}`;
      expect(await office.call(office.admin, 'POST', `${url}/stop`)).toMatchObject({
        status: 200,
        data: { state: 'stopped' },
      });
      expect((await office.call(office.admin, 'POST', `${url}/start`, {})).status).toBe(409);
      expect(await list(office)).toEqual([]);
      for (let n = 0; n < 20; n += 1)
        expect((await send(office, '/api/contacts/imports', 'email\n')).status).toBe(202);
      expect(await send(office, '/api/contacts/imports', 'email\n')).toMatchObject({ status: 409 });
    }),
  );

  test(
    'that several add at once are each one contact',
    onOffice(async (office) => {
      const file = `email,name\n${Array.from({ length: 300 }, (_, n) => `p${n}@example.org,P${n}\n`).join('')}`;
      const bodies = Array.from({ length: 4 }, () => csv(office, file));
      const many = add(office, {
        contacts: Array.from({ length: 300 }, (_, n) => ({ email: `P${299 - n}@example.org` })),
      });
      const replies = await Promise.all([...bodies, many]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      let seen = 0;
      for (let cursor = ''; ;) {
        const { data } = await office.call(office.admin, 'GET', `/api/contacts?limit=200${cursor}`);
        const { items, nextCursor } = data as { items: unknown[]; nextCursor: string | null };
        seen += items.length;
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      expect(seen).toBe(300);
    }),
  );

  test(
    'who are erased leave nothing behind, in files that wait and lines that were left out either',
    onOffice(async (office) => {
      const person = 'Erasme@example.org';
      const { id } = (await add(office, { email: person, name: 'Erasme' })).data;
      const report = await csv(office, `email,timezone,notes\nbob@example.org,UTC,x\n${person},CET+1,y\n`);
      const waiting = await send(
        office,
        '/api/contacts/imports',
        `email,name\n${person},Erasme\nbob@example.org,Bob\n`,
      );
      const known = await office.call(office.admin, 'GET', `/api/people/${person}`);
      expect(known.data).toMatchObject({
        contacts: [{ id, email: person, name: 'Erasme' }],
        importLines: [{ importId: report.data['id'], line: 3 }],
      });
      await office.call(office.admin, 'POST', '/api/suppressions', { email: person, reason: 'unsubscribed' });
      expect((await office.call(office.admin, 'DELETE', `/api/people/${person}`)).status).toBe(200);
      expect((await office.call(office.admin, 'GET', `/api/contacts/${String(id)}`)).status).toBe(404);
      const { text } = await download(office, String(report.data['id']));
      expect(text).not.toMatch(/erasme@/i);
      const url = `/api/contacts/imports/${String(waiting.data['id'])}`;
      expect((await office.call(office.admin, 'GET', url)).text).not.toMatch(/erasme@/i);
      await office.call(office.admin, 'POST', `${url}/start`, {});
      await expect.poll(async () => (await office.call(office.admin, 'GET', url)).data['state']).toBe('done');
      expect(await list(office, '?q=erasme@')).toEqual([]);
      await csv(office, `email\n${person}\n`);
      expect(await list(office, '?q=erasme@')).toMatchObject([{ suppression: { reason: 'unsubscribed' } }]);
    }),
  );

  test(
    'of a job that its process left are gone on with by another one, each line once',
    onOffice(async (office) => {
      const lines = Array.from({ length: 4_500 }, (_, n) => `p${n}@example.org,P${n}\n`).join('');
      const made = await send(office, '/api/contacts/imports', `email,name\n${lines}`);
      const { store, home } = office.box;
      const id = parseId('import', String(made.data['id']))!;
      // As by a process that died right then.
      await store.transaction(function* () {
        const known = (yield* lockImport(store, home.id, id))!;
        yield* startImport(store, known, { email: 'email', name: 'name' }, null, 1);
      });
      const watch = new ImportWatch(store, () => Promise.resolve(home.contacts.runner), silent);
      await watch.look();
      expect((await home.contacts.imports.get(formatId('import', id))).done).toBe(0);
      await watch.look();
      // Two at once do not do it twice.
      await Promise.all([home.contacts.runner.run(id), otherRunner(office).run(id)]);
      const url = `/api/contacts/imports/${String(made.data['id'])}`;
      await expect
        .poll(async () => (await office.call(office.admin, 'GET', url)).data)
        .toMatchObject({
          ...{ state: 'done', done: 4_500, imported: 4_500, updated: 0, rejected: 0 },
        });
    }),
  );
});

const otherRunner = ({ box }: Office) => new ImportRunner(box.store, box.home.id, () => undefined, silent);

async function download(office: Office, id: string): Promise<{ text: string; type: unknown }> {
  const reply = await office.app.inject({
    ...{ method: 'GET', url: `/api/contacts/imports/${id}/rejected.csv` },
    headers: office.admin.headers,
  });
  expect(reply.statusCode).toBe(200);
  return { text: reply.body, type: reply.headers['content-type'] };
}
