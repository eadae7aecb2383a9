import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { databases } from '../databases.js';
import type { Caller, Office, Reply } from './office.js';
import { officesOn } from './offices.js';

const PRIVATE = { secret: 'a secret of the test', allowPrivateHosts: true };
const FILE = { kind: 'file', directory: '/tmp/pillarbox-nowhere' };
const SMTP = { kind: 'smtp', url: 'smtp://127.0.0.1:2525' };
const REFUSED = {
  status: 403,
  error: {
    code: 'forbidden',
    message: expect.stringContaining('by an administrator of the installation'),
    details: { field: 'transport.kind' },
  },
};

describe.each(databases)('accounts that write files on the machine, on $name', (database) => {
  const onOffice = officesOn(database);
  const make = (office: Office, caller: Caller, transport: object): Promise<Reply> =>
    office.call(caller, 'POST', '/api/accounts', { name: 'Files', emailAddress: 'f@example.org', transport });
  const change = (office: Office, caller: Caller, id: unknown, patch: object): Promise<Reply> =>
    office.call(caller, 'PATCH', `/api/accounts/${String(id)}`, patch);

  test(
    'are not for a workspace: neither its keys nor its people make one, or make one of another account',
    onOffice(async (office) => {
      const client = await office.workspace('client');
      for (const caller of [await office.key(['admin'], client), await office.person('admin', client)]) {
        expect(await make(office, caller, FILE)).toMatchObject(REFUSED);
        const { data } = await make(office, caller, SMTP);
        expect(await change(office, caller, data['id'], { transport: FILE })).toMatchObject(REFUSED);
        const stored = await office.call(caller, 'GET', `/api/accounts/${String(data['id'])}`);
        expect(stored.data['transport']).toMatchObject({ kind: 'smtp' });
        expect(await change(office, caller, data['id'], { name: 'Ours' })).toMatchObject({ status: 200 });
        await office.call(caller, 'DELETE', `/api/accounts/${String(data['id'])}`);
      }
    }, PRIVATE),
  );

  test(
    'are made and changed by whoever administers the installation, in any workspace; there they can be paused',
    onOffice(async (office) => {
      const client = await office.workspace('client');
      const tenant = await office.key(['admin'], client);
      const { headers } = await office.person('admin');
      const root = { headers: { ...headers, 'x-workspace-id': formatId('workspace', client) } };
      const made = await make(office, root, FILE);
      expect(made).toMatchObject({ status: 200, data: { transport: FILE } });
      const { id } = made.data;
      expect((await make(office, office.admin, FILE)).status).toBe(200);
      for (const patch of [
        { transport: { ...FILE, directory: '/etc' } },
        { name: 'Mine' },
        { transport: SMTP },
      ]) {
        expect(await change(office, tenant, id, patch)).toMatchObject(REFUSED);
      }
      expect(await change(office, tenant, id, { status: 'paused' })).toMatchObject({ status: 200 });
      const moved = { transport: { ...FILE, directory: '/tmp/pillarbox-elsewhere' } };
      expect(await change(office, root, id, moved)).toMatchObject({ status: 200, data: moved });
    }, PRIVATE),
  );
});
