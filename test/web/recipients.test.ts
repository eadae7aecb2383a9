import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { Office } from '../http/office.js';
import { addPerson } from '../sequences/people.js';
import { axeViolations } from './axe.js';
import { theWorld } from './browser.js';
import { phone, tooWide } from './widths.js';

/** What the readers of mail see, who have no key and no script. */
describe('the page behind the link in a mail', () => {
  let database: FreshDatabase;
  let office: Office;
  let origin: string;
  let page: Page;

  beforeAll(async () => {
    database = await freshSqlite();
    office = await Office.open(
      { databaseUrl: database.url },
      { secret: 'a secret of some length, for tests' },
    );
    origin = await office.app.listen({ host: '127.0.0.1', port: 0 });
    await office.call(office.admin, 'PUT', '/api/settings/workspace', {
      ...{ name: 'Harbour Rooms', postalAddress: '11 Ropewalk Lane\nSaltmere' },
    });
    const { browser } = await theWorld();
    page = await browser.newPage({ ...phone(360, 740), javaScriptEnabled: true });
  });

  afterAll(async () => {
    await page.close();
    await office.close();
    await database.drop();
  });

  const linkOf = async (email: string): Promise<string> => {
    const contactId = parseId('contact', await addPerson(office.box, { email }))!;
    return origin + new URL(office.box.links.unsubscribeUrl(office.box.home.id, contactId, 1)).pathname;
  };

  /** As it stands: readable by anybody, in light and dark, under one thumb, at two widths. */
  async function everybodyCanRead(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
    }
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await tooWide(page)).toEqual([]);
      // A time with its half of the day and its clock is not cut.
      for (const time of await page.locator('input[type=time]').all())
        expect((await time.boundingBox())?.width).toBeGreaterThanOrEqual(128);
    }
    for (const button of await page.getByRole('button').all()) {
      const box = await button.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(50);
      expect(box?.width).toBeGreaterThan(280);
    }
  }

  test('asks, stops, stops everything and takes it back, by touch alone', async () => {
    const faults: string[] = [];
    page.on('console', (said) => faults.push(said.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) foreign.push(request.url());
    });
    const reader = `${'a-very-long-name-of-somebody-'.repeat(2)}@a-long-domain-without-any-blank.example.org`;
    await page.goto(await linkOf(reader));
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const press = (name: string) => page.getByRole('button', { name }).tap();

    await heading('Stop mails from Harbour Rooms?');
    await everybodyCanRead();
    await press('Stop these mails');
    await heading('Stopped. No more of these mails.');
    await everybodyCanRead();
    expect((await office.call(office.admin, 'GET', `/api/suppressions/${reader}`)).data).toMatchObject({
      lanes: ['campaign'],
    });
    await press('Stop everything from Harbour Rooms');
    await heading('Stopped. Nothing more from Harbour Rooms.');
    await press('Take it back');
    await heading('Taken back.');
    await everybodyCanRead();
    expect((await office.call(office.admin, 'GET', `/api/suppressions/${reader}`)).status).toBe(404);

    expect(await page.context().cookies()).toEqual([]);
    expect(foreign).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('of a subscription: confirms, manages, stops and asks for its link, readable by anybody', async () => {
    const { box } = office;
    const add = (topic: string) =>
      box.subscriptions.add({
        topic,
        contactType: 'email',
        contactValue: 'ada@example.org',
        status: 'pending',
      });
    const topic = 'a-long-topic-without-any-blank-'.repeat(3);
    const { id } = await add(topic);
    for (const statusAfter of ['Open', 'A-long-status-without-any-blank-'.repeat(3)])
      await box.events.publish({
        ...{ type: 'moved', topic, template: { id: 'open-seat' }, payload: { statusAfter } },
      });
    await add('Physics');
    const { manageUrl, unsubscribeUrl } = box.links.subscriptionUrls(box.home.id, id);
    const visit = (url: string) => page.goto(origin + new URL(url).pathname);
    const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).tap();

    await visit(box.links.confirmUrl(box.home.id, id, await box.now()));
    await heading(/^Be told about/);
    await everybodyCanRead();
    await press('Yes, tell me');
    await heading(/^Confirmed/);

    await visit(manageUrl);
    await heading(/^Your mails from Harbour Rooms/);
    await page.getByLabel('From').fill('08:00');
    await page.getByLabel('Until').fill('20:30');
    await page.getByLabel('Take a break').selectOption('For a week');
    await page.getByText(/^More about/).tap();
    await page.getByLabel('Open', { exact: true }).check();
    await page.getByLabel('This many mails at most').fill('3');
    await everybodyCanRead();
    await press('Save');
    await page.getByText('Open · 0 of 3 mails sent.').waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('08:00');
    expect(await page.getByLabel('Take a break').locator('option').first().innerText()).toMatch(/^Until /);
    await page.getByLabel('Physics').uncheck();
    await press('Save');
    await page.getByText('Stopped: nothing is sent.').waitFor();
    expect(await page.getByLabel('Physics').isChecked()).toBe(false);
    await everybodyCanRead();

    await visit(unsubscribeUrl);
    await heading(/^No more mails about/);
    await everybodyCanRead();
    await press('Stop this topic');
    await heading(/^Stopped/);
    await everybodyCanRead();
    await page.goto(`${origin}/m`);
    await heading(/^See what you get from Harbour Rooms/);
    await page.locator('header', { hasText: 'Harbour Rooms' }).waitFor();
    await page.getByLabel('Your email address').fill('ada@example.org');
    await everybodyCanRead();
    await press('Send me the link');
    await heading(/^Look into your mails/);
  });

  test('says the same of every link that is none', async () => {
    await page.goto(`${origin}/u/made-up`);
    await page.getByRole('heading', { level: 1, name: 'This link is too old. Ask for a new one.' }).waitFor();
    await everybodyCanRead();
    await page.getByLabel('Your email address').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Send me the link' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Look into your mails.' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/m');
  });
});
