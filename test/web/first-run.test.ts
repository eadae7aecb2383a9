import { expect, test } from 'vitest';
import { follow } from './follow.js';
import { untilIs } from './mails.js';
import { opened, place, rowOf, toast } from './seen.js';
import { ADMIN, useStage } from './stage.js';

const stage = useStage();

/** Where to go, what it says there, and what it says next. */
const EMPTY = [
  ['/', 'Nothing has been posted yet.', 'See how to send the first mail'],
  ['/queue', 'Nothing has been posted yet.', 'Waiting for the first mail.'],
  ['/queue?state=held', 'Nothing is held.', 'waits here until a person decides'],
  ['/queue?state=expired', 'No expired mail.', 'any'],
  ['/dead', 'No dead letters.', 'Whatever was accepted has left, waits, or was decided about.'],
  ['/inbox', 'Nothing caught yet.', 'SMTP_URL=smtp://127.0.0.1:'],
  ['/limits', 'Nothing is planned over a limit.', 'Check again'],
  ['/accounts', 'The only account may send now.', 'default'],
] as const;

test('every page of a fresh workspace says that nothing is there yet, and what to do next', async () => {
  const { page } = await stage().visit('/login');
  for (const [path, title, next] of EMPTY) {
    await follow(page, path);
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 2, name: title }).waitFor();
    await main.getByText(next).first().waitFor();
  }
});

test('another workspace begins without keys, audit entries and an inbox', async () => {
  const { page } = await stage().visit('/settings/workspace');
  await page.getByRole('button', { name: 'New workspace…' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('second');
  await form.getByRole('button', { name: 'Make and enter it' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'second' }).waitFor();
  await page.goto('/settings/keys');
  await page.getByRole('heading', { name: 'No API key.' }).waitFor();
  await page.goto('/inbox');
  await page.getByRole('heading', { name: 'No catcher runs here.' }).waitFor();
  await page.getByText('There is no development inbox here').waitFor();
  expect(await place(page, 'Dev inbox').count()).toBe(0);
});

test('“Send a test mail” sends one, which is seen in the queue and in the development inbox', async () => {
  const { page } = await stage().visit('/');
  await page.getByRole('link', { name: 'See how to send the first mail' }).click();
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await toast(page, `A test mail to ${ADMIN} is on its way.`).waitFor();
  const row = rowOf(page, 'A test mail from Pillarbox');
  await row.getByText('Sent', { exact: true }).waitFor();
  await row.getByRole('link').click();
  await opened(page, 'A test mail from Pillarbox').getByText('It went in once and left once.').waitFor();
  await untilIs('sent', 'msg_1', stage());
  await place(page, 'Dev inbox').click();
  await page.getByRole('link', { name: /^A test mail from Pillarbox/ }).waitFor();
  await page.getByRole('article').getByText('It went in once and left once.').waitFor();
  await place(page, 'Overview').click();
  await page.getByRole('link', { name: /^Sent today 1/ }).waitFor();
});
