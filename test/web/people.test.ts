import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { aMailThatIs } from './mails.js';
import { opened, place, rowOf, toast } from './seen.js';
import { NOBODY, useStage } from './stage.js';

const stage = useStage();
const UNATTENDED = 'x-unattended';

test('a person is added with a link that is shown once, and comes in with a password of his own', async () => {
  const { page } = await stage().visit('/settings/people');
  await page.getByRole('button', { name: 'Add person' }).click();
  const form = page.getByRole('dialog', { name: 'Add person' });
  await form.getByLabel('Email').fill('nora@people.example');
  await form.getByLabel('Role').selectOption('Viewer');
  await form.getByRole('button', { name: 'Add person' }).click();
  const link = await linkShown(page);
  await rowOf(page, 'nora@people.example').getByText('invited, not yet in').waitFor();
  expect(await page.content()).not.toContain(link);

  const { page: nora } = await stage().visit(link, { as: NOBODY });
  await nora.getByRole('heading', { level: 1, name: 'Choose your password' }).waitFor();
  await nora.getByText('nora@people.example').waitFor();
  await nora.getByLabel('New password').fill('a password of my own');
  // The token stands in the address only, and goes there with nobody.
  const asked = nora.waitForRequest((request) => request.url().endsWith('/api/auth/invitation'));
  await nora.getByRole('button', { name: 'Set password and sign in' }).click();
  expect((await asked).headers()['referer'] ?? '').not.toContain('#');
  await place(nora, 'nora@people.example').waitFor();
  expect(new URL(nora.url()).hash).toBe('');

  const { page: late } = await stage().visit(link, { as: NOBODY });
  await late.getByRole('heading', { level: 1, name: 'This invitation is over' }).waitFor();
  await late.getByRole('link', { name: 'Sign in' }).click();
  await late.getByLabel('Email').fill('nora@people.example');
  await late.getByLabel('Password').fill('a password of my own');
  await late.getByRole('button', { name: 'Sign in' }).click();
  await place(late, 'nora@people.example').waitFor();

  await page.reload();
  await rowOf(page, 'nora@people.example').waitFor();
  expect(await page.getByText('invited, not yet in').count()).toBe(0);
  await page.getByRole('button', { name: 'New invitation for nora@people.example…' }).click();
  await page.getByRole('button', { name: 'Make a new invitation' }).click();
  expect(await linkShown(page)).not.toBe(link);
  // Her way of before has ended, and so have her pages.
  await nora.getByRole('dialog', { name: 'You were signed out' }).waitFor();

  await page.getByRole('button', { name: 'Remove nora@people.example…' }).click();
  await page.getByRole('button', { name: 'Remove nora@people.example', exact: true }).click();
  await toast(page, 'Removed nora@people.example.').waitFor();
  await rowOf(page, 'nora@people.example').waitFor({ state: 'detached' });
});

/** The link of the dialog that is open, which is then closed. */
async function linkShown(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: 'Invitation for nora@people.example' });
  await shown.getByText(/works once, until .* cannot be shown again/).waitFor();
  const link = await shown.getByRole('code').innerText();
  expect(link).toMatch(new RegExp(`^${stage().url}/invitation#[\\w-]{43}$`));
  await shown.getByRole('button', { name: 'I have it' }).click();
  return link;
}

