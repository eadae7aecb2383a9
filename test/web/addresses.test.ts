import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aMailThatIs } from './mails.js';
import { aTemplate, suppressed } from './notices.js';
import { aTopic } from './notified.js';
import { useStage } from './stage.js';

const stage = useStage();
let dead = '';
beforeAll(async () => {
  await aTopic(stage());
  await aTemplate(stage());
  await suppressed(stage());
  dead = await aMailThatIs('dead', stage(), { name: 'dora', subject: 'Refused' });
  await aMailThatIs('sent', stage(), { name: 'sam', subject: 'Taken' });
});

const at = (page: Page): string => page.url().slice(stage().url.length);
const rowOf = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

test('a filter is in the address, and survives a reload, Back and Forward', async () => {
  const { page } = await stage().visit('/queue');
  await rowOf(page, 'sam@example.org').waitFor();
  await page.getByRole('button', { name: /^State/ }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Dead/ }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/queue?state=dead');
  await rowOf(page, 'sam@example.org').waitFor({ state: 'detached' });
  await page.reload();
  await rowOf(page, 'dora+550@example.org').waitFor();
  expect(await rowOf(page, 'sam@example.org').count()).toBe(0);
  await page.goBack();
  await rowOf(page, 'sam@example.org').waitFor();
  expect(at(page)).toBe('/queue');
  await page.goForward();
  await rowOf(page, 'sam@example.org').waitFor({ state: 'detached' });
  expect(at(page)).toBe('/queue?state=dead');
});

test('the numbers of the overview lead to the mails that they count', async () => {
  const { page } = await stage().visit('/');
  for (const [state, name] of [
    ['dead', 'Dead'],
    ['scheduled', 'Scheduled'],
    ['skipped', ''],
  ] as const) {
    const { items } = await stage().call('GET', `/api/messages?state=${state}&limit=50`);
    const { length } = items as readonly unknown[];
    expect([state, length]).not.toEqual([state, 0]);
    const words = name === '' ? `^${length} ${state}$` : `^${name} ${length}\\b`;
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(words) })
      .click();
    await page.waitForURL(`**/queue?state=${state}`);
    await expect.poll(() => page.locator('tbody a[href^="/queue/msg_"]').count()).toBe(length);
    await page.goBack();
  }
});

test('Back closes the drawer and keeps the filter; Forward opens it again', async () => {
  const { page } = await stage().visit('/queue?state=dead');
  await rowOf(page, 'dora+550@example.org').click();
  const drawer = page.getByRole('region', { name: 'Refused' });
  await drawer.waitFor();
  expect(at(page)).toBe(`/queue/${dead}?state=dead`);
  await drawer.getByRole('tab', { name: 'Headers' }).click();
  await page.waitForURL('**?state=dead&tab=headers');
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
  expect(at(page)).toBe('/queue?state=dead');
  await page.goForward();
  await drawer.getByRole('tab', { name: 'Headers', selected: true }).waitFor();
});

test('a drawer that is opened by its address closes to the list, not to the page before', async () => {
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`/queue/${dead}?state=dead&tab=raw`);
  await page.getByRole('tab', { name: 'Raw', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.waitForURL(`${stage().url}/queue?state=dead`);
});

test('what an address says that nobody knows is dropped', async () => {
  const { page } = await stage().visit('/login');
  for (const [asked, kept] of [
    ['/queue?state=dead&nonsense=1&__proto__=2', '/queue?state=dead'],
    ['/dead?since=24h&tab=x', '/dead?since=24h'],
    ['/?range=7d&q=no', '/?range=7d'],
    ['/accounts?q=no', '/accounts'],
    ['/held?x=1', '/queue?state=held'],
  ] as const) {
    await page.goto(asked);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => at(page)).toBe(kept);
  }
});

const HEAVIEST_BYTES = 186_000;

// Each with what it draws last: by then all of its scripts are there.
test.each([
  ['/', 'canvas'],
  ['/queue', 'a[href^="/queue/msg_"]'],
  ['/campaigns', 'main h2'],
  ['/accounts', 'main table'],
  ['/sequences', 'main h2'],
  ['/events', 'a[href^="/events/evt_"]'],
  ['/subscriptions', 'a[href^="/subscriptions/sub_"]'],
  ['/templates', 'a[href="/templates/free-room"]'],
  ['/templates/free-room', 'iframe'],
  ['/settings/suppressions', 'main table'],
  ['/settings/recipient-pages', 'iframe'],
])('the first load of %s takes less than 186 KB of script', async (path, last) => {
  const { page } = await stage().visit(path, { fresh: true });
  await page.locator(last).first().waitFor();
  const sizes: Record<string, number> = await page.evaluate(`Object.fromEntries(
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .map(({ name, transferSize }) => [name.replace(/.*\\//, ''), transferSize]))`);
  const scripts = Object.values(sizes);
  expect(scripts.length).toBeGreaterThan(1);
  expect(Math.min(...scripts)).toBeGreaterThan(0);
  expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(HEAVIEST_BYTES);
});
