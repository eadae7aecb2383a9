import { expect, test } from 'vitest';
import { axeViolationsInBothThemes } from './axe.js';
import { ADMIN, NOBODY, PASSWORD, useStage } from './stage.js';

const stage = useStage();

test('who is nobody comes to the log-in page, and from there to where he wanted to go', async () => {
  const { page } = await stage().visit('/queue?state=dead', { as: NOBODY });
  await page.waitForURL('**/login?*');
  await page.getByLabel('Email').fill(ADMIN);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stage().url}/queue?state=dead`);
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
});

test('a wrong password is refused in words, and says nothing about who exists', async () => {
  const { page } = await stage().visit('/login', { as: NOBODY });
  for (const email of [ADMIN, 'nobody@example.org']) {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('a wrong one, of some length');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('That email and password do not match.').waitFor();
  }
});

test('after too many wrong passwords it says how long to wait', async () => {
  const email = 'guesser@example.org';
  const wrong = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ email, password: 'a wrong one, of some length' });
  await Promise.all(
    Array.from({ length: 10 }, () => fetch(`${stage().url}/api/auth/login`, { ...wrong, body })),
  );
  const { page } = await stage().visit('/login', { as: NOBODY });
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Too many wrong tries.').waitFor();
  await alert.getByText(/Try again in \d+ minutes\./).waitFor();
});

test('the log-in page has no fault that axe knows', async () => {
  const { page } = await stage().visit('/login', { as: NOBODY });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await axeViolationsInBothThemes(page)).toEqual([]);
});

test('an address that is not there says so inside of the app', async () => {
  const { page, watch } = await stage().visit('/nowhere');
  watch.allow(/^console: .* status of 404 .*\/nowhere\)$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const status = await page.evaluate('performance.getEntriesByType("navigation")[0].responseStatus');
  expect(status).toBe(404);
});
