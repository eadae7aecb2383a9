import type { Compilable } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Inbox } from '#pillarbox/catcher/inbox';
import { coolAccount } from '#pillarbox/store/scripts/accounts';
import { keepCaught } from '#pillarbox/store/scripts/caught';
import type { Store } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { postsOn } from '../engine/posts.js';
import { aMailThatIs, fatefulCarrier } from './fates.js';
import { Office, type Caller } from './office.js';
import { officesOn } from './offices.js';

interface Dashboard {
  readonly next: { readonly retryAt: string | null; readonly scheduledAt: string | null };
  readonly oldestHeldAgeSeconds: number | null;
  readonly deadToday: number;
  readonly failedEmailCount: number;
  readonly caught: number | null;
  readonly accounts: { readonly name: string; readonly transport: string }[];
}

const look = async (office: Office, who: Caller = office.admin) => {
  const { status, data, text } = await office.call(who, 'GET', '/api/admin/dashboard');
  if (status !== 200) throw new Error(text);
  return data as unknown as Dashboard;
};

const write = (store: Store, query: Compilable) =>
  store.transaction(
    (function* () {
      yield query.compile();
    })(),
  );

const NONE = { retryAt: null, scheduledAt: null };
const HOUR_MS = 3_600_000;

describe.concurrent.each(databases)('the evidence of the dashboard on $name', (database) => {
  const onOffice = officesOn(database);

  const dueOf = async (office: Office, id: string) =>
    (await office.call(office.admin, 'GET', `/api/messages/${id}`)).data['nextAttemptAt'] as string;

  test(
    'tells when the next mail and the next retry may leave',
    onOffice(
      async (office) => {
        expect((await look(office)).next).toEqual(NONE);
        const later = await aMailThatIs('waiting', office);
        const sendAt = new Date((await office.box.now()) + HOUR_MS / 2).toISOString();
        await aMailThatIs('waiting', office, { sendAt });
        const retried = await aMailThatIs('busy', office);
        expect((await look(office)).next).toEqual({
          scheduledAt: sendAt,
          retryAt: await dueOf(office, retried),
        });
        expect(await dueOf(office, later)).not.toBe(sendAt);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'counts a rest of the account in, and expects nothing of a paused one',
    onOffice(
      async (office) => {
        await aMailThatIs('waiting', office);
        await aMailThatIs('busy', office);
        const { store } = office.box;
        const until = await store.transaction(
          coolAccount(store, 1, '421 4.7.0', await store.now(), (2 * HOUR_MS) / 1_000),
        );
        const rested = new Date(until!).toISOString();
        expect((await look(office)).next).toEqual({ retryAt: rested, scheduledAt: rested });
        await office.box.pause('535 wrong password');
        expect((await look(office)).next).toEqual(NONE);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'leaves out what is due already: it leaves now, not next',
    onOffice(async (office) => {
      const ago = new Date((await office.box.now()) - 1_000).toISOString();
      await aMailThatIs('waiting', office, { sendAt: ago });
      expect((await look(office)).next).toEqual(NONE);
    }),
  );

  test(
    'tells how long the oldest held mail waits for a decision',
    onOffice(
      async (office) => {
        expect((await look(office)).oldestHeldAgeSeconds).toBeNull();
        await aMailThatIs('held', office);
        expect((await look(office)).oldestHeldAgeSeconds).toBeLessThan(60);
        const { store } = office.box;
        await write(
          store,
          store.db.updateTable('outcomes').set({ finished_at: (await store.now()) - HOUR_MS }),
        );
        await aMailThatIs('held', office);
        expect((await look(office)).oldestHeldAgeSeconds).toBeGreaterThanOrEqual(3_600);
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'counts who died today, also those that are retried since',
    onOffice(
      async (office) => {
        await aMailThatIs('dead', office);
        const again = await aMailThatIs('dead', office);
        await aMailThatIs('busy', office);
        expect(await look(office)).toMatchObject({ deadToday: 2, failedEmailCount: 2 });
        await office.call(office.admin, 'POST', `/api/messages/${again}/retry`);
        expect(await look(office)).toMatchObject({ deadToday: 2, failedEmailCount: 1 });
      },
      { carrier: fatefulCarrier() },
    ),
  );

  test(
    'names how each account sends',
    onOffice(
      async (office) => {
        const made = await office.call(office.admin, 'POST', '/api/accounts', {
          name: 'bookings',
          emailAddress: 'bookings@example.org',
          transport: { kind: 'smtp', url: 'smtps://192.0.2.25' },
        });
        expect(made.text).toContain('"success":true');
        expect((await look(office)).accounts.map(({ name, transport }) => [name, transport])).toEqual([
          ['default', 'carrier'],
          ['bookings', 'smtp'],
        ]);
      },
      { allowPrivateHosts: true },
    ),
  );

  test(
    'counts what the development inbox holds, for the workspace that may look into it',
    postsOn(database)(async ({ place }) => {
      const plain = await Office.open(place);
      const inboxed = await Office.open(place, { inbox: new Inbox(plain.box.store) });
      try {
        expect((await look(plain)).caught).toBeNull();
        expect((await look(inboxed)).caught).toBe(0);
        const { store } = plain.box;
        const mail = { receivedAt: 1, sender: 'a@example.org', recipients: [], subject: 'x', size: 1 };
        await store.transaction(keepCaught(store, { ...mail, raw: Buffer.from('x') }));
        expect((await look(inboxed)).caught).toBe(1);
        const elsewhere = await inboxed.key(['read'], await inboxed.workspace('elsewhere'));
        expect((await look(inboxed, elsewhere)).caught).toBeNull();
      } finally {
        await inboxed.close();
        await plain.close();
      }
    }),
  );
});
