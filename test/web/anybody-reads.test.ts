import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axeViolationsInBothThemes, type Violation } from './axe.js';
import { follow } from './follow.js';
import { fullHouse, type FullHouse } from './full-house.js';
import { useStage } from './stage.js';

const stage = useStage();

interface View {
  readonly path: (house: FullHouse) => string;
  /** Brings the page to where it is looked at, and waits until it is. */
  readonly look: (page: Page) => Promise<unknown>;
  /** What has to be given up before anybody may leave it. */
  readonly leave?: (page: Page) => Promise<unknown>;
}

const heading =
  (name: string | RegExp, level = 1) =>
  (page: Page) =>
    page.getByRole('heading', { level, name }).waitFor();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const at = (
  path: string | ((house: FullHouse) => string),
  look: View['look'],
  leave?: View['leave'],
): View => ({
  path: typeof path === 'string' ? () => path : path,
  look,
  ...(leave && { leave }),
});
const press = async (page: Page, name: string | RegExp) => {
  await page.getByRole('button', { name }).first().click();
};

const discard = async (page: Page) => {
  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'detached' });
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

/**
 * By who goes through them, one after another: to come anew to each takes longer than to look. What remains takes
 * longer than 20 s because of what axe looks at, some hundred views with some three hundred elements each.
 */
