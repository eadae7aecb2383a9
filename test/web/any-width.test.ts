import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { follow } from './follow.js';
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
const SECTIONS = ['workspace', 'sending', 'people', 'keys', 'audit', 'you'];
const PATHS: Readonly<Record<string, (house: FullHouse) => string[]>> = {
  'overview, queue and dead letters': ({ fingerprint }) => [
    ...['/', '/queue', '/queue?state=dead&lane=outbox&to=ada@example.org&q=word', '/queue?state=held'],
    ...['/dead', `/dead/${fingerprint}`],
  ],
  messages: ({ sent, dead, held, waiting }) => [
    ...[sent, dead, held, waiting].map((id) => `/queue/${id}`),
    ...TABS.map((tab) => `/queue/${sent}?tab=${tab}`),
  ],
  inbox: ({ caught }) => ['/inbox', ...PARTS.map((part) => `/inbox/${caught}?part=${part}`)],
  campaigns: ({ campaign, draft }) => [
    ...['/campaigns', `/campaigns/${campaign}`, `/campaigns/${campaign}?view=weeks`],
    ...[
      `/campaigns/${campaign}?view=table`,
      `/campaigns/${campaign}/people`,
      `/campaigns/${campaign}/set-up`,
    ],
    ...['people', 'sequence', 'accounts', 'dry-run'].map((step) => `/campaigns/${draft}/launch/${step}`),
  ],
  'contacts and sequences': ({ contact, imported, uploaded, sequence }) => [
    ...['/contacts', '/contacts?q=nobody-is-called-so', `/contacts/${contact}`, '/contacts/import'],
    ...[`/contacts/import/${imported}`, `/contacts/import/${uploaded}`],
    ...['/sequences', `/sequences/${sequence}`, `/sequences/${sequence}?step=3`],
  ],
  notifications: ({ event, subscription }) => [
    ...['/events', '/events?topic=garden&type=notice.garden&q=nothing', `/events/${event}`],
    ...['mails', 'payload', 'history'].map((tab) => `/events/${event}?tab=${tab}`),
    ...['/subscriptions', '/subscriptions?status=paused', `/subscriptions/${subscription}`],
    ...['mails', 'json'].map((tab) => `/subscriptions/${subscription}?tab=${tab}`),
    `/queue?eventId=${event}&subscriptionId=${subscription}`,
  ],
  'templates and suppressions': ({ template }) => [
    ...['/templates', `/templates/${template}`, `/templates/${template}?locale=en`],
    ...['/settings/suppressions', '/settings/suppressions?q=nobody', '/settings/recipient-pages'],
  ],
  'accounts and settings': ({ account, paused, guarded }) => [
    ...['/limits', '/workers', '/accounts', '/accounts/new', `/accounts/${account}`, `/accounts/${paused}`],
    ...[`/accounts/${account}?tab=activity`, `/accounts/${account}?tab=limits`, `/accounts/${guarded}`],
    ...SECTIONS.map((section) => `/settings/${section}`),
  ],
};
/** Longer than 20 s in all: some seventy pages, each of which is laid out anew at every width. */
const WIDTHS = [1440, 1024, 768, 390, 320];
const PHONES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
] as const;

/** Of a page as it stands, by the width of its window. */
async function faultsByWidth(page: Page, settled: () => Promise<void>): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await settled();
    const fault = await tooWide(page);
    if (fault.length > 0) faults[`${page.url()} at ${width}`] = fault;
  }
  return faults;
}

test.each(Object.entries(PATHS))(
  'at no width is a page wider than the window: %s',
  async (_name, pathsOf) => {
    const { page } = await stage().visit('/login', phone(1440, 844));
    const settled = settling(page);
    const faults: Record<string, string[]> = {};
    for (const path of pathsOf(house)) {
      await follow(page, path);
      Object.assign(faults, await faultsByWidth(page, settled));
    }
    expect(faults).toEqual({});
  },
);

test('at no width is a page wider than the window: before the door', async () => {
  const { page } = await stage().visit('/login', phone(1440, 844));
  const settled = settling(page);
  const faults = await faultsByWidth(page, settled);
  for (const path of [house.invitation, '/invitation#gone']) {
    await follow(page, path);
    Object.assign(faults, await faultsByWidth(page, settled));
  }
  expect(faults).toEqual({});
});

