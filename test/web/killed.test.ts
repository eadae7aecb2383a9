import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aDraft, aSender, aSequence } from './campaigns.js';
import { useStage } from './stage.js';
import { SERVER_AWAY } from './watch.js';

/** The lease of who planned and died ends soon. */
const stage = useStage(() => ({ PILLARBOX_LEASE_SECONDS: '5' }));

const PEOPLE = 12_000;

const plate = (page: Page, words: string | RegExp) => page.getByRole('heading', { level: 2, name: words });
const offline = (page: Page) => page.getByText(/^Offline since \d\d:\d\d:\d\d$/).waitFor();

async function until(path: string, is: (answer: Readonly<Record<string, unknown>>) => boolean) {
  for (;;) {
    const answer = await stage().call('GET', path);
    if (is(answer)) return answer;
    // Whoever is asked has work to do.
    await sleep(20);
  }
}

/** Longer than most: people by the thousand, so that it is in the middle of its work when it is killed. */
test('a server that is killed in the middle of an import, and of a launch, loses and doubles nobody', async () => {
  // Nothing leaves of it: everything that was planned can be counted.
  const resting = await aSender(stage(), 'slow@', { status: 'paused', pauseReason: 'Slow.' });
  const sequenceId = await aSequence(stage(), 'Many', 2);
  const id = await aDraft(stage(), 'Many hosts', { sequenceId, accountIds: [resting], contactIds: [] });
  const lines = Array.from({ length: PEOPLE }, (_, n) => `guest${n}@killed.example,Guest ${n}`).join('\n');
  const imported = await stage().upload('many.csv', `email,name\n${lines}\nbroken,Broken\n`);
  await stage().stop();

  const importing = await stage().startApart();
  const { page, watch } = await stage().visit(`/contacts/import/${imported}`);
  watch.allow(SERVER_AWAY);
  await page.getByLabel('Then enrol in').selectOption({ label: 'Many hosts' });
  await page.getByText('It is a draft: nothing leaves before it is launched.').first().waitFor();
  await page.getByRole('button', { name: 'Import 12,001 lines and enrol them' }).click();
  const killed = await until(`/api/contacts/imports/${imported}`, ({ done }) => Number(done) > 0);
  await importing.kill();
  expect(killed).toMatchObject({ state: 'running' });
  // What it shows is what was, and it says so; nothing can be decided by it.
  await offline(page);
  await plate(page, /^(?:0|[\d,]+) of 12,001 lines are in/).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Stop here/ }).count()).toBe(0);

  const launching = await stage().startApart();
  await plate(
    page,
    'Imported 12,000, updated 0, left out 1. 12,000 people were put into Many hosts.',
  ).waitFor();
  await page.getByRole('link', { name: '12,000', exact: true }).last().click();
  await page.waitForURL(`**/campaigns/${id}/people`);
  await plate(page, /^A draft\. 12,000 people are in it/).waitFor();

  await page.goto(`/campaigns/${id}/launch/confirm`);
  const question = page.getByRole('dialog', { name: 'Launch Many hosts?' });
  await question.getByRole('button', { name: 'Launch 24,000 mails' }).click();
  const schedule = `/api/campaigns/${id}/schedule`;
  const planned = ({ scheduled }: Readonly<Record<string, unknown>>) => Number(scheduled);
  const before = await until(schedule, (answer) => planned(answer) > 0);
  await launching.kill();
  expect(planned(before)).toBeLessThan(24_000);
  await offline(page);
  await stage().start();
  // Whoever had asked is led to it, without pressing anything again.
  await page.waitForURL(`**/campaigns/${id}`);
  await expect.poll(async () => planned(await stage().call('GET', schedule))).toBe(24_000);
  await plate(page, /^slow@ is paused \(Slow\.\); nothing leaves\.$/).waitFor();
  await page.getByRole('link', { name: 'Mails 24,000' }).waitFor();
  expect(await stage().call('GET', `/api/campaigns/${id}`)).toMatchObject({
    people: PEOPLE,
    waiting: 24_000,
  });
});
