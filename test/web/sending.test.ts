import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { guardedAccount } from './guarded.js';
import { toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

const WORKING = {
  ...{ sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17, hours: null, timezone: 'UTC' },
  ...{ dailyQuota: 100, holidays: [], spacing: { minSeconds: 0, maxSeconds: 0 } },
};
const reset = () => stage().call('PUT', '/api/settings/sending', WORKING);
const stored = () => stage().call('GET', '/api/settings/sending');

const chips = (page: Page, day: string) => page.getByRole('textbox', { name: `${day}, hours` });
const hoursOf = async (page: Page, day: string) =>
  Promise.all((await chips(page, day).all()).map((chip) => chip.inputValue()));
const edge = (page: Page, day: string, which: 'begins' | 'ends') =>
  page.getByRole('slider', { name: new RegExp(`^${day},.*${which}$`) });
const save = (page: Page) => page.getByRole('button', { name: /^Save/ });

async function open(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 2, name: /may leave/ }).waitFor();
}

test('a week is changed with keys alone: edges, typed hours, one more, one less; what touches is one', async () => {
  await reset();
  const { page } = await stage().visit('/settings/sending');
  await open(page);
  await page.getByRole('heading', { name: 'Campaign mail may leave Mon to Fri 09:00–17:00 UTC.' }).waitFor();
  await edge(page, 'Mon', 'ends').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await hoursOf(page, 'Mon')).toEqual(['09:00–15:45']);
  await edge(page, 'Mon', 'begins').focus();
  await page.keyboard.press('ArrowRight');
  expect(await hoursOf(page, 'Mon')).toEqual(['09:15–15:45']);

  await chips(page, 'Mon').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('9-12:30');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add hours to Mon' }).press('Enter');
  expect(await hoursOf(page, 'Mon')).toEqual(['09:00–12:30', '13:30–15:30']);
  await chips(page, 'Tue').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('nonsense');
  await expect.poll(() => chips(page, 'Tue').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await hoursOf(page, 'Tue')).toEqual(['09:00–17:00']);

  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText('hours of 1 day').waitFor();
  await page.keyboard.press('Control+s');
  await toast(page, /^Saved/).waitFor();
  await bar.waitFor({ state: 'detached' });
  const day = [['09:00', '17:00']];
  expect((await stored())['hours']).toEqual({
    ...{ 2: day, 3: day, 4: day, 5: day },
    1: [
      ['09:00', '12:30'],
      ['13:30', '15:30'],
    ],
  });

  // Until they touch; then all days are alike again, and are kept as simply as before.
  const second = page.getByRole('slider', { name: 'Mon, 13:30–15:30, begins' });
  await second.focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Add hours to Tue' }).focus();
  await expect.poll(() => hoursOf(page, 'Mon')).toEqual(['09:00–15:30']);
  await chips(page, 'Mon').fill('9-17');
  await page.keyboard.press('Control+s');
  await expect.poll(stored).not.toHaveProperty('hours');
  expect(await stored()).toMatchObject({ sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17 });
});

test('an edge is dragged in steps of a quarter of an hour', async () => {
  await reset();
  const { page } = await stage().visit('/settings/sending');
  await open(page);
  const handle = edge(page, 'Wed', 'ends');
  const from = (await handle.boundingBox())!;
  const start = (await edge(page, 'Wed', 'begins').boundingBox())!;
  // Eight hours lie between the two.
  const hour = (from.x - start.x) / 8;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 - 1.3 * hour, from.y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => hoursOf(page, 'Wed')).toEqual(['09:00–15:45']);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => hoursOf(page, 'Wed')).toEqual(['09:00–17:00']);
});

test('what a change would move is counted before it is saved; a week without hours cannot be saved', async () => {
  await reset();
  const account = await guardedAccount(stage(), 'counted', { window: null, dailyLimitEmails: 500 });
  // All of them for a Monday far enough away that nothing of them leaves meanwhile.
  const monday = new Date(Date.now() + 14 * 86_400_000);
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7));
  monday.setUTCHours(12, 0, 0, 0);
  const mail = { to: 'ada@example.org', subject: 'Planned', text: 'x', accountId: account, guarded: true };
  await stage().call('POST', '/api/outbox/bulk', {
    messages: Array.from({ length: 7 }, () => ({ ...mail, sendAt: monday.toISOString() })),
  });
  const { page } = await stage().visit('/settings/sending');
  await open(page);
  await page.getByRole('checkbox', { name: 'Mon' }).uncheck();
  await page.getByRole('heading', { level: 2, name: 'Saving would move 7 mails.' }).waitFor();
  const effect = page.getByRole('region', { name: 'What it would move' });
  await effect.getByRole('button', { name: 'Table' }).click();
  const cells = effect.getByRole('row').last().getByRole('cell');
  await expect.poll(() => cells.allInnerTexts()).toEqual(['0', '7']);
  await page.getByRole('button', { name: /^Save and move 7/ }).waitFor();

  for (const day of ['Tue', 'Wed', 'Thu', 'Fri']) await page.getByRole('checkbox', { name: day }).uncheck();
  await page
    .getByRole('heading', { level: 2, name: 'No mail could ever leave: no day has hours.' })
    .waitFor();
  expect(await save(page).count()).toBe(0);
  await page.keyboard.press('Control+s');
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])
    await page.getByRole('checkbox', { name: day }).check();
  await page.getByRole('region', { name: 'Changes that are not saved' }).waitFor({ state: 'detached' });

  await page.getByRole('checkbox', { name: 'Mon' }).uncheck();
  await page.getByRole('button', { name: /^Save and move 7/ }).click();
  await toast(page, /^Saved/).waitFor();
  expect(await stored()).toMatchObject({ sendingDays: [2, 3, 4, 5] });
});