async function expectToFitPhones(page: Page): Promise<void> {
  for (const size of PHONES) {
    await page.setViewportSize(size);
    expect(await tooWide(page), `at ${size.width} x ${size.height}`).toEqual([]);
  }
}

async function expectToBeInReach(...things: readonly Locator[]): Promise<void> {
  for (const size of PHONES) {
    await things[0]!.page().setViewportSize(size);
    for (const thing of things) await thing.tap({ trial: true });
  }
}

test('on a phone no page is wider than the window with a dialog, a menu or a selection', async () => {
  const { page } = await stage().visit('/queue', phone(320, 568));
  await page.getByRole('button', { name: /^State/ }).tap();
  await page.getByRole('menu').waitFor();
  await expectToFitPhones(page);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: /^Select the mail to carla/ }).tap();
  await page.getByRole('region', { name: 'Selection' }).waitFor();
  await expectToFitPhones(page);
  await follow(page, `/queue/${house.held}`);
  await page.getByRole('button', { name: 'Send it again…' }).tap();
  await page.getByRole('dialog').waitFor();
  await expectToFitPhones(page);
  await page.getByRole('button', { name: 'Back', exact: true }).tap();
  await follow(page, '/settings/keys');
  await page.getByRole('button', { name: 'Create key' }).tap();
  await page.getByRole('dialog').waitFor();
  await expectToFitPhones(page);
});

test('on a phone a bar at the bottom leads everywhere, and what is selected takes its place', async () => {
  const { page } = await stage().visit('/', phone(320, 568));
  const bar = page.getByRole('navigation', { name: 'Main' });
  for (const size of PHONES) {
    await page.setViewportSize(size);
    for (const [name, at] of [
      ['Queue', '/queue'],
      ['Dead', '/dead'],
      ['Campaigns', '/campaigns'],
      ['Overview', '/'],
    ] as const) {
      await bar.getByRole('link', { name }).tap();
      await page.waitForURL(stage().url + at);
    }
    for (const [name, at] of [
      ['Held', '/queue?state=held'],
      ['Contacts', '/contacts'],
      ['Sequences', '/sequences'],
      ['Events', '/events'],
      ['Subscriptions', '/subscriptions'],
      ['Templates', '/templates'],
      ['Accounts', '/accounts'],
      ['Limits', '/limits'],
      ['Dev inbox', '/inbox'],
      ['Settings', '/settings/workspace'],
    ] as const) {
      await bar.getByRole('button', { name: 'More' }).tap();
      await page.getByRole('menuitem', { name }).tap();
      await page.waitForURL(stage().url + at);
    }
    await bar.getByRole('link', { name: 'Dead' }).tap();
    await page.waitForURL(`${stage().url}/dead`);
    await follow(page, '/queue?state=dead');
    await page
      .getByRole('checkbox', { name: /^Select the mail/ })
      .first()
      .tap();
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByRole('button', { name: 'Retry 1 dead' }).tap({ trial: true });
    await selection.getByRole('button', { name: 'Dismiss 1' }).tap({ trial: true });
    await selection.getByRole('button', { name: 'Clear' }).tap();
    await selection.waitFor({ state: 'detached' });
  }
});

test('on a phone every action of a mail can be reached with a thumb', async () => {
  const { page } = await stage().visit('/queue?state=dead', phone(320, 568));
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.getByRole('link', { name: 'ada@example.org' }).first().tap();
  await expectToBeInReach(button('Retry'), button('Dismiss'));
  await follow(page, '/');
  await expectToBeInReach(button(/^(?:Retry|Dismiss) \d+ of /).first());
  await follow(page, `/queue/${house.held}`);
  await expectToBeInReach(button('It was sent'), button('Send it again…'), button('Dismiss…'));
  await follow(page, `/dead/${house.fingerprint}`);
  await expectToBeInReach(button(/^Retry/).first(), button(/^Dismiss/).first());
  await follow(page, `/accounts/${house.account}`);
  await expectToBeInReach(button('Pause'), button('Edit'), button(/^Verify/));
});

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
  // Of our own: whatever the page draws again stays as it is.
  await page.evaluate(
    `document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: 'W'.repeat(99) }))`,
  );
  expect(await tooWide(page)).not.toEqual([]);
  await page.evaluate(`Object.assign(document.querySelector('main').style, { overflowX: 'hidden' })`);
  expect((await tooWide(page)).join()).toContain('MAIN');
});
