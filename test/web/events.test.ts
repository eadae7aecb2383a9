import { expect, test } from 'vitest';
import { inAnHour, manySnoozed, publish, subscribe, untilCounts } from './notified.js';
import { useStage } from './stage.js';

const stage = useStage();

test('where nothing has happened a page says how, and the first event comes by itself', async () => {
  await subscribe(stage(), 'ada', { topic: 'first' });
  const { page } = await stage().visit('/events');
  await page.getByRole('heading', { name: 'Nothing has happened yet.' }).waitFor();
  const command = (await page.getByRole('group', { name: 'The command' }).textContent())!;
  expect(command).toContain('/api/events');
  // What stands there works as it stands.
  const body = JSON.parse(/-d '([^]*)'/.exec(command)![1]!) as object;
  await stage().call('POST', '/api/events', { ...body, topic: 'first' });
  const row = page.getByRole('row', { name: /Bread by the tide table/ });
  await row.waitFor();
  await row.getByText('all told').waitFor();
  await page.getByText('1 in 7 days').waitFor();
});

/** Hundreds of mails leave: more than are told with the answer, so that workers do the rest. */
const MANY_MS = 120_000;

test(
  'somebody watches an event being told, to everybody who wants to know',
  { timeout: MANY_MS },
  async () => {
    const response = await stage().importSubscriptions(
      `topic,email\n${Array.from({ length: 510 }, (_, n) => `told,told${n}@example.org`).join('\n')}`,
    );
    expect(response).toMatchObject({ imported: 510 });
    await subscribe(stage(), 'closed', { topic: 'told', preferences: { notifyOn: ['Closed'] } });
    const { page } = await stage().visit('/events');
    await page.getByRole('table').waitFor();
    const id = await publish(stage(), { topic: 'told', type: 'told.now' });
    const row = page.getByRole('row', { name: /told\.now/ });
    await row.getByRole('link', { name: 'Bread by the tide table' }).click();
    const drawer = page.getByRole('region', { name: 'Bread by the tide table' });
    await page.waitForURL(`**/events/${id}`);
    await drawer.getByRole('heading', { name: 'Told 510 of 511; 1 skipped.' }).waitFor({ timeout: MANY_MS });
    await drawer.getByRole('link', { name: '510 sent: its mails' }).waitFor();
    await drawer.getByRole('list', { name: 'Why' }).getByText('wants others, not Open').waitFor();
    await row.getByText('all told').waitFor();
    await drawer.getByRole('tab', { name: 'Mails 510' }).click();
    await drawer.getByRole('link', { name: 'All 510 in the queue' }).click();
    await page.waitForURL(`**/queue?eventId=${id}`);
    await page
      .getByRole('link', { name: /^told\d+@example.org$/ })
      .first()
      .waitFor();
  },
);

test('somebody cancels an event while it is told: what has not left never will', async () => {
  await stage().importSubscriptions(manySnoozed('ferry', 510));
  const id = await publish(stage(), { topic: 'ferry', type: 'ferry.cancelled' });
  const { page } = await stage().visit(`/events/${id}`);
  const drawer = page.getByRole('region', { name: 'Bread by the tide table' });
  await drawer.getByRole('button', { name: /^Cancel [\d,]+ not yet sent…/ }).waitFor();
  await page.keyboard.press('c');
  const question = page.getByRole('dialog', { name: 'Cancel 510 mails of this event?' });
  await question.getByText('It cannot be undone').waitFor();
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await question.getByRole('button', { name: 'Cancel 510' }).click();
  await drawer
    .getByRole('heading', { name: 'Cancelled by admin@localhost; 0 had left, 510 never will.' })
    .waitFor();
  await drawer.getByRole('tab', { name: 'History' }).click();
  await drawer.getByRole('list', { name: 'History' }).getByText('by admin@localhost').first().waitFor();
  expect(await drawer.getByRole('button', { name: /^Cancel/ }).count()).toBe(0);
  await expect
    .poll(async () => (await stage().call('GET', `/api/events/${id}`))['progress'], { timeout: 120_000 })
    .toMatchObject({ done: true });
  expect(await stage().call('GET', `/api/events/${id}`)).toMatchObject({
    counts: { sent: 0, scheduled: 0 },
  });
});

