import { expect, test } from 'vitest';
import { aMailThatIs } from './mails.js';
import { useStage } from './stage.js';
import { SERVER_AWAY } from './watch.js';

const stage = useStage();

const MARK = `window.stillTheSamePage = true`;
const isMarked = `window.stillTheSamePage === true`;

test('while the server is away the page says so, keeps what it knows and offers nothing; then it goes on by itself', async () => {
  const id = await aMailThatIs('dead', stage(), { name: 'before', subject: 'Before' });
  const { page, watch } = await stage().visit(`/queue/${id}`, { fresh: true });
  // A page that is still being put up cannot be loaded again.
  await page.getByText('Live', { exact: true }).waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  await page.evaluate(MARK);
  watch.allow(SERVER_AWAY);

  await stage().stop();
  await page.getByText(/^Reconnecting/).waitFor();
  // A hiccup takes nothing away.
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(1);
  await page.clock.fastForward(11_000);
  await page.getByText(/^Offline since \d\d:\d\d:\d\d/).waitFor();
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.getByRole('link', { name: 'before+550@example.org' }).waitFor();
  await page.getByRole('region', { name: 'Before' }).waitFor();

  await stage().start();
  await stage().call('POST', `/api/messages/${id}/dismiss`);
  await page.clock.fastForward(16_000);
  await page.getByText('Live', { exact: true }).waitFor();
  const drawer = page.getByRole('region', { name: 'Before' });
  await drawer.getByText('Cancelled').first().waitFor();
  await page.getByRole('row', { name: /Cancelled.*before/ }).waitFor();
  await page.getByRole('checkbox', { name: /before/ }).waitFor();
  expect(await page.evaluate(isMarked)).toBe(true);
});

test('a page that was left open follows by itself, and two tabs share one stream', async () => {
  const { page } = await stage().visit('/queue');
  await page.getByText('Live', { exact: true }).waitFor();
  const streams: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/stream')) streams.push(request.url());
  });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/queue');
  await other.getByText('Live', { exact: true }).waitFor();
  expect(streams).toHaveLength(1);

  await aMailThatIs('sent', stage(), { name: 'news' });
  for (const tab of [page, other]) await tab.getByRole('link', { name: 'news@example.org' }).waitFor();
  expect(streams).toHaveLength(1);

  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await aMailThatIs('sent', stage(), { name: 'later' });
  await other.getByRole('link', { name: 'later@example.org' }).waitFor();
  expect(streams).toHaveLength(2);
});
