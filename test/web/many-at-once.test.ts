import { test } from 'vitest';
import { aMailThatIs, BrokenAccount, untilIs } from './mails.js';
import { rowOf, toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

test('a range is selected, its mix is named, and each action says how many it touches', async () => {
  const account = await BrokenAccount.open(stage());
  const dead = await Promise.all(
    ['anna', 'bert', 'carl'].map((name) => account.deadMail({ to: `${name}@example.org`, subject: 'Bulk' })),
  );
  await aMailThatIs('held', stage(), { name: 'hanna' });
  await aMailThatIs('sent', stage(), { name: 'sam' });
  await aMailThatIs('sent', stage(), { name: 'tina' });
  account.repair();
  const { page } = await stage().visit('/queue');
  const boxes = page.getByRole('checkbox', { name: /^Select the mail to/ });
  await rowOf(page, 'tina@').waitFor();
  await page.getByRole('checkbox', { name: 'Select the mail to sam@example.org' }).click();
  await boxes.last().click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('5 selected').waitFor();
  await bar.getByText('3 dead, 1 held, 1 sent').waitFor();
  await bar.getByRole('button', { name: 'Decide 1 held…' }).waitFor();
  await bar.getByRole('button', { name: 'Dismiss 4…' }).waitFor();

  // Somebody else is first with one of them, while the request is on its way.
  await page.route('**/api/messages/bulk', async (route) => {
    await stage().call('POST', `/api/messages/${dead[1]!}/retry`);
    await untilIs('sent', dead[1]!, stage());
    await route.continue();
  });
  await bar.getByRole('button', { name: 'Retry 3 dead' }).click();
  await toast(page, 'Retried 2. 1 had already been retried.').waitFor();
  await bar.waitFor({ state: 'detached' });
  for (const name of ['anna', 'bert', 'carl'])
    await rowOf(page, `${name}@`).getByText('Sent', { exact: true }).waitFor();
  await rowOf(page, 'hanna+drop@').getByText('Held', { exact: true }).waitFor();
  await account.close();
});

test('all letters that died of one cause are retried together, after a question where a change is needed', async () => {
  const account = await BrokenAccount.open(stage(), '554 5.7.1 relaying denied by policy');
  const ids = await Promise.all(
    ['emil', 'fay', 'gus'].map((name) => account.deadMail({ to: `${name}@example.org`, subject: 'Group' })),
  );
  await aMailThatIs('dead', stage(), { name: 'other' });
  const { page } = await stage().visit('/dead');
  await page.getByRole('heading', { name: /^4 dead letters have 2 causes\./ }).waitFor();
  const cause = rowOf(page, '554 5.7.1');
  await cause.getByRole('link', { name: '3 letters of 554 5.7.1, in the queue' }).waitFor();
  account.repair();
  await cause.getByRole('button', { name: 'Retry 3 of 554 5.7.1…' }).click();
  const question = page.getByRole('dialog', { name: 'Retry 3 letters that need a change?' });
  await question.getByText('all 3 are due at once').waitFor();
  await question.getByRole('button', { name: 'Retry 3' }).click();
  await toast(page, 'Retried 3 letters.').waitFor();
  for (const id of ids) await untilIs('sent', id, stage());
  await page.getByRole('heading', { name: /^1 dead letter has 1 cause\./ }).waitFor();
  await cause.waitFor({ state: 'detached' });
  await rowOf(page, '550 5.1.1').waitFor();
  await account.close();
});
