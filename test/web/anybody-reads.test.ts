import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axeViolationsInBothThemes, type Violation } from './axe.js';
import { fullHouse, type FullHouse } from './full-house.js';
import { useStage } from './stage.js';

const stage = useStage();

interface View {
  readonly path: (house: FullHouse) => string;
  /** Brings the page to where it is looked at, and waits until it is. */
  readonly look: (page: Page) => Promise<unknown>;
}

const heading =
  (name: string | RegExp, level = 1) =>
  (page: Page) =>
    page.getByRole('heading', { level, name }).waitFor();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const at = (path: string | ((house: FullHouse) => string), look: View['look']): View => ({
  path: typeof path === 'string' ? () => path : path,
  look,
});
const press = async (page: Page, name: string | RegExp) => {
  await page.getByRole('button', { name }).first().click();
};

const drawerTab = (tab: string) =>
  at(
    ({ sent }) => `/queue/${sent}${tab === 'attempts' ? '' : `?tab=${tab}`}`,
    async (page) => {
      await page.getByRole('tabpanel').getByText(/\S/).first().waitFor();
      if (tab === 'attempts') await page.getByRole('region', { name: 'Safe preview' }).waitFor();
    },
  );
const inboxPart = (part: string) =>
  at(
    ({ caught }) => `/inbox/${caught}?part=${part}`,
    (page) => page.getByRole('tabpanel').waitFor(),
  );
const dialog = (button: string | RegExp) => async (page: Page) => {
  await press(page, button);
  await page.getByRole('dialog').waitFor();
};

/** By the browser that goes through them, one after another: a new one for each takes longer than to look. */
const VIEWS: Readonly<Record<string, Readonly<Record<string, View>>>> = {
  overview: {
    'the overview': at('/', async (page) => {
      await page.getByRole('slider').waitFor();
    }),
  },
  queue: {
    'the queue': at('/queue', (page) => page.getByRole('table').waitFor()),
    'the queue with a tooltip': at('/queue', async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queue' }).focus();
      await page.getByRole('tooltip').waitFor();
    }),
    'the queue with a menu': at('/queue', async (page) => {
      await press(page, /^State/);
      await page.getByRole('menu').waitFor();
    }),
    'the queue with a selection': at('/queue', async (page) => {
      await page.getByRole('checkbox', { name: 'Select the page' }).check();
      await page.getByRole('region', { name: 'Selection' }).waitFor();
    }),
    'a filter that matches nothing': at('/queue?q=nothing-is-called-so', text(/nothing-is-called-so/)),
    'the held': at('/held', text(/^Held$/)),
  },
  drawer: {
    'the drawer, attempts and preview': drawerTab('attempts'),
    'the drawer, headers': drawerTab('headers'),
    'the drawer, raw': drawerTab('raw'),
    'the drawer, JSON': drawerTab('json'),
    'the drawer, history': drawerTab('history'),
    'the drawer of a dead one': at(
      ({ dead }) => `/queue/${dead}`,
      (page) => page.getByRole('button', { name: 'Retry' }).waitFor(),
    ),
    'the drawer of a retrying one': at(
      ({ retrying }) => `/queue/${retrying}`,
      (page) => page.getByRole('button', { name: 'Cancel…' }).waitFor(),
    ),
    'a question': at(({ held }) => `/queue/${held}`, dialog('Send it again…')),
    'a message that is not there': at('/queue/msg_nowhere', text('There is no such message here.')),
  },
  'dead letters': {
    'dead letters': at('/dead', (page) => page.getByRole('table').waitFor()),
    'dead letters, one cause open': at(({ fingerprint }) => `/dead/${fingerprint}`, text('Newest letters')),
  },
  inbox: {
    'the inbox, html': inboxPart('html'),
    'the inbox, text': inboxPart('text'),
    'the inbox, headers': inboxPart('headers'),
    'the inbox, raw': inboxPart('raw'),
    'the inbox, files': inboxPart('files'),
    'the inbox, calendar': inboxPart('calendar'),
  },
  accounts: {
    'the accounts': at('/accounts', (page) => page.getByRole('table').waitFor()),
    'an account': at(({ account }) => `/accounts/${account}`, heading(/bookings@/)),
    'a paused account': at(({ paused }) => `/accounts/${paused}`, heading(/news@/)),
    'an account, activity': at(
      ({ account }) => `/accounts/${account}?tab=activity`,
      (page) => page.getByRole('table').waitFor(),
    ),
    'an account that is edited': at(
      ({ account }) => `/accounts/${account}`,
      (page) => press(page, 'Edit'),
    ),
    'a new account': at('/accounts/new', (page) => page.getByRole('textbox').first().waitFor()),
  },
  settings: {
    'settings, workspace': at('/settings/workspace', (page) => page.getByRole('textbox').first().waitFor()),
    'settings, people': at('/settings/people', text('operator@people.example')),
    'settings, add a person': at('/settings/people', dialog('Add person')),
    'settings, keys': at('/settings/keys', text('Booking engine')),
    'settings, create a key': at('/settings/keys', dialog('Create key')),
    'settings, audit log': at('/settings/audit', (page) => page.getByRole('table').waitFor()),
    'settings, you': at('/settings/you', text('this one')),
  },
  'what lies over a page, or is no page': {
    'what is not there': at('/nowhere', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    }),
    'the keys': at('/settings/you', async (page) => {
      await text('this one')(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    }),
    'the commands': at('/settings/you', async (page) => {
      await text('this one')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    }),
    // The last one: whoever leaves has decided, and one dead letter less is there.
    'a toast': at('/queue?state=dead', async (page) => {
      await page.getByRole('checkbox', { name: 'Select the mail to b.hale+550@example.org' }).check();
      await press(page, 'Dismiss 1');
      await page.getByRole('button', { name: 'Undo' }).focus();
    }),
  },
};