const VIEWS: Readonly<Record<string, Readonly<Record<string, View>>>> = {
  'overview, queue and dead letters': {
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
    'dead letters': at('/dead', (page) => page.getByRole('table').waitFor()),
    'dead letters, one cause open': at(({ fingerprint }) => `/dead/${fingerprint}`, text('Newest letters')),
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
    'a message that is not there': at('/queue/msg_nowhere', text('There is no such message here.')),
    // The last one: it would lie over the next.
    'a question': at(({ held }) => `/queue/${held}`, dialog('Send it again…')),
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
    'the accounts, another row': at('/accounts', async (page) => {
      await page.getByText('sending day n').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.getByRole('button', { name: 'Table' }).click();
      await page.getByRole('group', { name: /as a table$/ }).waitFor();
    }),
    'an account with limits to keep': at(
      ({ guarded }) => `/accounts/${guarded}`,
      (page) => page.getByText('sending day n').waitFor(),
    ),
    'an account, its limits': at(
      ({ account }) => `/accounts/${account}?tab=limits`,
      async (page) => {
        await page.getByRole('checkbox', { name: 'Hours of its own' }).check();
        await page.getByRole('checkbox', { name: 'Ramp-up of its own' }).check();
        await page.getByRole('checkbox', { name: 'Spacing of its own' }).check();
        await page.getByRole('region', { name: 'Changes that are not saved' }).waitFor();
      },
      discard,
    ),
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
    'the limits': at('/limits', (page) => page.getByRole('table').first().waitFor()),
    'the limits, the change as a table': at('/limits', (page) => press(page, 'Table')),
    'the workers, without a broker': at('/workers', text('pillarbox relay')),
    'a new account': at('/accounts/new', (page) => page.getByRole('textbox').first().waitFor()),
  },
  campaigns: {
    'the campaigns': at('/campaigns', (page) => page.getByRole('table').waitFor()),
    'a new campaign': at('/campaigns', dialog('New campaign'), (page) => page.keyboard.press('Escape')),
    'a campaign': at(
      ({ campaign }) => `/campaigns/${campaign}`,
      (page) => page.getByRole('grid').waitFor(),
    ),
    'a campaign, its calendar as a table': at(
      ({ campaign }) => `/campaigns/${campaign}?view=table`,
      (page) => page.getByRole('group', { name: /as a table$/ }).waitFor(),
    ),
    'its people, some selected': at(
      ({ campaign }) => `/campaigns/${campaign}/people`,
      async (page) => {
        await page.getByRole('checkbox', { name: 'Select the page' }).check();
        await page.getByRole('region', { name: 'Selection' }).waitFor();
      },
    ),
    'its set-up': at(
      ({ campaign }) => `/campaigns/${campaign}/set-up`,
      (page) => page.getByRole('button', { name: 'Save' }).waitFor(),
    ),
    'a launch, people': at(
      ({ draft }) => `/campaigns/${draft}/launch/people`,
      (page) => page.getByRole('table').waitFor(),
    ),
    'a launch, sequence': at(
      ({ draft }) => `/campaigns/${draft}/launch/sequence`,
      (page) => page.getByRole('radio').first().waitFor(),
    ),
    'a launch, dry run': at(({ draft }) => `/campaigns/${draft}/launch/dry-run`, text('Before you launch')),
    'a campaign that is not there': at('/campaigns/cmp_zzzz', text('There is no such campaign.')),
    // The last one: it would lie over the next.
    'a launch, the question': at(
      ({ draft }) => `/campaigns/${draft}/launch/confirm`,
      (page) => page.getByRole('dialog').waitFor(),
    ),
  },
  settings: {
    'settings, workspace': at('/settings/workspace', (page) => page.getByRole('textbox').first().waitFor()),
    'settings, sending': at('/settings/sending', heading(/may leave/, 2)),
    'settings, sending, a change that moves mail': at(
      '/settings/sending',
      async (page) => {
        const chip = page.getByRole('textbox', { name: 'Mon, hours' });
        await chip.fill('10-12');
        await chip.press('Enter');
        await page
          .getByRole('button', { name: 'Save', exact: true })
          .or(page.getByText(/^Save and move/))
          .waitFor();
      },
      discard,
    ),
    'settings, sending, the holidays of a country': at(
      '/settings/sending',
      async (page) => {
        await press(page, 'Public holidays…');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Add \d+ days$/ })
          .waitFor();
      },
      (page) => page.keyboard.press('Escape'),
    ),
    'settings, people': at('/settings/people', text('operator@people.example')),
    'settings, add a person': at('/settings/people', dialog('Add person')),
    'settings, an invitation that is shown once': at('/settings/people', async (page) => {
      await press(page, 'New invitation for operator@people.example…');
      await press(page, 'Make a new invitation');
      await page.getByRole('dialog', { name: 'Invitation for operator@people.example' }).waitFor();
    }),
    'settings, keys': at('/settings/keys', text('Booking engine')),
    'settings, create a key': at('/settings/keys', dialog('Create key')),
    'settings, audit log': at('/settings/audit', (page) => page.getByRole('table').waitFor()),
    'settings, you': at('/settings/you', text('this one')),
  },
  'contacts and sequences': {
    'the contacts': at('/contacts', (page) => page.getByRole('table').waitFor()),
    'contacts that nobody is found among': at('/contacts?q=nobody-is-called-so', text(/Nobody is found/)),
    'a contact': at(
      ({ contact }) => `/contacts/${contact}`,
      async (page) => {
        await page.getByRole('region', { name: 'Lane by lane' }).waitFor();
        await page.getByRole('region', { name: 'Campaigns' }).getByText('Autumn').waitFor();
      },
    ),
    'a contact that is not there': at('/contacts/con_zzz', text('There is no such contact.')),
    'files so far': at('/contacts/import', (page) => page.getByText('guests.csv').first().waitFor()),
    'columns to choose': at(
      ({ uploaded }) => `/contacts/import/${uploaded}`,
      async (page) => {
        await page.getByLabel('What notes becomes', { exact: true }).selectOption('email');
        await page.getByText('Choose what email becomes.').waitFor();
      },
    ),
    'a file that is in': at(({ imported }) => `/contacts/import/${imported}`, text('nobody, , ,')),
    'the sequences': at('/sequences', (page) => page.getByRole('table').waitFor()),
    'a sequence': at(
      ({ sequence }) => `/sequences/${sequence}?step=3`,
      async (page) => {
        await heading(/^Step 3:|^Three steps/, 2)(page);
        await page.getByRole('form', { name: 'Test send' }).waitFor();
      },
    ),
    'a sequence with a fault and an offer': at(
      ({ sequence }) => `/sequences/${sequence}?step=1`,
      async (page) => {
        const body = page.getByRole('textbox', { name: 'Text or HTML' });
        await body.fill('{{ contat.name }}');
        await page.getByText('there is no “contat” here').first().waitFor();
        await body.press('Control+ ');
        await page.getByRole('listbox', { name: 'Variables' }).waitFor();
      },
      discard,
    ),
  },
  notifications: {
    'the events': at('/events', (page) => page.getByRole('table').waitFor()),
    'events that none is found among': at('/events?q=nothing-is-called-so', text('No event matches.')),
    'an event, why': at(
      ({ event }) => `/events/${event}`,
      (page) => page.getByRole('list', { name: 'Why' }).waitFor(),
    ),
    'an event, its mails': at(
      ({ event }) => `/events/${event}?tab=mails`,
      (page) => page.getByRole('list', { name: 'Mails' }).waitFor(),
    ),
    'an event, its payload': at(({ event }) => `/events/${event}?tab=payload`, text('"statusAfter": "Open"')),
    'an event, its history': at(
      ({ event }) => `/events/${event}?tab=history`,
      (page) => page.getByRole('list', { name: 'History' }).waitFor(),
    ),
    'an event that is not there': at('/events/evt_zzzz', text('There is no such event here.')),
    'the question before an event is cancelled': at(
      ({ event }) => `/events/${event}`,
      dialog(/^Cancel 1 not yet sent/),
      (page) => page.keyboard.press('Escape'),
    ),
    'the subscriptions': at('/subscriptions', (page) => page.getByRole('table').waitFor()),
    'subscriptions that nobody is found among': at('/subscriptions?q=nobody-so', text(/^No address begins/)),
    'a subscription': at(
      ({ subscription }) => `/subscriptions/${subscription}`,
      (page) => page.getByRole('list', { name: 'History' }).waitFor(),
    ),
    'a subscription, its mails': at(
      ({ subscription }) => `/subscriptions/${subscription}?tab=mails`,
      (page) => page.getByRole('list', { name: 'Mails' }).waitFor(),
    ),
    'a subscription, snoozing': at(
      ({ subscription }) => `/subscriptions/${subscription}`,
      dialog('Snooze…'),
      (page) => page.keyboard.press('Escape'),
    ),
    'a file of subscriptions': at('/subscriptions', dialog('Import CSV'), (page) =>
      page.keyboard.press('Escape'),
    ),
  },
  'templates and suppressions': {
    'the templates': at('/templates', (page) => page.getByRole('table').waitFor()),
    'a template with a fault': at(
      ({ template }) => `/templates/${template}`,
      async (page) => {
        await heading(/^Arabic has a fault/, 2)(page);
        await page.getByRole('button', { name: 'Send test in English…' }).waitFor();
      },
    ),
    'a template, one locale and an offer': at(
      ({ template }) => `/templates/${template}?locale=fr`,
      async (page) => {
        await press(page, 'One');
        await page.getByRole('textbox', { name: 'HTML in French' }).press('Control+ ');
        await page.getByRole('listbox', { name: 'Variables' }).waitFor();
      },
    ),
    'a template that is not there': at('/templates/nothing', text(/There is no such template/)),
    'the suppressions': at('/settings/suppressions', (page) => page.getByRole('table').waitFor()),
    'an address that was asked about': at('/settings/suppressions', async (page) => {
      const ask = page.getByRole('form', { name: 'Would we write to…' });
      await ask.getByLabel('Address').fill('manual@people.example');
      await ask.getByRole('button', { name: 'Ask' }).click();
      await ask
        .getByText(/suppressed by hand/)
        .first()
        .waitFor();
    }),
    'the pages of recipients': at('/settings/recipient-pages', (page) =>
      page.locator('iframe').first().contentFrame().locator('h1').waitFor(),
    ),
    // The last one: it would lie over the next.
    'a complaint that would be removed': at(
      '/settings/suppressions?reason=complaint',
      dialog('Remove complaint@people.example…'),
    ),
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
    'what a search finds': at('/settings/you', async (page) => {
      await text('this one')(page);
      await page.getByRole('combobox', { name: /^Search mail/ }).fill('Autumn');
      await page.getByRole('option', { name: 'Autumn hosts campaign' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'Autumn hosts campaign', selected: true }).waitFor();
    }),
    // The last one: whoever leaves has decided, and one dead letter less is there.
    'a toast': at('/queue?state=dead', async (page) => {
      await page.getByRole('checkbox', { name: 'Select the mail to b.hale+550@example.org' }).check();
      await press(page, 'Dismiss 1');
      await page.getByRole('button', { name: 'Undo' }).focus();
    }),
  },
};

