import { expect, test } from 'vitest';
import { routeGroups, routes } from '#pillarbox/http/routes/index';
import { NOBODY, useStage } from './stage.js';

const stage = useStage();

// What no page of ours may do, such as an error in the console, fails every test of a stage.
test('the page of the API has our name on it, and every route under what it is about', async () => {
  const { page } = await stage().visit('/docs', { as: NOBODY });
  await page.getByRole('heading', { name: /^Pillarbox/ }).waitFor();
  expect(await page.title()).toBe('Pillarbox API');
  const tags = page.locator('.opblock-tag');
  await expect.poll(() => tags.count()).toBe(routeGroups.length);
  const names = await Promise.all((await tags.all()).map((tag) => tag.getAttribute('data-tag')));
  expect(names).toEqual(routeGroups.map(({ tag }) => tag));
  await expect.poll(() => page.locator('.opblock').count()).toBe(routes.length);
  expect(await page.locator('body').innerText()).not.toMatch(/swagger/i);
});

test('a link to a route opens it, with what it answers and by which codes it refuses', async () => {
  const { page } = await stage().visit('/docs#/Messages/retryMessage', { as: NOBODY });
  const retry = page.locator('#operations-Messages-retryMessage');
  await retry.getByText('illegal_move').first().waitFor();
  await retry.getByText('"success"').first().waitFor();
});
