import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { LINES } from '#pillarbox/core/lines';
import { ask } from '#pillarbox/store/script';
import {
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
import type { Office } from './office.js';
import { officesOn } from './offices.js';

/** Three people in a campaign of two mails, all of them from one account, and another account beside it. */
async function campaignIn({ box }: Office) {
  const place = { store: box.store, workspaceId: box.home.id };
  await place.store.setClock(MONDAY);
  await settle(place);
  const ann = await makeAccount(place, 'ann');
  const bob = await makeAccount(place, 'bob');
  const lin = await makeAccount(place, 'lin', {}, 'linkedin');
  const contactIds = await makeContacts(place, 3);
  const sequenceId = await makeSequence(place, [step(1), step(2)]);
  const campaign = await makeCampaign(place, { sequenceId, accountIds: [ann], contactIds });
  await plannerOf(place.store).plan(place.workspaceId, campaign);
  const idOf = (account: number) => formatId('account', account);
  return { place, campaign, ann, ids: { ann: idOf(ann), bob: idOf(bob), lin: idOf(lin) }, bob };
}

const remove = (office: Office, id: string, rest = '') =>
  office.call(office.admin, 'DELETE', `/api/accounts/${id}${rest === '' ? '' : `?rest=${rest}`}`);

describe.each(databases)('an account that is removed while mail waits for it, on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'is not, unless somebody says what becomes of the mail',
    onOffice(async (office) => {
      const { ids, place } = await campaignIn(office);
      const refused = await remove(office, ids.ann);
      expect(refused).toMatchObject({
        status: 409,
        error: {
          message: expect.stringContaining('6 messages wait for ann'),
          details: { field: 'rest', waiting: 6 },
        },
      });
      for (const rest of [
        'later',
        'reassign:',
        'reassign:acc_zzzz',
        `reassign:${ids.ann}`,
        `reassign:${ids.lin}`,
      ])
        expect([rest, (await remove(office, ids.ann, rest)).status]).toEqual([rest, 400]);
      expect(await planOf(place)).toHaveLength(6);
      const account = await office.call(office.admin, 'GET', `/api/accounts/${ids.ann}`);
      expect(account.data['status']).toBe('active');
    }),
  );

  test(
    'gives it to another one, which plans it anew',
    onOffice(async (office) => {
      const { ids, place, campaign, bob } = await campaignIn(office);
      expect(await remove(office, ids.ann, `reassign:${ids.bob}`)).toMatchObject({ status: 200 });
      expect((await office.call(office.admin, 'GET', `/api/accounts/${ids.ann}`)).status).toBe(404);
      const moved = await planOf(place);
      expect(new Set(moved.map(({ account, line }) => `${account} ${line}`))).toEqual(
        new Set([`${bob} ${LINES.halted}`]),
      );
      await plannerOf(place.store).plan(place.workspaceId, campaign);
      const planned = await planOf(place);
      expect(planned).toHaveLength(6);
      expect(planned.every(({ account, line }) => account === bob && line !== LINES.halted)).toBe(true);
      const { store } = place;
      const [row] = await store.read(ask(store.db.selectFrom('campaigns').select('account_ids')));
      expect(row).toEqual({ account_ids: JSON.stringify([bob]) });
      const senders = await store.read(ask(store.db.selectFrom('messages').select('sender').distinct()));
      expect(senders).toEqual([{ sender: 'bob@example.com' }]);
    }),
  );

  test(
    'ends the sequences that waited for it',
    onOffice(async (office) => {
      const { ids, place } = await campaignIn(office);
      expect(await remove(office, ids.ann, 'end')).toMatchObject({ status: 200 });
      expect(await planOf(place)).toEqual([]);
      const { store } = place;
      const enrolments = await store.read(ask(store.db.selectFrom('enrolments').select('state').distinct()));
      expect(enrolments).toEqual([{ state: 'stopped' }]);
      const { data } = await office.call(office.admin, 'GET', '/api/messages?state=cancelled');
      expect(data['items']).toHaveLength(6);
    }),
  );
});