const BEFORE_THE_DOOR: Readonly<Record<string, View>> = {
  'the log-in page': at('/login', heading('Sign in')),
  'an invitation': at(({ invitation }) => invitation, heading('Choose your password')),
  'an invitation that is over': at('/invitation#gone', heading('This invitation is over')),
};

type Sight = readonly [name: string, address: string, look: View['look'], leave?: View['leave']];

const sightsOf = (views: Readonly<Record<string, View>>, house: FullHouse): Sight[] =>
  Object.entries(views).map(([name, { path, look, leave }]) => [name, path(house), look, leave]);

const load = (page: Page, address: string) => page.goto(address);

/** What axe finds, by the sight that it finds it in. */
async function faultsIn(
  sights: readonly Sight[],
  goTo: (page: Page, address: string) => Promise<unknown> = follow,
): Promise<Readonly<Record<string, readonly Violation[]>>> {
  const { page } = await stage().visit('/login');
  const faults: Record<string, readonly Violation[]> = {};
  for (const [name, address, look, leave] of sights) {
    await goTo(page, address);
    await look(page);
    const violations = await axeViolationsInBothThemes(page);
    if (violations.length > 0) faults[name] = violations;
    await leave?.(page);
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
  const paths = [
    '/',
    '/queue',
    '/held',
    '/dead',
    '/inbox',
    '/campaigns',
    '/accounts',
    '/limits',
    '/contacts',
    '/contacts/import',
    '/sequences',
    '/events',
    '/subscriptions',
    '/settings/sending',
    '/settings/keys',
  ];
  expect(await faultsIn(paths.map((path) => [path, path, saysSo]))).toEqual({});
});

