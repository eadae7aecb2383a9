import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aDraft, aSender, aSequence, somePeople } from './campaigns.js';
import { place, toast } from './seen.js';
import { useStage } from './stage.js';

/** Ten hours pass in a second. */
const stage = useStage(() => ({ PILLARBOX_CLOCK: '2031-03-03T06:00:00Z*36000' }));
let sender = '';
beforeAll(async () => {
  await stage().call('PUT', '/api/settings/sending', {
    ...(await stage().call('GET', '/api/settings/sending')),
    dailyQuota: 10_000,
  });
  sender = await aSender(stage(), 'harbour@', { status: 'paused', pauseReason: 'It rests.' });
});

const plate = (page: Page, words: RegExp | string) => page.getByRole('heading', { level: 2, name: words });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Longer than most: it is the whole way, from a file to the last mail. */
test('from a file and a sequence to a campaign that is done, with two who decide at once', async () => {
  const { page } = await stage().visit('/contacts/import');
  const lines = Array.from({ length: 6 }, (_, n) => `person${n}@guests.example,Person ${n}`);
  await page.getByLabel('CSV file').setInputFiles({
    ...{ name: 'guests.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(['email,name', ...lines, 'nobody,Nobody', ''].join('\n')),
  });
  await button(page, 'Import 7 lines').click();
  await plate(page, 'Imported 6, updated 0, left out 1.').waitFor();
  await place(page, 'Sequences').click();
  await page.getByRole('main').getByRole('button', { name: 'New sequence' }).last().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Opening');
  await button(page, 'Make it').click();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Your calendar');
  await page.getByRole('textbox', { name: 'Text or HTML' }).fill('Dear {{ contact.name }}');
  await button(page, 'Add a step').click();
  await plate(page, /^Two steps\b.*: 2 mails\.$/).waitFor();
  await page.keyboard.press('Control+s');
  await toast(page, /Saved as version 2/).waitFor();
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
  await question.getByText(/^12 mails to 6 people are planned now\./).waitFor();
  await question.getByText('The sequence is pinned at version 2, for these people.').waitFor();
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
  await plate(
    other,
    /^Paused by admin@localhost since .*: “until the venue is fixed”\. 12 mails wait\.$/,
  ).waitFor();
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
  // The sequence says of each step what came of it.
  const { items: written } = await stage().call('GET', '/api/sequences?q=Opening');
  const [sequence] = written as { id: string }[];
  const { page: editor } = await stage().visit(`/sequences/${sequence!.id}`);
  const rail = editor.getByRole('region', { name: 'Steps' }).getByRole('listitem');
  await rail.first().getByText('5 sent, 0 replied').waitFor();
  await rail.last().getByText('5 sent, 0 replied').waitFor();
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

  // Numbers are doors: to the mails of a step, and of a day of an account.
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.getByRole('region', { name: 'Steps' }).getByRole('link', { name: '5 sent' }).last().click();
  await page.waitForURL(`**/queue?campaignId=${id}&step=2&state=sent`);
  await expect.poll(() => mailsIn(page)).toBe(5);
  await page.goBack();
  const cell = page.getByRole('gridcell', { name: /^harbour@, .*, [1-9]\d* sent/ }).first();
  const sent = Number(/(\d+) sent/.exec((await cell.getAttribute('aria-label')) ?? '')?.[1]);
  await cell.focus();
  await page.keyboard.press('Enter');
  // Whatever day it is by then: a month passes in little more than a minute.
  await page.waitForURL(/\/queue\?campaignId=.*&day=\d{4}-\d\d-\d\d/);
  await expect.poll(() => mailsIn(page)).toBe(sent);
  await page.goto(`/campaigns/${id}/mails`);
  await page.waitForURL(`**/queue?campaignId=${id}`);

  // More people: they are added on its page, and it runs again.
  await somePeople(stage(), 7);
  await page.goto(`/campaigns/${id}/add?q=person6`);
  await page.getByRole('checkbox', { name: 'Select Person 6' }).check();
  await button(page, 'Add 1 person').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Launch it again' }).click();
  await plate(page, /^Completed on .*\. 12 sent, 0 replied\.$/).waitFor();
}, 240_000);

const mailsIn = (page: Page) => page.locator('a[href^="/queue/msg_"]').count();

test('what has not left is cancelled by a stop, which says how much; who only looks decides nothing', async () => {
  const resting = await aSender(stage(), 'quay@', { status: 'paused', pauseReason: 'It rests, too.' });
  const sequenceId = await aSequence(stage(), 'Stopped', 1);
  const id = await aDraft(stage(), 'Harbour festival', {
    sequenceId,
    accountIds: [resting],
    contactIds: await somePeople(stage(), 6),
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

  // Whom each filter leaves; they stand in the address, and go with what they are dropped by.
  await page.goto(`/campaigns/${id}/people`);
  const people = page.getByRole('region', { name: 'People' }).locator('[data-choice]');
  const choose = async (filter: string, item: string) => {
    await button(page, new RegExp(`^${filter} `)).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Next step', '1, Your calendar');
  await choose('Account', 'quay@');
  await page.waitForURL(/\?(?=.*step=1)(?=.*accountId=acc_)/);
  await expect.poll(() => people.count()).toBe(6);
  await choose('Status', 'paused');
  await page.getByText('Nobody matches. Drop a filter to see more.').waitFor();
  await button(page, 'Drop the filter Status').click();
  await expect.poll(() => people.count()).toBe(6);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await button(page, 'Stop and cancel 6…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop it and cancel 6' }).click();
  await plate(page, /^Stopped by admin@localhost on .*\. 0 of 6 sent; the rest never leaves\.$/).waitFor();
  await plate(own, /^Stopped by admin@localhost on/).waitFor();
});

test('a dry run says what to do about its warnings, and a change is tried before it is saved', async () => {
  const sequenceId = await aSequence(stage(), 'Warned', 1);
  const open = await aSender(stage(), 'pier@');
  const resting = await aSender(stage(), 'mole@', { status: 'paused', pauseReason: 'It rests.' });
  const people = await somePeople(stage(), 6);
  const contactIds = people.slice(0, 3);
  const running = await aDraft(stage(), 'Running beside', { sequenceId, accountIds: [resting], contactIds });
  await stage().call('POST', `/api/campaigns/${running}/launch`);
  const id = await aDraft(stage(), 'Christmas', {
    sequenceId: await aSequence(stage(), 'Warned, too', 1),
    ...{ accountIds: [open], contactIds: people },
  });
  const { page } = await stage().visit(`/campaigns/${id}/launch/accounts`);
  await page.getByLabel('Not before').fill('2035-12-25T06:00');
  await page.getByLabel('Nothing leaves after').fill('2035-12-24T06:00');
  await button(page, 'Next: dry run').click();
  await page.getByText('is not after startAt; nothing could leave').waitFor();
  await page.getByLabel('Nothing leaves after').fill('2036-12-24T06:00');
  await button(page, 'Next: dry run').click();
  const warnings = page.getByRole('region', { name: 'Before you launch' });
  const ask = page.getByRole('dialog');

  await warnings.getByText(/^6 mails would leave on Tue 25 Dec/).waitFor();
  await warnings.getByRole('button', { name: 'Make it a holiday…' }).click();
  await ask.getByText(/^Nothing of any campaign of this workspace leaves on it\./).waitFor();
  await ask.getByRole('button', { name: 'Make it a holiday' }).click();
  await toast(page, 'Tue 25 Dec is a holiday.').waitFor();
  await warnings.getByText(/25 Dec/).waitFor({ state: 'detached' });

  await warnings.getByText(/^3 people are in another campaign as well/).waitFor();
  await warnings.getByRole('link', { name: 'Show them' }).click();
  await page.getByText('who are in another campaign as well').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(4);
  await page.goBack();
  await warnings.getByRole('button', { name: 'Leave 3 out…' }).click();
  await ask.getByRole('button', { name: 'Leave 3 out' }).click();
  await toast(page, 'Left 3 people out.').waitFor();
  await plate(page, /^3 mails would leave from/).waitFor();
  await warnings.getByText(/in another campaign/).waitFor({ state: 'detached' });

  // One mail a day, as it would be: nothing of it is kept.
  await page.goto(`/campaigns/${id}/set-up`);
  expect(await page.getByLabel('Not before').inputValue()).toBe('2035-12-25T06:00');
  await page.getByLabel('Not before').fill('');
  await page.getByLabel('Nothing leaves after').fill('');
  await button(page, 'Save').click();
  await toast(page, 'Saved.').waitFor();
  await page.reload();
  expect(await page.getByLabel('Not before').inputValue()).toBe('');
  await page.getByLabel('Mails a day, at most').fill('1');
  await button(page, 'Simulate with these').click();
  await page.getByText(/^3 mails would leave/).waitFor();
  await page.getByRole('button', { name: 'Table' }).click();
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(4);
  expect(await stage().call('GET', `/api/campaigns/${id}`)).toMatchObject({
    dailyLimit: null,
    state: 'draft',
  });
}, 120_000);

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
