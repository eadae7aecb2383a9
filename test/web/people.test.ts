import { expect, test } from 'vitest';
import { aMailThatIs } from './mails.js';
import { opened, place, rowOf, toast } from './seen.js';
import { NOBODY, useStage } from './stage.js';

const stage = useStage();

test('a person is added with a password that is shown once, and comes in with it', async () => {
  const { page } = await stage().visit('/settings/people');
  await page.getByRole('button', { name: 'Add person' }).click();
  const form = page.getByRole('dialog', { name: 'Add person' });
  await form.getByLabel('Email').fill('nora@people.example');
  await form.getByLabel('Role').selectOption('Viewer');
  await form.getByRole('button', { name: 'Add person' }).click();
  const shown = page.getByRole('dialog', { name: 'Password of nora@people.example' });
  const password = await shown.getByRole('code').innerText();
  await shown.getByRole('button', { name: 'I have it' }).click();
  await rowOf(page, 'nora@people.example').waitFor();
  expect(await page.getByText(password).count()).toBe(0);

  const { page: nora } = await stage().visit('/login', { as: NOBODY });
  await nora.getByLabel('Email').fill('nora@people.example');
  await nora.getByLabel('Password').fill(password);
  await nora.getByRole('button', { name: 'Sign in' }).click();
  await place(nora, 'nora@people.example').waitFor();

  await page.getByRole('button', { name: 'Remove nora@people.example…' }).click();
  await page.getByRole('button', { name: 'Remove nora@people.example', exact: true }).click();
  await toast(page, 'Removed nora@people.example.').waitFor();
  await rowOf(page, 'nora@people.example').waitFor({ state: 'detached' });
  // Where that person still has a page open, it ends by itself.
  await nora.getByRole('dialog', { name: 'You were signed out' }).waitFor();
});

test('a key is shown once and works, until it is revoked', async () => {
  const { page } = await stage().visit('/settings/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.waitFor();
  // The first field has the focus, and Enter sends.
  await page.keyboard.type('shop');
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
  expect(await sections.allInnerTexts()).toEqual(['Workspace', 'You']);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.waitFor();
  expect(await name.isDisabled()).toBe(true);
  for (const section of ['people', 'keys', 'audit']) {
    await page.goto(`/settings/${section}`);
    await page.getByRole('heading', { name: 'Only an admin of this workspace sees this.' }).waitFor();
  }
});