test('dead mails lead to the template and are tried again; payload and filters are there', async () => {
  await subscribe(stage(), 'ida', { topic: 'late', locale: 'it' });
  const event = { topic: 'late', type: 'late.one', dedupeKey: 'k', traceId: 'trace-of-it-all' };
  const id = await publish(stage(), event);
  expect(await publish(stage(), event)).toBe(id);
  await untilCounts(stage(), id, { dead: 1 });
  const { page } = await stage().visit('/events?type=late.one');
  await page.getByRole('row', { name: /1 dead/ }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: 'Bread by the tide table' }).click();
  const drawer = page.getByRole('region', { name: 'Bread by the tide table' });
  await drawer.getByRole('heading', { name: 'Told 0 of 1. 1 mail died.' }).waitFor();
  expect(await drawer.getByRole('link', { name: 'Open the template' }).getAttribute('href')).toBe(
    '/templates/open-seat',
  );
  await drawer.getByText('template_missing_locale', { exact: true }).waitFor();
  await drawer.getByRole('tab', { name: 'Payload' }).click();
  await drawer.getByText('"courseTitle": "Bread by the tide table"').waitFor();
  await drawer.getByRole('tab', { name: 'History' }).click();
  await drawer.getByText(/^by \S.*; 1 active subscription matched\.$/).waitFor();
  await drawer.getByText('with the same key within 3 minutes: nobody was told twice.').waitFor();
  await drawer.getByRole('tab', { name: 'Why' }).click();
  const why = drawer.getByRole('list', { name: 'Why' });
  // Where there is one cause, its own button is the only one.
  expect(await drawer.getByRole('button', { name: /^Retry/ }).count()).toBe(1);
  await why.getByRole('button', { name: 'Retry 1…' }).click();
  const question = page.getByRole('dialog', { name: 'Retry 1 dead mail of this event?' });
  await question.getByText('Of template_missing_locale: the template lacks their locale.').waitFor();
  await question.getByRole('button', { name: 'Retry 1' }).click();
  await page.getByText('1 mail will be tried again.').waitFor();
});

test('each cause of dead mails leads to its own mails, and is tried again by itself', async () => {
  await subscribe(stage(), 'ida', { topic: 'two', locale: 'it' });
  await subscribe(stage(), 'isa', { topic: 'two', locale: 'en' });
  const inEnglish = { id: 'two', version: 'v1', locale: 'en', subject: 'Two', text: '{{ nowhere }}' };
  await stage().call('POST', '/api/templates', inEnglish);
  const id = await publish(stage(), { topic: 'two', type: 'two.one', template: { id: 'two' } });
  await untilCounts(stage(), id, { dead: 2 });
  const { page } = await stage().visit(`/events/${id}`);
  const drawer = page.getByRole('region', { name: 'Bread by the tide table' });
  await drawer.getByRole('button', { name: 'Retry 2 dead…' }).waitFor();
  const lacks = drawer.getByRole('listitem').filter({ hasText: 'template_missing_variable' });
  await lacks.getByRole('button', { name: 'Retry 1…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry 1' }).click();
  await page.getByText('1 mail will be tried again.').waitFor();
  await untilCounts(stage(), id, { dead: 2 });
  await lacks.getByRole('link', { name: /^1 .*: their mails$/ }).click();
  await page.waitForURL(`**/queue?eventId=${id}&*`);
  expect(new URL(page.url()).searchParams.get('reason')).toBe('template_missing_variable');
  await page.getByRole('link', { name: 'isa@example.org' }).waitFor();
  expect(await page.getByRole('link', { name: 'ida@example.org' }).count()).toBe(0);
});

test('with keys alone: there, down the list, into one, through its tabs, and back', async () => {
  await subscribe(stage(), 'keys', { topic: 'keys' });
  for (const title of ['Older', 'Newer']) {
    const id = await publish(stage(), { topic: 'keys', type: 'keys.one', payload: { title } });
    await untilCounts(stage(), id, { scheduled: 0, sending: 0 });
  }
  const { page } = await stage().visit('/settings/you');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.waitForURL('**/events');
  await page.getByRole('link', { name: 'Newer' }).waitFor();
  await page.keyboard.press('f');
  await page.keyboard.type('keys');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/events?q=keys');
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Newer');
  await page.keyboard.press('Enter');
  const newer = page.getByRole('region', { name: 'Newer' });
  await newer.waitFor();
  await expect.poll(focused).toBe('Newer');
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Older' }).waitFor();
  await page.keyboard.press('k');
  await newer.waitFor();
  await page.keyboard.press('3');
  await newer.getByRole('tab', { name: 'Payload', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  await newer.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Newer');
});

test('who may only read sees all of it and can change nothing', async () => {
  await subscribe(stage(), 'reader', { topic: 'read', preferences: { snoozeUntil: inAnHour() } });
  const id = await publish(stage(), { topic: 'read' });
  await untilCounts(stage(), id, { scheduled: 1 });
  const viewer = await stage().person('viewer');
  const { page } = await stage().visit(`/events/${id}`, { as: viewer });
  const drawer = page.getByRole('region', { name: 'Bread by the tide table' });
  await drawer.getByRole('heading', { name: 'Told 0 of 1; 1 waits.' }).waitFor();
  await drawer
    .getByText(/waits? for (its|their) hours/)
    .first()
    .waitFor();
  await drawer.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await drawer.getByRole('button', { name: /Cancel|Retry/ }).count()).toBe(0);
  await page.goto('/events/evt_zzzz');
  await page.getByText('There is no such event here.').waitFor();
});
