import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolationsInBothThemes } from './axe.js';
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

const VIEWS: Readonly<Record<string, View>> = {
  'the overview': at('/', async (page) => {
    await page.getByRole('slider').waitFor();
  }),
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
  'dead letters': at('/dead', (page) => page.getByRole('table').waitFor()),
  'dead letters, one cause open': at(({ fingerprint }) => `/dead/${fingerprint}`, text('Newest letters')),
  'the inbox, html': inboxPart('html'),
  'the inbox, text': inboxPart('text'),
  'the inbox, headers': inboxPart('headers'),
  'the inbox, raw': inboxPart('raw'),
  'the inbox, files': inboxPart('files'),
  'the inbox, calendar': inboxPart('calendar'),
  accounts: at('/accounts', (page) => page.getByRole('table').waitFor()),
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
  'settings, workspace': at('/settings/workspace', (page) => page.getByRole('textbox').first().waitFor()),
  'settings, people': at('/settings/people', text('operator@people.example')),
  'settings, add a person': at('/settings/people', dialog('Add person')),
  'settings, keys': at('/settings/keys', text('Booking engine')),
  'settings, create a key': at('/settings/keys', dialog('Create key')),
  'settings, audit log': at('/settings/audit', (page) => page.getByRole('table').waitFor()),
  'settings, you': at('/settings/you', text('this one')),
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
};

describe('where nothing is yet', () => {
  test.each(['/', '/queue', '/held', '/dead', '/inbox', '/accounts', '/settings/keys'])(
    '%s has no fault that axe knows',
    async (path) => {
      const { page } = await stage().visit(path);
      await page
        .getByRole('heading', { level: 2 })
        .or(page.getByText(/^No|^Nothing/))
        .first()
        .waitFor();
      await expectNoAxeViolationsInBothThemes(page);
    },
  );
});

describe('where something of every kind is', () => {
  let house: FullHouse;
  beforeAll(async () => {
    house = await fullHouse(stage());
  });

  test.each(Object.entries(VIEWS))('%s: no fault that axe knows', async (_name, { path, look }) => {
    const { page } = await stage().visit(path(house));
    await look(page);
    await expectNoAxeViolationsInBothThemes(page);
  });

  test('what is not there has no fault that axe knows', async () => {
    const { page, watch } = await stage().visit('/nowhere');
    watch.allow(/status of 404 .*\/nowhere\)$/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectNoAxeViolationsInBothThemes(page);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});
