import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BrokenAccount, untilIs } from './mails.js';
import { ADMIN, NOBODY, PASSWORD, useStage } from './stage.js';

const stage = useStage();

const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`);

/** As far as anybody would go for a button. */
const STEPS_AT_MOST = 40;

async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let n = 0; n < STEPS_AT_MOST; n += 1) {
    await page.keyboard.press('Tab');
    const words = await focused(page);
    if (typeof name === 'string' ? words === name : name.test(words)) return;
  }
  throw new Error(`${STEPS_AT_MOST} presses of Tab did not lead to ${String(name)}`);
}

test('somebody logs in, filters, opens, walks on, retries, selects and decides for many, with keys alone', async () => {
  const account = await BrokenAccount.open(stage());
  const ids: string[] = [];
  for (const n of [1, 2, 3])
    ids.push(await account.deadMail({ to: `walk${n}@example.org`, subject: `Walk ${n}` }));
  await account.deadMail({ to: 'other@example.org', subject: 'Something else' });
  const { page } = await stage().visit('/queue', { as: NOBODY });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const { keyboard } = page;

  await expect.poll(() => page.evaluate(`document.activeElement.type`)).toBe('email');
  await keyboard.type(ADMIN);
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('link', { name: 'other@example.org' }).waitFor();

  await keyboard.press('f');
  await keyboard.type('Walk');
  await keyboard.press('Enter');
  await page.waitForURL('**/queue?q=Walk');
  await page.getByRole('link', { name: 'other@example.org' }).waitFor({ state: 'detached' });
  await keyboard.press('Escape');

  await keyboard.press('j');
  expect(await focused(page)).toBe('walk3@example.org');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Walk 3');
  await keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('Walk 2');
  await keyboard.press('k');
  await expect.poll(() => focused(page)).toBe('Walk 3');
  await keyboard.press('2');
  await page.getByRole('tab', { name: 'Headers', selected: true }).waitFor();

  account.repair();
  await keyboard.press('r');
  await untilIs('sent', ids[2]!, stage());
  await page.getByRole('region', { name: 'Walk 3' }).getByText('Sent', { exact: true }).first().waitFor();
  await keyboard.press('Escape');
  await page.getByRole('region', { name: 'Walk 3' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('walk3@example.org');

  await keyboard.press('j');
  await keyboard.press('x');
  await keyboard.press('j');
  await keyboard.press('Shift+X');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  await tabTo(page, 'Retry 2 dead');
  await keyboard.press('Enter');
  await Promise.all([ids[0]!, ids[1]!].map((id) => untilIs('sent', id, stage())));
  await bar.waitFor({ state: 'detached' });
  await account.close();
});

test('Escape lets the selection go, and closes what is on top only', async () => {
  const { page } = await stage().visit('/queue');
  await page.getByRole('table').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.waitFor();
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Close' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
  expect(await bar.count()).toBe(1);
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
});

test('the list of keys says what works here, and gives the focus back', async () => {
  const { page } = await stage().visit('/queue');
  await page.getByRole('table').waitFor();
  await page.keyboard.press('j');
  const before = await focused(page);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  for (const words of ['next message', 'retry (dead)', 'go to Dead letters', 'list of commands'])
    await help.getByText(words, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe(before);
});

test('the list of commands goes wherever a key goes, by its words', async () => {
  const { page } = await stage().visit('/queue');
  await page.getByRole('table').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
  await page.keyboard.type('dead letters');
  await page.getByRole('option', { name: /dead letters/i, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dead');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.waitForURL('**/accounts');
});

test('who has switched the keys off types in peace, and still has the list of commands', async () => {
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('checkbox', { name: /Keys/ }).uncheck();
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe('/settings/you');
  await page.keyboard.press('Escape');
  await page.reload();
  expect(await page.getByRole('checkbox', { name: /Keys/ }).isChecked()).toBe(false);
});

test('the first thing that Tab finds is the way past the rail', async () => {
  const { page } = await stage().visit('/queue');
  await page.getByRole('table').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
});

test('a press of a slash searches from anywhere, and Escape leads back', async () => {
  const { page } = await stage().visit('/accounts');
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  await page.keyboard.press('/');
  expect(await focused(page)).toBe('Search mail by address, subject or id, and all else by its name');
  await page.keyboard.type('Walk 2');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/queue?q=Walk+2');
  await page.getByRole('link', { name: 'walk2@example.org' }).waitFor();

  // Whatever has a name is found by it, and gone to without a mouse; from a page that has taken its focus.
  const search = async (words: string) => {
    await page.goto('/accounts');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(words);
  };
  const [account] = (await stage().call('GET', '/api/accounts'))['items'] as { id: string }[];
  const contact = await stage().call('POST', '/api/contacts', {
    ...{ name: 'Sought Person', email: 'sought@example.org' },
  });
  const campaign = await stage().call('POST', '/api/campaigns', {
    ...{ name: 'Sought hosts', accountIds: [account!.id] },
  });
  const sequence = await stage().call('POST', '/api/sequences', {
    ...{ name: 'Sought words', steps: [{ order: 1, delayDays: 0, subject: 'Hello', body: 'Hello' }] },
  });
  for (const [name, path] of [
    ['Sought Person', `/contacts/${String(contact['id'])}`],
    ['Sought hosts', `/campaigns/${String(campaign['id'])}`],
    ['Sought words', `/sequences/${String(sequence['id'])}`],
  ] as const) {
    await search('sought');
    await page.getByRole('option', { name }).waitFor();
    const chosen = page.getByRole('option', { name, selected: true });
    for (let n = 0; n < 6 && (await chosen.count()) === 0; n += 1) await page.keyboard.press('ArrowDown');
    await chosen.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}`);
  }
  await search('sought');
  await page.getByRole('option', { name: 'search mail for “sought”' }).click();
  await page.waitForURL('**/queue?q=sought');
});
