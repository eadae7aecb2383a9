import { expect, test } from 'vitest';
import { untilIs } from './mails.js';
import { descriptionOf, opened, place, rowOf, toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

async function anAccount(name: string): Promise<string> {
  const transport = { kind: 'smtp', url: stage().catcherUrl };
  const account = { name, emailAddress: `${name}@example.org`, transport };
  return String((await stage().call('POST', '/api/accounts', account))['id']);
}

test('a paused account keeps its mail, says why, and sends it once it is resumed', async () => {
  const accountId = await anAccount('bookings');
  const { page } = await stage().visit('/accounts');
  await page.getByRole('link', { name: 'bookings@example.org' }).click();
  await page.getByRole('button', { name: 'Pause…' }).click();
  const question = page.getByRole('dialog', { name: 'Pause bookings' });
  await question.getByLabel('Reason').fill('the password is being changed');
  await question.getByRole('button', { name: 'Pause bookings' }).click();
  await toast(page, 'bookings is paused.').waitFor();
  await page.getByText('Paused: the password is being changed').first().waitFor();

  const mail = { to: 'ada@example.org', subject: 'Held back', text: 'Later.', mode: 'queue', accountId };
  const id = String((await stage().call('POST', '/api/outbox', mail))['id']);
  await place(page, 'Queue').click();
  await rowOf(page, 'Held back').getByRole('link').click();
  await opened(page, 'Held back')
    .getByRole('heading', { name: /paused.*the password is being changed/ })
    .waitFor();

  await place(page, 'Accounts').click();
  await rowOf(page, 'bookings@').getByRole('link', { name: '1 mail waits' }).waitFor();
  await page.getByRole('link', { name: 'bookings@example.org' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  const release = page.getByRole('dialog', { name: 'Resume bookings?' });
  await release.getByText('1 mail waits for it.').waitFor();
  await release.getByRole('button', { name: 'Resume' }).click();
  await toast(page, 'bookings may send again.').waitFor();
  await untilIs('sent', id, stage());
  await page.getByRole('button', { name: 'Pause…' }).waitFor();
  await place(page, 'Accounts').click();
  await rowOf(page, 'bookings@').getByText('Active', { exact: true }).waitFor();
});

test('an account is added; what is wrong with it stands under its field, and the rest stays as typed', async () => {
  await anAccount('taken');
  const { page } = await stage().visit('/accounts');
  await page.getByRole('link', { name: 'Add account' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const server = page.getByRole('textbox', { name: 'Server' });
  await name.fill('taken');
  await page.getByRole('textbox', { name: 'Address' }).fill('new@example.org');
  await server.fill('not a server');
  const add = page.getByRole('button', { name: 'Add account' });
  await add.click();
  await expect.poll(() => server.getAttribute('aria-invalid')).toBe('true');
  expect(await descriptionOf(server)).toMatch(/smtp:\/\//);
  expect(await server.evaluate('document.activeElement?.value')).toBe('not a server');

  await server.fill(stage().catcherUrl);
  await add.click();
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  expect(await descriptionOf(name)).toMatch(/^Another account of this workspace has it\./);
  expect(await server.getAttribute('aria-invalid')).toBeNull();

  await name.fill('newcomer');
  await add.click();
  await toast(page, 'Added newcomer. Verify it before mail leaves through it.').waitFor();
  await page.waitForURL('**/accounts/acc_*');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('It connected and signed in. No mail was sent.').waitFor();
});