test('holidays: by arrows in a month, by a country, and given back', async () => {
  await reset();
  const { page } = await stage().visit('/settings/sending', { fresh: true });
  await open(page);
  const loaded = (): Promise<boolean> =>
    page.evaluate(
      `performance.getEntriesByType('resource').some(({ name }) => name.includes('country-choice'))`,
    );
  expect(await loaded()).toBe(false);

  const panel = page.getByRole('region', { name: 'Holidays' });
  await panel.getByRole('button', { name: 'The month after' }).click();
  const first = panel.getByRole('button', { name: /^\w+,? 1 / });
  await first.focus();
  await page.keyboard.press('ArrowRight');
  const second = panel.getByRole('button', { name: /^\w+,? 2 / });
  const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
  await expect.poll(focused).toMatch(/^\w+,? 2 /);
  await page.keyboard.press('Space');
  expect(await second.getAttribute('aria-pressed')).toBe('true');
  await panel.getByText('new').waitFor();

  await panel.getByRole('button', { name: 'Public holidays…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Public holidays' });
  await dialog.getByRole('combobox', { name: 'Country' }).selectOption('DE');
  await dialog.getByRole('combobox', { name: 'Part of it' }).selectOption('BY');
  await dialog
    .getByRole('checkbox', { name: /Epiphany/ })
    .first()
    .uncheck();
  await dialog.getByRole('button', { name: /^Add \d+ days$/ }).click();
  expect(await loaded()).toBe(true);
  await save(page).click();
  await toast(page, /^Saved/).waitFor();
  const { holidays } = (await stored()) as { holidays: string[] };
  expect(holidays.some((date) => date.endsWith('-12-25'))).toBe(true);
  expect(holidays.some((date) => date.endsWith('-02'))).toBe(true);

  await panel
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await save(page).click();
  await expect
    .poll(async () => ((await stored()) as { holidays: string[] }).holidays)
    .toHaveLength(holidays.length - 1);
});

test('pace is saved; what the server refuses stands beside its field; a viewer only looks', async () => {
  await reset();
  const { page } = await stage().visit('/settings/sending');
  await open(page);
  await page.getByRole('spinbutton', { name: 'Mails a day' }).fill('40');
  await page.getByRole('spinbutton', { name: 'Spacing, seconds' }).fill('60');
  await page.getByRole('spinbutton', { name: 'Spacing, at most' }).fill('30');
  await page.getByRole('heading', { level: 2, name: 'This cannot be saved.' }).waitFor();
  expect(await save(page).count()).toBe(0);
  await page.getByRole('spinbutton', { name: 'Spacing, at most' }).fill('90');
  await page.getByRole('checkbox', { name: 'start' }).check();
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin');
  await save(page).click();
  await toast(page, /^Saved/).waitFor();
  expect(await stored()).toMatchObject({
    ...{ dailyQuota: 40, spacing: { minSeconds: 60, maxSeconds: 90 }, rampUpEnabled: true },
    timezone: 'Europe/Berlin',
  });

  const { page: looking } = await stage().visit('/settings/sending', { as: await stage().person('viewer') });
  await open(looking);
  expect(await looking.getByRole('slider').count()).toBe(0);
  expect(await looking.getByRole('checkbox', { name: 'Mon' }).isDisabled()).toBe(true);
  expect(await looking.getByRole('button', { name: 'Public holidays…' }).count()).toBe(0);
});

test('the limits of one account are its own, and given back to the workspace', async () => {
  await reset();
  const id = await guardedAccount(stage(), 'particular', { window: null });
  const account = () => stage().call('GET', `/api/accounts/${id}`);
  const { page } = await stage().visit(`/accounts/${id}?tab=limits`);
  await page.getByRole('spinbutton', { name: 'Emails a day' }).fill('7');
  await page.getByRole('spinbutton', { name: 'Emails a week' }).fill('25');
  await page.getByRole('checkbox', { name: 'Hours of its own' }).check();
  await chips(page, 'Fri').fill('9-13');
  await page.getByRole('checkbox', { name: 'Ramp-up of its own' }).check();
  await page.getByRole('spinbutton', { name: 'On the first day' }).fill('3');
  await page.getByRole('checkbox', { name: 'Spacing of its own' }).check();
  await page.getByRole('spinbutton', { name: 'Spacing, at most' }).fill('120');
  await page.keyboard.press('Control+s');
  await toast(page, /^Saved the limits of particular/).waitFor();
  const whole = [['09:00', '17:00']];
  expect(await account()).toMatchObject({
    ...{ dailyLimitEmails: 7, limits: [{ action: 'email', period: 'week', max: 25 }] },
    window: { timezone: 'UTC', hours: { 1: whole, 5: [['09:00', '13:00']] } },
    ...{ rampUp: { enabled: true, start: 3, step: 5 }, spacing: { minSeconds: 0, maxSeconds: 120 } },
  });
  await page.getByRole('link', { name: 'Today' }).click();
  await page.getByText('0 of 25 used').waitFor();

  await page.getByRole('link', { name: 'Limits' }).last().click();
  await page.getByRole('checkbox', { name: 'Hours of its own' }).uncheck();
  await page.getByRole('spinbutton', { name: 'Emails a week' }).fill('');
  await save(page).click();
  await expect.poll(account).toMatchObject({ window: null, limits: [] });
});
