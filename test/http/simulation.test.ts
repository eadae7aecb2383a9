import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import {
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  MONDAY,
  settle,
  step,
} from '../campaigns/world.js';
import { databases } from '../databases.js';
import type { Office, Reply } from './office.js';
import { officesOn } from './offices.js';

/** Three people: a mail, an invitation, a message to who has accepted it, and a second mail. */
const STEPS = [
  step(1),
  step(2, { action: 'connection_request', delayDays: 1, subject: null }),
  step(3, { action: 'message', delayDays: 1, subject: null }),
  step(4, { delayDays: 1 }),
];

async function campaignIn({ box }: Office): Promise<string> {
  const place = { store: box.store, workspaceId: box.home.id };
  await place.store.setClock(MONDAY);
  await settle(place);
  const accountIds = [await makeAccount(place, 'ann'), await makeAccount(place, 'lin', {}, 'linkedin')];
  const contactIds = await makeContacts(place, 3, (n) => ({ linkedin_id: `person-${String(n)}` }));
  const sequenceId = await makeSequence(place, STEPS);
  return formatId('campaign', await makeCampaign(place, { sequenceId, accountIds, contactIds }));
}

describe.concurrent.each(databases)('a simulation over HTTP, on $name', (database) => {
  const inOffice = officesOn(database);
  const simulate = (office: Office, id: string, body?: object): Promise<Reply> =>
    office.call(office.admin, 'POST', `/api/campaigns/${id}/simulate`, body);

  test(
    'answers what the command line prints, while the service goes on',
    inOffice(async (office) => {
      const id = await campaignIn(office);
      const coming = simulate(office, id, { days: 60 });
      expect((await office.call(office.admin, 'GET', '/healthz')).status).toBe(200);
      const { status, data } = await coming;
      expect(status).toBe(200);
      // Nobody accepts an invitation here: three messages wait for 15 days in vain, and the mails behind them with them.
      expect(data).toMatchObject({ violations: [], sent: 9, waiting: 0, ended: 3 });
      const days = data['days'] as readonly { date: string; sent: number }[];
      expect(days.map(({ date, sent }) => [date, sent])).toEqual([
        ['2026-11-16', 3],
        ['2026-11-17', 3],
        ['2026-12-03', 3],
      ]);
      expect(data['endsAt']).toMatch(/^2026-12-03T09:/);
      expect((await office.call(office.admin, 'GET', `/api/campaigns/${id}`)).data).toMatchObject({
        ...{ state: 'running', progress: { total: 0 } },
      });
    }),
  );

  test(
    'refuses what it cannot do, by its field',
    inOffice(async (office) => {
      const id = await campaignIn(office);
      expect((await simulate(office, id, { days: 0 })).status).toBe(400);
      expect((await simulate(office, id, { weeks: 2 })).status).toBe(400);
      expect((await simulate(office, 'cmp_zzz')).status).toBe(404);
    }),
  );
});
