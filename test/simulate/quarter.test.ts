import { expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { run } from '#pillarbox/simulate/run';
import { openScratch } from '#pillarbox/store/open';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { makeAccount, makeCampaign, makeContacts, makeSequence, settle, step } from '../campaigns/world.js';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

test('a quarter in which clocks change twice, with windows in those very nights, breaks no limit', async () => {
  const from = Date.parse('2026-10-01T00:00:00Z');
  const store = await openScratch(from, silent);
  const workspaceId = await store.transaction(() => ensureWorkspace(store, 'default', from));
  const place = { store, workspaceId };
  await settle(place, {
    timezone: 'Europe/Berlin',
    dailyQuota: 11,
    spacing: { minSeconds: 300, maxSeconds: 900 },
  });
  const night = { sendingDays: EVERY_DAY, startHour: 0, endHour: 4 };
  const accountIds = [
    await makeAccount(place, 'berlin', {
      dailyLimitEmails: 5,
      window: { ...night, timezone: 'Europe/Berlin' },
    }),
    await makeAccount(place, 'york', {
      ...{ dailyLimitEmails: 6, window: { ...night, timezone: 'America/New_York' } },
      limits: [{ action: 'email', period: 'hour', max: 2 }],
    }),
    await makeAccount(place, 'day', { dailyLimitEmails: 4, rampUp: { enabled: true, start: 1, step: 1 } }),
  ];
  const sequenceId = await makeSequence(place, [
    step(1),
    step(2, { delayDays: 4 }),
    step(3, { delayDays: 9 }),
  ]);
  const contactIds = await makeContacts(place, 200);
  const campaignId = await makeCampaign(place, { sequenceId, accountIds, contactIds });
  const simulation = await run(store, { workspaceId, campaignId, startedAt: from, days: 92 });
  expect(simulation.violations).toEqual([]);
  expect({ waiting: simulation.waiting, ended: simulation.ended }).toEqual({ waiting: 0, ended: 0 });
  expect(simulation.sent).toBe(600);
  // The nights themselves are used.
  const dates = simulation.days.filter(({ sent }) => sent > 0).map(({ date }) => date);
  expect(dates).toContain('2026-10-25');
  expect(dates).toContain('2026-11-01');
  expect(simulation.endsAt).toBeGreaterThan(Date.parse('2026-11-10T00:00:00Z'));
  await store.close();
});
