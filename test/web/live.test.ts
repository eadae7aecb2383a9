import { expect, test } from 'vitest';
import { aMailThatIs } from './mails.js';
import { place, rowOf } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

test('what happens is seen on every page, and moves nothing under who looks at a row', async () => {
  const waiting = await aMailThatIs('waiting', stage(), { name: 'wanda', subject: 'Waits' });
  const { page: queue } = await stage().visit('/queue');
  const overview = await queue.context().newPage();
  await overview.goto('/');
  const flow = overview.getByRole('region', { name: 'Where mail is' });
  await flow.getByRole('link', { name: /^Scheduled 1/ }).waitFor();
  await rowOf(queue, 'wanda@').waitFor();
  for (const page of [queue, overview]) await page.evaluate('window.neverReloaded = true');

  // Nobody points at the list or has anything open: what is new comes by itself.
  await queue.mouse.move(700, 20);
  await aMailThatIs('dead', stage(), { name: 'dora' });
  await rowOf(queue, 'dora+550@').getByText('Dead', { exact: true }).waitFor();
  await place(queue, /1 dead letter$/).waitFor();
  await place(overview, /1 dead letter$/).waitFor();
  await flow.getByRole('link', { name: /^Dead 1/ }).waitFor();
  await overview.getByText('1 dead, 1 cause').waitFor();
  await expect.poll(() => overview.title()).toMatch(/^\(1\) Overview, /);

  // A row is open: the list stands still, but for its cells.
  await queue.getByRole('link', { name: 'wanda@example.org' }).click();
  await queue.getByRole('heading', { level: 2, name: 'Waits' }).waitFor();
  await aMailThatIs('sent', stage(), { name: 'nora' });
  await stage().call('POST', `/api/messages/${waiting}/cancel`);
  const news = queue.getByRole('button', { name: '1 new' });
  await news.waitFor();
  await rowOf(queue, 'wanda@').getByText('Cancelled').waitFor();
  const recipients = queue.getByRole('table').getByRole('link', { name: /@example\.org$/ });
  expect(await recipients.allInnerTexts()).toEqual(['dora+550@example.org', 'wanda@example.org']);
  await flow.getByRole('link', { name: /^Sent today 1/ }).waitFor();
  await flow.getByRole('link', { name: '1 cancelled' }).waitFor();

  await news.click();
  await rowOf(queue, 'nora@').waitFor();
  expect(await recipients.allInnerTexts()).toEqual([
    ...['nora@example.org', 'dora+550@example.org', 'wanda@example.org'],
  ]);
  expect(await news.count()).toBe(0);
  for (const page of [queue, overview]) expect(await page.evaluate('window.neverReloaded')).toBe(true);
});
