import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aDraft, aSender, aSequence, somePeople } from './campaigns.js';
import { place, toast } from './seen.js';
import { useStage } from './stage.js';

/** Ten hours pass in a second. */
const stage = useStage(() => ({ PILLARBOX_CLOCK: '2031-03-03T06:00:00Z*36000' }));
let people: string[] = [];
let sender = '';
beforeAll(async () => {
  await stage().call('PUT', '/api/settings/sending', {
    ...(await stage().call('GET', '/api/settings/sending')),
    dailyQuota: 10_000,
  });
  people = await somePeople(stage(), 6);
  sender = await aSender(stage(), 'harbour@', { status: 'paused', pauseReason: 'It rests.' });
});

const plate = (page: Page, words: RegExp) => page.getByRole('heading', { level: 2, name: words });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('from a sequence to a campaign that is done, with two who decide at once', async () => {
  await aSequence(stage(), 'Opening', 2, 'Your calendar');
  const { page } = await stage().visit('/queue');
  await place(page, 'Campaigns').click();

  // Nothing yet, and what is needed; the wizard asks for the rest.
  await page.getByRole('heading', { name: 'No campaign yet.' }).waitFor();
  await button(page, 'New campaign').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Autumn hosts');
  await button(page, 'Make a draft').click();
  await page.waitForURL('**/launch/people');
  await page.getByRole('checkbox', { name: 'Select Person 0' }).check();
  await button(page, 'Add 1 person').click();
  await toast(page, 'Added 1 person.').waitFor();
  await button(page, 'Add everybody').click();
  await toast(page, 'Added 5 people. 1 person was in it already.').waitFor();
  await button(page, 'Next: sequence').click();
  await page.getByRole('radio', { name: /^Opening/ }).check();
  await button(page, 'Next: accounts').click();
  await page.getByRole('checkbox', { name: /^default/ }).uncheck();
  await page.getByRole('checkbox', { name: /^harbour@/ }).check();
  await button(page, 'Next: dry run').click();

  // What would leave when; nothing is stored by looking.
  await plate(page, /^12 mails would leave from/).waitFor();
  await page.getByText('1 of its accounts is paused; its mail waits.').waitFor();
  await page.reload();
  // A copy runs ahead: from an account that rests nothing leaves.
  await button(page, 'Simulate').click();
  await page.getByText(/^0 mails would leave/).waitFor();
  await page.getByText(/12 would still wait/).waitFor();
  await button(page, 'Launch 12 mails…').click();
  const question = page.getByRole('dialog', { name: 'Launch Autumn hosts?' });
  await question.getByRole('button', { name: 'Back' }).click();
  await page.waitForURL('**/launch/dry-run');
  await button(page, 'Launch 12 mails…').click();
  await question.getByRole('button', { name: 'Launch 12 mails' }).click();
  await toast(page, 'Launched. 12 scheduled, 0 left out.').waitFor();

  // It runs, and says what holds it up.
  await plate(page, /^harbour@ is paused \(It rests\.\); nothing leaves\.$/).waitFor();
  const address = page.url();
  const id = address.slice(address.lastIndexOf('/') + 1);
  await page.getByRole('grid').waitFor();
  const { page: other } = await stage().visit(`/campaigns/${id}`, {
    as: await stage().person('operator', 'runa'),
  });
  await button(other, /^Pause…/).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('textbox', { name: 'Reason' }).fill('until the venue is fixed');
  await button(page, 'Pause it').click();
  // The other one sees it, without doing anything; and is the first to let it go on.
  await plate(other, /^Paused since .*: “until the venue is fixed”\. 12 mails wait\.$/).waitFor();
  await button(other, /^Resume…/).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await button(page, /^Pause…/).waitFor();

  // One person is taken out; the rest is watched until it has left.
  await page
    .getByRole('link', { name: /^People/ })
    .first()
    .click();
  await page.getByRole('checkbox', { name: 'Select Person 5' }).check();
  await button(page, 'Take 1 out…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take 1 out' }).click();
  await toast(page, 'Took 1 out.').waitFor();
  await page
    .getByRole('row', { name: /Person 5/ })
    .getByText(/^Taken out/)
    .waitFor();
  await page.getByRole('link', { name: 'Calendar' }).click();
  await stage().call('PATCH', `/api/accounts/${sender}`, { status: 'active' });
  await plate(page, /^Completed on .*\. 10 sent, 0 replied\.$/).waitFor();
  const feed = page.getByRole('region', { name: 'As it happens' });
  await feed
    .getByText(/^, step 2|step 2/)
    .first()
    .waitFor();
  await page
    .getByRole('link', { name: /^People/ })
    .first()
    .click();
  await page
    .getByRole('row', { name: /Person 0/ })
    .getByText(/^Done\. Step 2 left/)
    .waitFor();
  expect(await button(page, /^(?:Pause|Resume|Stop)/).count()).toBe(0);
});