type Sight = readonly [name: string, address: string, look: View['look']];

/** What axe finds, by the sight that it finds it in. */
async function faultsIn(sights: readonly Sight[]): Promise<Readonly<Record<string, readonly Violation[]>>> {
  const { page, watch } = await stage().visit('/login');
  watch.allow(/status of 404 .*\/nowhere\)$/);
  const faults: Record<string, readonly Violation[]> = {};
  for (const [name, address, look] of sights) {
    await page.goto(address);
    await look(page);
    const violations = await axeViolationsInBothThemes(page);
    if (violations.length > 0) faults[name] = violations;
  }
  return faults;
}

test('where nothing is yet there is no fault that axe knows', async () => {
  const saysSo = (page: Page) =>
    page
      .getByRole('heading', { level: 2 })
      .or(page.getByText(/^No|^Nothing/))
      .first()
      .waitFor();
  const paths = ['/', '/queue', '/held', '/dead', '/inbox', '/accounts', '/settings/keys'];
  expect(await faultsIn(paths.map((path) => [path, path, saysSo]))).toEqual({});
});

describe('where something of every kind is', () => {
  let house: FullHouse;
  beforeAll(async () => {
    house = await fullHouse(stage());
  });

  test.each(Object.entries(VIEWS))('%s: no fault that axe knows', async (_name, views) => {
    const sights = Object.entries(views).map(([name, { path, look }]): Sight => [name, path(house), look]);
    expect(await faultsIn(sights)).toEqual({});
  });
});

test('a fault is noticed, and one of the dark as well', async () => {
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(`document.querySelector('main').append(
    document.createElement('img'),
    Object.assign(document.createElement('p'), { textContent: 'faint', style: 'color: #333' }))`);
  const found = (await axeViolationsInBothThemes(page)).map(({ id }) => id);
  expect(found.toSorted()).toEqual(['color-contrast', 'image-alt']);
});
