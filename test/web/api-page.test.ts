import { expect, test } from 'vitest';
import { routeGroups, routes } from '#pillarbox/http/routes/index';
import { NOBODY, useStage } from './stage.js';

const stage = useStage();

// What no page of ours may do, such as an error in the console, fails every test of a stage.
test('the page of the API has our name on it, and every route under what it is about', async () => {
  const { page } = await stage().visit('/docs', { as: NOBODY });
  await page.getByRole('heading', { name: /^Pillarbox/ }).waitFor();
  expect(await page.title()).toBe('Pillarbox API');
  // So many are drawn only where somebody looks: all of it is walked through, again if need be.
  const tags = new Set<string>();
  const operations = new Set<string>();
  const look = async () => {
    const shown = await page.evaluate<{ tags: string[]; operations: string[] }>(`({
      tags: [...document.querySelectorAll('.opblock-tag')].map(({ dataset }) => dataset.tag),
      operations: [...document.querySelectorAll('.opblock')].map(({ id }) => id),
    })`);
    for (const tag of shown.tags) tags.add(tag);
    for (const operation of shown.operations) operations.add(operation);
    await page.evaluate(`scrollY + innerHeight + 1 < document.documentElement.scrollHeight
      ? scrollBy(0, innerHeight / 2) : scrollTo(0, 0)`);
    return operations.size;
  };
  await expect.poll(look, { interval: 20 }).toBe(routes.length);
  expect([...tags].sort()).toEqual(routeGroups.map(({ tag }) => tag).sort());
  expect(await page.locator('body').innerText()).not.toMatch(/swagger/i);
});

test('a link to a route opens it, with what it answers and by which codes it refuses', async () => {
  const { page } = await stage().visit('/docs#/Messages/retryMessage', { as: NOBODY });
  const retry = page.locator('#operations-Messages-retryMessage');
  await retry.getByText('illegal_move').first().waitFor();
  await retry.getByText('"success"').first().waitFor();
});
