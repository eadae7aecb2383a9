import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useStage } from './stage.js';

const stage = useStage();

/** How bright the page is behind everything, 0 to 1. */
const brightness = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g).map(Number);
    return (r + g + b) / 3 / 255;
  })()`);
const isDark = async (page: Page): Promise<boolean> => (await brightness(page)) < 0.3;

test('the page is as bright as the system, until somebody chooses', async () => {
  const { page } = await stage().visit('/settings/you', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Switch to light' }).waitFor();
  expect(await isDark(page)).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => isDark(page)).toBe(false);

  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await expect.poll(() => isDark(page)).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Switch to light' }).waitFor();
  expect(await isDark(page)).toBe(true);

  await page.getByLabel('Theme').selectOption('As the system');
  await expect.poll(() => isDark(page)).toBe(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => isDark(page)).toBe(true);
});
