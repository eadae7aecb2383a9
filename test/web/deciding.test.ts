import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aMailThatIs, BrokenAccount, untilIs } from './mails.js';
import { opened, place, rowOf, toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

const stateOf = async (id: string): Promise<unknown> =>
  (await stage().call('GET', `/api/messages/${id}`))['state'];

async function caught(subject: string): Promise<number> {
  const { items } = (await stage().call('GET', '/api/inbox')) as { items: { subject: string }[] };
  return items.filter((mail) => mail.subject === subject).length;
}

test('who finds a failed mail retries it, and sees it in the development inbox as its recipient would', async () => {
  const account = await BrokenAccount.open(stage());
  await account.deadMail({ subject: 'Your room', html: '<h1 style="color: teal">Room 12 is yours</h1>' });
  await aMailThatIs('sent', stage(), { name: 'sam' });
  const { page } = await stage().visit('/queue');
  await rowOf(page, 'sam@').waitFor();
  await page.getByRole('button', { name: 'State any' }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Dead/ }).click();
  await page.waitForURL('**/queue?state=dead');
  await page.keyboard.press('Escape');
  await rowOf(page, 'sam@').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'ada@example.org' }).click();
  const mail = opened(page, 'Your room');
  await mail.getByText('554 5.7.1 relaying denied').first().waitFor();

  account.repair();
  await mail.getByRole('button', { name: 'Retry' }).click();
  await toast(page, 'Retried. It is due now.').waitFor();
  await mail.getByText('Sent', { exact: true }).first().waitFor();
  await expect.poll(() => mail.getByRole('button', { name: 'Retry' }).count()).toBe(0);

  await place(page, 'Dev inbox').click();
  await page.getByRole('link', { name: /^Your room/ }).click();
  const frame = page.frameLocator('iframe[title="The mail: Your room"]');
  await frame.getByRole('heading', { name: 'Room 12 is yours' }).waitFor();
  await account.close();
});

async function dismissed(subject: string): Promise<{ readonly id: string; readonly page: Page }> {
  const id = await aMailThatIs('dead', stage(), { name: 'dora', subject });
  const { page } = await stage().visit('/login', { fresh: true });
  await page.clock.install();
  await page.goto(`/queue/${id}`);
  await opened(page, subject).getByRole('button', { name: 'Dismiss' }).click();
  await toast(page, 'Dismissed.').waitFor();
  await opened(page, subject).getByText('It is being dismissed.').waitFor();
  return { id, page };
}

test('a dismissal can be undone, and then nothing has happened', async () => {
  const { id, page } = await dismissed('Undone');
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened(page, 'Undone').getByRole('button', { name: 'Retry' }).waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  // Neither time nor leaving sends it now.
  await page.clock.runFor(8_000);
  await page.reload();
  await opened(page, 'Undone').getByRole('button', { name: 'Dismiss' }).waitFor();
  expect(await stateOf(id)).toBe('dead');
});

test('a dismissal that nobody undoes is sent once its seven seconds are over', async () => {
  const { id, page } = await dismissed('Let go');
  await page.clock.runFor(5_000);
  expect(await stateOf(id)).toBe('dead');
  await page.clock.runFor(3_000);
  await untilIs('cancelled', id, stage());
  await opened(page, 'Let go').getByText('Cancelled', { exact: true }).first().waitFor();
});

test('who closes the page has decided: a dismissal is sent at once', async () => {
  const { id, page } = await dismissed('Left behind');
  expect(await stateOf(id)).toBe('dead');
  await page.close();
  await untilIs('cancelled', id, stage());
});

test('a held mail is noted as sent', async () => {
  const id = await aMailThatIs('held', stage(), { name: 'hanna', subject: 'It arrived' });
  const { page } = await stage().visit('/held');
  await page.waitForURL('**/queue?state=held');
  await rowOf(page, 'It arrived').getByRole('link').click();
  await opened(page, 'It arrived').getByRole('button', { name: 'It was sent' }).click();
  await toast(page, 'Noted as sent.').waitFor();
  await rowOf(page, 'It arrived').getByText('Sent', { exact: true }).waitFor();
  expect(await stateOf(id)).toBe('sent');
  expect(await caught('It arrived')).toBe(1);
});

test('a held mail is sent again by who says so twice, and by nobody else', async () => {
  const id = await aMailThatIs('held', stage(), { name: 'hugo', subject: 'Once more' });
  const { page } = await stage().visit(`/queue/${id}?state=held`);
  const again = opened(page, 'Once more').getByRole('button', { name: 'Send it again…' });
  const question = page.getByRole('dialog', { name: 'Send it again?' });
  await again.click();
  await question.getByText('hugo+drop@example.org may get two copies').waitFor();
  // The safe answer has the focus.
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await stateOf(id)).toBe('held');

  await again.click();
  await question.getByRole('button', { name: 'Send it again' }).click();
  await toast(page, 'It is sent again.').waitFor();
  await expect.poll(() => caught('Once more')).toBe(2);
});

test('of two people who press Retry the second hears who was first, and sees what became of it', async () => {
  const account = await BrokenAccount.open(stage());
  const id = await account.deadMail({ subject: 'Wanted by two' });
  account.repair();
  const jonas = await stage().person('operator', 'jonas');
  const { page: first } = await stage().visit(`/queue/${id}?state=dead`, { as: jonas });
  const { page: second } = await stage().visit(`/queue/${id}?state=dead`);
  const retry = opened(second, 'Wanted by two').getByRole('button', { name: 'Retry' });
  // A page that is still coming may let its requests pass a route that is set meanwhile.
  await retry.waitFor();
  let arrive: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await second.route('**/retry', async (route) => {
    await arrival;
    await route.continue();
  });
  await retry.click();
  await opened(first, 'Wanted by two').getByRole('button', { name: 'Retry' }).click();
  await toast(first, 'Retried. It is due now.').waitFor();
  arrive();
  await toast(second, /^Already retried by jonas@people\.example, (?:just now|\d+ s ago)/).waitFor();
  await rowOf(second, 'Wanted by two').getByText('Sent', { exact: true }).waitFor();
  await expect.poll(() => second.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  expect(await caught('Wanted by two')).toBe(1);
  await account.close();
});

test('a scheduled mail is cancelled for good, after a question', async () => {
  const id = await aMailThatIs('waiting', stage(), { name: 'wanda', subject: 'Not needed' });
  const { page } = await stage().visit('/queue?state=scheduled');
  await rowOf(page, 'Not needed').getByRole('link').click();
  await opened(page, 'Not needed').getByRole('button', { name: 'Cancel…' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel this mail?' });
  await question.getByText("A cancelled mail can't be brought back.").waitFor();
  expect(await stateOf(id)).toBe('scheduled');
  await question.getByRole('button', { name: 'Cancel the mail' }).click();
  await toast(page, 'Cancelled. It will not be sent.').waitFor();
  await rowOf(page, 'Not needed').getByText('Cancelled', { exact: true }).waitFor();
  expect(await stateOf(id)).toBe('cancelled');
});