test('what has not left is cancelled by a stop, which says how much; who only looks decides nothing', async () => {
  const resting = await aSender(stage(), 'quay@', { status: 'paused', pauseReason: 'It rests, too.' });
  const sequenceId = await aSequence(stage(), 'Stopped', 1);
  const id = await aDraft(stage(), 'Harbour festival', {
    sequenceId,
    accountIds: [resting],
    contactIds: people,
  });
  await stage().call('POST', `/api/campaigns/${id}/launch`);
  const { page: own } = await stage().visit(`/campaigns/${id}`, { as: await stage().person('viewer') });
  await own.getByRole('grid').waitFor();
  expect(await button(own, /^(?:Pause|Stop)/).count()).toBe(0);

  const { page } = await stage().visit('/campaigns?state=running');
  const row = page.getByRole('row', { name: /Harbour festival/ });
  await row.getByText('quay@ is paused (It rests, too.); nothing leaves.').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.waitForURL(`**/campaigns/${id}`);
  await button(page, 'Stop and cancel 6…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop it and cancel 6' }).click();
  await plate(page, /^Stopped on .*\. 0 of 6 sent; the rest never leaves\.$/).waitFor();
  await plate(own, /^Stopped on/).waitFor();
});

test('a server that stops in the middle of a launch goes on with it, and nobody is planned twice', async () => {
  const many = Array.from({ length: 1_500 }, (_, n) => `many${n}@guests.example`);
  for (let n = 0; n < many.length; n += 500)
    await stage().call('POST', '/api/contacts', {
      contacts: many.slice(n, n + 500).map((email) => ({ email })),
    });
  const contactIds: string[] = [];
  for (let cursor = ''; contactIds.length < many.length;) {
    const found = (await stage().call('GET', `/api/contacts?q=many&limit=200${cursor}`)) as {
      items: { id: string }[];
      nextCursor: string | null;
    };
    contactIds.push(...found.items.map((contact) => contact.id));
    cursor = `&cursor=${found.nextCursor ?? ''}`;
  }
  // Long after everything else: nothing leaves meanwhile.
  const accountIds = [await aSender(stage(), 'slow@', { status: 'paused', pauseReason: 'Slow.' })];
  const sequenceId = await aSequence(stage(), 'Many', 2);
  const id = await aDraft(stage(), 'Many hosts', { sequenceId, accountIds, contactIds });
  const { page, watch } = await stage().visit(`/campaigns/${id}/launch/confirm`);
  watch.allow(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|status of 50\d/);
  const launch = page.getByRole('dialog').getByRole('button', { name: 'Launch 3,000 mails' });
  await launch.click();
  await expect
    .poll(async () => (await stage().call('GET', `/api/campaigns/${id}/schedule`))['status'])
    .toBe('running');
  await stage().stop();
  await stage().start();
  // Whoever had asked is led to it, without pressing anything again.
  await page.waitForURL(`**/campaigns/${id}`);
  await plate(page, /^slow@ is paused \(Slow\.\); nothing leaves\.$/).waitFor();
  await expect
    .poll(async () => await stage().call('GET', `/api/campaigns/${id}/schedule`))
    .toMatchObject({ scheduled: 3_000, progress: { planned: 3_000, total: 3_000 } });
  await page.getByRole('link', { name: 'Mails 3,000' }).waitFor();
});