test('a key is shown once and works, until it is revoked', async () => {
  const { page } = await stage().visit('/settings/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.waitFor();
  // The first field has the focus, and Enter sends.
  await page.keyboard.type('shop');
  await form.getByLabel('Ends').selectOption('In 90 days');
  await form.getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Key shop' });
  await shown.getByText('It is stored only as a hash and cannot be shown again.').waitFor();
  const key = await shown.getByRole('code').innerText();
  // It is too easily lost to close by accident, or by a second Enter.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await shown.getByRole('button', { name: 'I have it' }).click();
  await rowOf(page, 'shop').waitFor();
  await page.reload();
  await rowOf(page, 'shop').waitFor();
  expect(await page.content()).not.toContain(key);
  const { items } = (await stage().call('GET', '/api/keys')) as { items: { expiresAt: string | null }[] };
  const days = (Date.parse(items[0]!.expiresAt!) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);

  const send = () =>
    fetch(`${stage().url}/api/outbox`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ada@example.org', subject: 'From the shop', text: 'Thanks.' }),
    }).then(({ status }) => status);
  expect(await send()).toBe(200);
  await page.getByRole('button', { name: 'Revoke shop…' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke shop?' });
  await question.getByRole('button', { name: 'Revoke shop' }).click();
  await toast(page, 'Revoked shop.').waitFor();
  await rowOf(page, 'shop').waitFor({ state: 'detached' });
  expect(await send()).toBe(401);
});

test('a viewer sees everything and is offered nothing', async () => {
  const id = await aMailThatIs('dead', stage(), { subject: 'Look only' });
  const viewer = await stage().person('viewer');
  const { page } = await stage().visit(`/queue/${id}`, { as: viewer });
  const mail = opened(page, 'Look only');
  await mail.getByText('550 5.1.1 no such user here').first().waitFor();
  await mail.getByText('See you on Monday.').waitFor();
  for (const action of [/^Retry/, /^Dismiss/, /^Cancel/])
    expect(await page.getByRole('button', { name: action }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.keyboard.press('r');

  await place(page, /^Dead letters/).click();
  await page.getByText('Needs a change').waitFor();
  expect(await page.getByRole('button', { name: /^Retry|^Dismiss/ }).count()).toBe(0);

  await place(page, 'Accounts').click();
  await page.getByRole('link', { name: 'box@example.org' }).click();
  await page.getByRole('link', { name: 'Activity' }).waitFor();
  expect(await page.getByRole('button', { name: /^Pause|^Verify|^Edit|^Delete/ }).count()).toBe(0);

  await place(page, 'Dev inbox').click();
  await page.getByRole('heading', { level: 1, name: 'Dev inbox' }).waitFor();
  await page.getByText('Nothing here leaves this machine.').waitFor();
  expect(await page.getByRole('button', { name: /^Empty the inbox/ }).count()).toBe(0);
  expect((await stage().call('GET', `/api/messages/${id}`))['state']).toBe('dead');
});

test('an operator acts on mail, and sees no section that is for admins', async () => {
  const id = await aMailThatIs('dead', stage(), { name: 'otto', subject: 'To be worked on' });
  const operator = await stage().person('operator');
  const { page } = await stage().visit(`/queue/${id}`, { as: operator });
  await opened(page, 'To be worked on').getByRole('button', { name: 'Retry' }).waitFor();

  await place(page, 'Accounts').click();
  await page.getByRole('link', { name: 'box@example.org' }).click();
  await page.getByRole('button', { name: 'Pause…' }).waitFor();
  expect(await page.getByRole('button', { name: /^Edit|^Delete/ }).count()).toBe(0);
  await page.goto('/accounts/new');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Add account' }).count()).toBe(0);

  await place(page, 'Settings').click();
  const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await sections.first().waitFor();
  expect(await sections.allInnerTexts()).toEqual([
    ...['Workspace', 'Sending', 'Suppressions', 'Recipients’ pages', 'You'],
  ]);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.waitFor();
  expect(await name.isDisabled()).toBe(true);
  for (const section of ['people', 'keys', 'audit']) {
    await page.goto(`/settings/${section}`);
    await page.getByRole('heading', { name: 'Only an admin of this workspace sees this.' }).waitFor();
  }
});

test('what a page asks for by itself, with nobody before it, does not count as use', async () => {
  const { page } = await stage().visit('/login', { fresh: true });
  await page.clock.install();
  await page.goto('/queue');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.mouse.move(200, 200);
  const isList = (request: Request) => new URL(request.url()).pathname === '/api/messages';
  const byItself = page.waitForRequest((request) => isList(request) && UNATTENDED in request.headers());
  await page.clock.fastForward('02:00');
  await aMailThatIs('sent', stage(), { subject: 'While nobody looks' });
  await byItself;
  const byHand = page.waitForRequest((request) => isList(request) && !(UNATTENDED in request.headers()));
  await page.getByRole('button', { name: /^State/ }).click();
  await page.getByRole('menuitemcheckbox').first().click();
  await byHand;
});