describe('where something of every kind is', () => {
  let house: FullHouse;
  beforeAll(async () => {
    house = await fullHouse(stage());
  });

  test.each(Object.entries(VIEWS))('%s: no fault that axe knows', async (_name, views) => {
    expect(await faultsIn(sightsOf(views, house))).toEqual({});
  });

  test('before the door: no fault that axe knows', async () => {
    expect(await faultsIn(sightsOf(BEFORE_THE_DOOR, house), load)).toEqual({});
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

test('a contrast is noticed that a page did not have before, in what stays from view to view as well', async () => {
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await axeViolationsInBothThemes(page)).toEqual([]);
  const restyle = (selector: string, style: string) =>
    page.evaluate(`for (const each of document.querySelectorAll('${selector}')) each.style = '${style}'`);
  const faultsWith = async (selector: string, style: string) => {
    await restyle(selector, style);
    const faults = await axeViolationsInBothThemes(page);
    await restyle(selector, '');
    return faults.map(({ id }) => id);
  };
  const inBoth = ['color-contrast', 'color-contrast'];
  // Of the text itself; of what it stands on; of all that it stands in.
  expect(await faultsWith('nav[aria-label=Main] a', 'color: #888; background: #999')).toEqual(inBoth);
  expect(await faultsWith('nav[aria-label=Main]', 'background: #777')).toEqual(inBoth);
  expect(await faultsWith('main', 'opacity: 0.4')).toEqual(inBoth);
  expect(await axeViolationsInBothThemes(page)).toEqual([]);
});
