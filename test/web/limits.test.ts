import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { guardedAccount, noonIn, overItsLimit, planFor } from './guarded.js';
import { place, toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

const dayWords = (instant: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(instant)
    .replace(',', '');

/** The line of an account that is over a limit. */
const overOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Planned over a limit' }).getByRole('row').filter({ hasText: name });

test('where nothing is over, the page says so and what to do next', async () => {
  const { page } = await stage().visit('/accounts');
  await place(page, 'Limits').click();
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Nothing is over a limit, sent or planned.' }).waitFor();
  await main.getByRole('heading', { name: 'Nothing is planned over a limit.' }).waitFor();
  await main.getByRole('button', { name: 'Check again' }).click();
  await main.getByRole('link', { name: 'Change the limits of all accounts' }).click();
  await page.waitForURL('**/settings/**');
});

test('what is over a limit is seen with its cause and where it would go; one is moved, then the rest', async () => {
  await overItsLimit(stage(), 'first');
  const second = await guardedAccount(stage(), 'second', { dailyLimitEmails: 1 });
  await planFor(stage(), second, 3, { inDays: 5, name: 'second' });
  const { page } = await stage().visit('/limits');
  await page.getByRole('heading', { name: /^3 mails are planned against a limit/ }).waitFor();
  const row = overOf(page, 'first');
  await row.getByText('2 emails a day').waitFor();
  await row.getByText('3 of 2').waitFor();
  await row.getByText('More is planned for that day than the account may send.').waitFor();
  await row.getByText(`1 to ${dayWords(noonIn(4))}`).waitFor();
  await row.getByText(dayWords(noonIn(3)), { exact: true }).waitFor();

  const change = page.getByRole('region', { name: 'What the fix would do' });
  await change.getByRole('button', { name: 'Table' }).click();
  const cellsOf = (inDays: number) =>
    change
      .getByRole('row', { name: new RegExp(dayWords(noonIn(inDays))) })
      .getByRole('cell')
      .allInnerTexts();
  // As it is, with these moved, and what both accounts may send together.
  await expect.poll(() => cellsOf(5)).toEqual(['3', '1', '3']);
  expect(await cellsOf(3)).toEqual(['3', '2', '3']);

  const near = page.getByRole('region', { name: 'How near' });
  const ofSecond = near.getByRole('row', { name: /^second/ });
  expect(await ofSecond.getByRole('cell').allInnerTexts()).toEqual([
    ...['second', 'no limit', '0 / 1', 'no limit', 'no limit', 'no two yet'],
  ]);

  await page.getByRole('checkbox', { name: /^Move 2 mails of second, 1 email a day/ }).uncheck();
  await page.getByRole('button', { name: 'Move 1 mail' }).click();
  await toast(page, 'Moved 1 mail.').waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: /^2 mails are planned against a limit/ }).waitFor();

  // What was unticked stays so; with keys alone.
  const all = page.getByRole('checkbox', { name: 'Move all' });
  expect(await all.isChecked()).toBe(false);
  await all.focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Move 2 mails' }).focus();
  await page.keyboard.press('Enter');
  await toast(page, 'Moved 2 mails.').waitFor();
  await page.getByRole('heading', { name: 'Nothing is planned over a limit.' }).waitFor();
});

test('many are moved only after a question, and by nobody who only looks', async () => {
  const many = await guardedAccount(stage(), 'many', { dailyLimitEmails: 2 });
  await planFor(stage(), many, 28, { inDays: 9, name: 'many' });
  const viewer = await stage().person('viewer');
  const { page } = await stage().visit('/limits', { as: viewer });
  await overOf(page, 'many').getByText('28 of 2').waitFor();
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);

  const { page: own } = await stage().visit('/queue');
  await own.getByRole('table').waitFor();
  await own.keyboard.press('g');
  await own.keyboard.press('l');
  await own.getByRole('button', { name: 'Move 26 mails…' }).click();
  const question = own.getByRole('dialog', { name: 'Move 26 mails?' });
  await question.getByRole('button', { name: 'Back' }).click();
  expect(await overOf(own, 'many').count()).toBe(1);
  await own.getByRole('button', { name: 'Move 26 mails…' }).click();
  await question.getByRole('button', { name: 'Move 26 mails' }).click();
  await toast(own, 'Moved 26 mails.').waitFor();
  await own.getByRole('heading', { name: 'Nothing is planned over a limit.' }).waitFor();
});

test('the overview says of an account that is guarded what of its day is used', async () => {
  const third = await guardedAccount(stage(), 'third', { dailyLimitEmails: 7 });
  await planFor(stage(), third, 1);
  const { page } = await stage().visit('/');
  await page
    .getByRole('row', { name: /^third/ })
    .getByText('0 of 7')
    .waitFor();
});
