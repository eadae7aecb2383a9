import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { suppressed } from './notices.js';
import { rowOf, toast } from './seen.js';
import { useStage } from './stage.js';
import { phone } from './widths.js';

const stage = useStage();

test('an address is suppressed, asked about and let off; a complaint only by typing it', async () => {
  const { page } = await stage().visit('/settings/suppressions');
  await page.getByRole('heading', { level: 2, name: 'Nobody is suppressed.' }).first().waitFor();
  await stage().call('POST', '/api/outbox', {
    ...{ to: 'bob@example.org', subject: 'Later', text: 'x', mode: 'queue' },
    sendAt: '2031-01-01T09:00:00Z',
  });
  await suppressed(stage());

  const add = page.getByRole('form', { name: 'Add' });
  await add.getByLabel('Addresses, one per line').fill('bob@example.org\nnobody\n');
  await add.getByLabel('Why, for the record').fill('asked by phone');
  await add.getByRole('button', { name: 'Suppress 2' }).click();
  await add.getByText('1 address is not written to any more. 1 waiting mail was cancelled.').waitFor();
  await add.getByText(/^Line 2: nobody/).waitFor();
  // What could not be taken stays to be mended.
  expect(await add.getByLabel('Addresses, one per line').inputValue()).toBe('nobody');
  await page
    .getByRole('heading', { level: 2, name: '6 addresses are not written to. 6 came since yesterday.' })
    .waitFor();
  await rowOf(page, 'bob@example.org').getByText('“asked by phone”', { exact: true }).waitFor();

  const ask = page.getByRole('form', { name: 'Would we write to…' });
  await ask.getByLabel('Address').fill('unsubscribed@people.example');
  await ask.getByRole('button', { name: 'Ask' }).click();
  await ask.getByText(/Campaigns: no, unsubscribed; what is marked transactional still leaves/).waitFor();
  await ask.getByLabel('Address').fill('anybody@else.example');
  await ask.getByLabel('Address').press('Enter');
  await ask.getByText('Outbox: yes, nothing is in the way').waitFor();
  await ask.getByLabel('Address').fill('nobody');
  await ask.getByLabel('Address').press('Enter');
  await ask
    .getByText(/address/i)
    .last()
    .waitFor();

  await page.getByRole('navigation', { name: 'Reasons' }).getByRole('link', { name: '1 complained' }).click();
  await page.waitForURL('**?reason=complaint');
  await rowOf(page, 'bob@example.org').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove complaint@people.example…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Complained: reported as spam\./).waitFor();
  const yes = dialog.getByRole('button', { name: /^Take complaint@people\.example off the list/ });
  expect(await yes.isDisabled()).toBe(true);
  await dialog.getByLabel('Type complaint@people.example to go on').fill('complaint@people.example');
  await yes.click();
  await toast(page, 'complaint@people.example may be written to again.').waitFor();
  await page.getByText('No address is suppressed here, complained.').waitFor();

  await page.getByRole('navigation', { name: 'Reasons' }).getByRole('link', { name: '0 complained' }).click();
  await page.getByRole('searchbox', { name: 'Beginning of an address' }).fill('bo');
  await page.waitForURL('**?q=bo');
  await rowOf(page, 'hard-bounce@people.example').waitFor({ state: 'detached' });
  // With keys alone.
  await page.getByRole('searchbox', { name: 'Beginning of an address' }).press('Escape');
  // A key that leaves the field leaves what is written in it, or the list would be another a moment later.
  expect(await page.getByRole('searchbox', { name: 'Beginning of an address' }).inputValue()).toBe('bo');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await dialog.getByText(/Somebody decided this for a reason/).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await toast(page, 'bob@example.org may be written to again.').waitFor();
  await page.getByText('No suppressed address begins with “bo”.').waitFor();
  const { lanes } = await stage().call('GET', '/api/suppressions/ask?email=bob%40example.org');
  expect(lanes).toMatchObject([{ writes: true }, { writes: true }, { writes: true }]);
});

test('an answer that was on its way while something changed is not the last word', async () => {
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('heading', { level: 1 }).waitFor();
  let isAsked = false;
  let letIn = (): void => undefined;
  const isDone = new Promise<void>((resolve) => (letIn = resolve));
  // The first list was read before the change, and arrives behind it.
  await page.route('**/api/suppressions?*q=late*', async (route) => {
    if (isAsked) return route.fallback();
    isAsked = true;
    const response = await route.fetch();
    await isDone;
    await route.fulfill({ response });
  });
  await page.goto('/settings/suppressions?q=late');
  const add = page.getByRole('form', { name: 'Add' });
  await vi.waitFor(() => expect(isAsked).toBe(true), PATIENCE_MS);
  await add.getByLabel('Addresses, one per line').fill('late@example.org');
  await add.getByRole('button', { name: 'Suppress' }).click();
  await add.getByText('1 address is not written to any more.').waitFor();
  letIn();
  await rowOf(page, 'late@example.org').waitFor();
});

test('a file of addresses is taken, and all of them are had as one', async () => {
  const { page } = await stage().visit('/settings/suppressions');
  const add = page.getByRole('form', { name: 'Add' });
  const lines = Array.from({ length: 1_200 }, (_, n) => `file${n}@bulk.example;x`);
  await page.getByLabel('CSV file of addresses').setInputFiles({
    ...{ name: 'gone.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(['E-Mail;Name', ...lines, ''].join('\n')),
  });
  await add.getByRole('button', { name: 'Suppress 1,200' }).click();
  await add.getByText(/^1,200 are not written to any more/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  const csv = (await (await download.createReadStream()).toArray()).join('');
  expect(csv).toContain('file1199@bulk.example,manual,everything,');
});

test('an operator leaves complaints alone, a viewer everything; on a phone it is all there', async () => {
  await suppressed(stage());
  const path = '/settings/suppressions?q=';
  const operator = await stage().visit(`${path}complaint`, { as: await stage().person('operator') });
  await rowOf(operator.page, 'complaint@people.example').getByText('only an admin').waitFor();
  const { page } = await stage().visit(`${path}manual`, {
    ...phone(390, 844),
    as: await stage().person('viewer'),
  });
  await page.getByText('manual@people.example').waitFor();
  await page.getByText('“asked by letter” · everything').waitFor();
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  expect(await page.getByRole('form', { name: 'Add' }).count()).toBe(0);
});
