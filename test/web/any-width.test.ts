import { beforeAll, describe, expect, test } from 'vitest';
import { fullHouse, type FullHouse } from './full-house.js';
import { useStage } from './stage.js';
import { phone, settling, tooWide } from './widths.js';

const stage = useStage();
let house: FullHouse;
beforeAll(async () => {
  house = await fullHouse(stage());
});

const PARTS = ['html', 'text', 'headers', 'raw', 'files', 'calendar'];
const TABS = ['headers', 'raw', 'json', 'history'];
const PATHS: Readonly<Record<string, (house: FullHouse) => string[]>> = {
  'overview and queue': () => [
    ...['/', '/queue', '/queue?state=dead&lane=outbox&to=ada@example.org&q=word', '/queue?state=held'],
  ],
  messages: ({ sent, dead, held, waiting }) => [sent, dead, held, waiting].map((id) => `/queue/${id}`),
  'sources of a message': ({ sent }) => TABS.map((tab) => `/queue/${sent}?tab=${tab}`),
  'dead letters': ({ fingerprint }) => ['/dead', `/dead/${fingerprint}`],
  inbox: ({ caught }) => ['/inbox', ...PARTS.map((part) => `/inbox/${caught}?part=${part}`)],
  accounts: ({ account, paused }) => [
    ...['/accounts', '/accounts/new', `/accounts/${account}`, `/accounts/${paused}`],
    `/accounts/${account}?tab=activity`,
  ],
  settings: () => ['workspace', 'people', 'keys', 'audit', 'you'].map((section) => `/settings/${section}`),
};
const WIDTHS = [1440, 1024, 768, 390, 320];

describe.each([
  [320, 568],
  [390, 844],
])('at %i x %i', (width, height) => {
  test('no page is wider than the window with a dialog, a menu or a selection', async () => {
    const { page } = await stage().visit('/queue', phone(width, height));
    await page.getByRole('button', { name: /^State/ }).tap();
    await page.getByRole('menu').waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: /^Select the mail to carla/ }).tap();
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.goto(`/queue/${house.held}`);
    await page.getByRole('button', { name: 'Send it again…' }).tap();
    await page.getByRole('dialog').waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back', exact: true }).tap();
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).tap();
    await page.getByRole('dialog').waitFor();
    expect(await tooWide(page)).toEqual([]);
  });

  test('a bar at the bottom leads everywhere, and what is selected takes its place', async () => {
    const { page } = await stage().visit('/', phone(width, height));
    const bar = page.getByRole('navigation', { name: 'Main' });
    for (const [name, at] of [
      ['Queue', '/queue'],
      ['Dead', '/dead'],
      ['Held', '/queue?state=held'],
      ['Overview', '/'],
    ] as const) {
      await bar.getByRole('link', { name }).tap();
      await page.waitForURL(stage().url + at);
    }
    for (const [name, at] of [
      ['Accounts', '/accounts'],
      ['Dev inbox', '/inbox'],
      ['Settings', '/settings/workspace'],
    ] as const) {
      await bar.getByRole('button', { name: 'More' }).tap();
      await page.getByRole('menuitem', { name }).tap();
      await page.waitForURL(stage().url + at);
    }
    await bar.getByRole('link', { name: 'Dead' }).tap();
    await page.waitForURL(`${stage().url}/dead`);
    await page.goto('/queue?state=dead');
    await page
      .getByRole('checkbox', { name: /^Select the mail/ })
      .first()
      .tap();
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByRole('button', { name: 'Retry 1 dead' }).tap({ trial: true });
    await selection.getByRole('button', { name: 'Dismiss 1' }).tap({ trial: true });
    await selection.getByRole('button', { name: 'Clear' }).tap();
    await selection.waitFor({ state: 'detached' });
  });

  test('every action of a mail can be reached with a thumb', async () => {
    const { page } = await stage().visit('/queue?state=dead', phone(width, height));
    await page.getByRole('link', { name: 'ada@example.org' }).first().tap();
    await page.getByRole('button', { name: 'Retry' }).tap({ trial: true });
    await page.getByRole('button', { name: 'Dismiss' }).tap({ trial: true });
    await page.goto('/');
    const cause = page.getByRole('button', { name: /^(?:Retry|Dismiss) \d+ of / });
    await cause.first().tap({ trial: true });
    await page.goto(`/queue/${house.held}`);
    for (const name of ['It was sent', 'Send it again…', 'Dismiss…'])
      await page.getByRole('button', { name }).tap({ trial: true });
    await page.goto(`/dead/${house.fingerprint}`);
    await page
      .getByRole('button', { name: /^Retry/ })
      .first()
      .tap({ trial: true });
    await page
      .getByRole('button', { name: /^Dismiss/ })
      .first()
      .tap({ trial: true });
    await page.goto(`/accounts/${house.account}`);
    for (const name of ['Pause', 'Edit', /^Verify/])
      await page.getByRole('button', { name }).tap({ trial: true });
  });
});

test.each(Object.entries(PATHS))(
  'at no width is a page wider than the window: %s',
  async (_name, pathsOf) => {
    const { page } = await stage().visit('/login', phone(1440, 844));
    const settled = settling(page);
    const faults: Record<string, string[]> = {};
    for (const path of pathsOf(house)) {
      await page.setViewportSize({ width: 1440, height: 844 });
      await page.goto(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await settled();
        const fault = await tooWide(page);
        if (fault.length > 0) faults[`${path} at ${width}`] = fault;
      }
    }
    expect(faults).toEqual({});
  },
);

test('between, the rail is icons that say their names', async () => {
  const { page } = await stage().visit('/queue', { viewport: { width: 1024, height: 768 } });
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.waitFor();
  expect((await rail.boundingBox())!.width).toBeLessThanOrEqual(64);
  const link = rail.getByRole('link', { name: 'Accounts' });
  await link.focus();
  await page.getByRole('tooltip', { name: /Accounts/ }).waitFor();
});

test('a page that is too wide, or cuts something off, is noticed', async () => {
  const { page } = await stage().visit('/settings/you', phone(320, 568));
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await tooWide(page)).toEqual([]);
  await page.evaluate(`document.querySelector('h2').append('W'.repeat(99))`);
  expect(await tooWide(page)).not.toEqual([]);
  await page.evaluate(`Object.assign(document.querySelector('main').style, { overflowX: 'hidden' })`);
  expect((await tooWide(page)).join()).toContain('MAIN');
});
