import { expect, test } from 'vitest';
import { aMailThatIs, untilIs } from './mails.js';
import { opened, place, rowOf, toast } from './seen.js';
import { PASSWORD, useStage } from './stage.js';

const stage = useStage();

test('settings that are not saved are not lost by leaving, and are kept once they are saved', async () => {
  const { page, watch } = await stage().visit('/settings/workspace');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const outbox = page.getByRole('region', { name: 'Outbox' });
  await name.fill('Harbour Rooms');
  await outbox.getByLabel('If nobody knows whether it left').selectOption({ label: 'Hold it' });
  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText('Not saved: name, outbox').waitFor();

  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await place(page, 'Queue').click();
  await question.getByText('Not saved: name, outbox.').waitFor();
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/settings/workspace');
  expect(await name.inputValue()).toBe('Harbour Rooms');

  // The browser itself asks who closes the tab.
  watch.allow(/^dialog: /);
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  expect((await asked).type()).toBe('beforeunload');

  await bar.getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Saved. New mail obeys within seconds.').waitFor();
  await bar.waitFor({ state: 'detached' });
  await place(page, 'Queue').click();
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByText('Harbour Rooms').waitFor();
  expect(await stage().call('GET', '/api/settings/workspace')).toMatchObject({ name: 'Harbour Rooms' });
  expect(await stage().call('GET', '/api/settings/delivery')).toMatchObject({
    lanes: { outbox: { onDoubt: 'hold' } },
  });
});

test('who discards what he typed leaves with nothing changed', async () => {
  const { page } = await stage().visit('/settings/workspace');
  await page.getByRole('textbox', { name: 'Language' }).fill('fr-CA');
  await place(page, 'Queue').click();
  await page.getByRole('button', { name: 'Discard and leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  expect(await stage().call('GET', '/api/settings/workspace')).toMatchObject({ defaultLocale: 'en' });
});

test('a session that ends in the middle is begun again over the page, which goes on where it was', async () => {
  const id = await aMailThatIs('dead', stage(), { name: 'dora', subject: 'In the middle' });
  await aMailThatIs('dead', stage(), { name: 'else', subject: 'Something else' });
  const olga = await stage().person('operator', 'olga');
  const { page } = await stage().visit('/queue?state=dead&q=middle', { as: olga });
  await rowOf(page, 'In the middle').waitFor();
  await page.evaluate('window.neverReloaded = true');

  const other = await page.context().newPage();
  await other.goto('/settings/you');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/login');

  // The page may have heard of it already, and then the dialog lies over the row.
  await rowOf(page, 'In the middle').getByRole('link').dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'You were signed out' });
  await dialog.getByText('Sign in to go on where you were.').waitFor();
  expect(await dialog.getByLabel('Email').inputValue()).toBe(olga);
  await page.keyboard.type(PASSWORD);
  expect(await dialog.getByLabel('Password').inputValue()).toBe(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });

  const retry = opened(page, 'In the middle').getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  expect(page.url()).toBe(`${stage().url}/queue/${id}?state=dead&q=middle`);
  expect(await rowOf(page, 'Something else').count()).toBe(0);
  expect(await page.evaluate('window.neverReloaded')).toBe(true);
  // It hears what happens, and what was signed for the old session is signed for the new one.
  await aMailThatIs('dead', stage(), { name: 'nina', subject: 'New in the middle' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await opened(page, 'In the middle').getByRole('button', { name: 'Dismiss' }).click();
  await page.close();
  await untilIs('cancelled', id, stage());
});
