import { expect, test } from 'vitest';
import { ALWAYS, guardedAccount, planFor } from './guarded.js';
import { untilIs } from './mails.js';
import { descriptionOf, opened, place, rowOf, toast } from './seen.js';
import { useStage } from './stage.js';
import { phone } from './widths.js';

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

test('the list says what binds each account; keys walk it, and what is below follows', async () => {
  // Without it, what binds towards midnight is how many still fit.
  await stage().call('PUT', '/api/settings/sending', { spacing: { minSeconds: 0, maxSeconds: 0 } });
  const first = await guardedAccount(stage(), 'walked', { dailyLimitEmails: 2 });
  await guardedAccount(stage(), 'ramping', { rampUp: { enabled: true, start: 3, step: 2 } });
  const transport = { kind: 'unipile', baseUrl: 'http://127.0.0.1:9', apiKey: 'k', accountId: 'a' };
  await stage().call('POST', '/api/accounts', {
    name: 'network',
    type: 'linkedin',
    transport,
    window: ALWAYS,
  });
  await planFor(stage(), first, 3);
  const { page } = await stage().visit('/accounts');
  const row = rowOf(page, 'walked');
  await row.getByText('2 a day, its own').waitFor();
  await row.getByText('next: workspace 100 a day').waitFor();
  await row.getByText('0 of 2').waitFor();
  await row.getByRole('img', { name: 'all day' }).waitFor();
  await rowOf(page, 'ramping').getByText('ramp-up, day 1: 3').waitFor();
  for (const does of ['messages', 'requests', 'InMails'])
    await rowOf(page, `${does} · Unipile`).getByText('Active').waitFor();
  await rowOf(page, 'requests · Unipile').getByText('next: 100 requests a week: 0 used').waitFor();

  // The row that is looked at is the one that the panel is about.
  const present = page.locator('tr[aria-current]');
  const panel = page.getByRole('region', { name: 'ramping, today' });
  const names = await page.getByRole('main').getByRole('row').allInnerTexts();
  for (let n = 0; n < names.length && !(await present.innerText()).includes('ramping'); n += 1)
    await page.keyboard.press('j');
  await panel.getByText('3 on day 1, binds now').waitFor();
  const days = page.getByRole('region', { name: 'ramping, ramp-up' });
  await days.getByRole('button', { name: 'Table' }).click();
  const cells = days.getByRole('row', { name: /^2 / }).getByRole('cell');
  expect(await cells.allInnerTexts()).toEqual(['0', '0', '5']);
  await rowOf(page, 'ramping')
    .getByRole('link', { name: /guarded@/ })
    .focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/accounts/acc_*');
  await page.getByRole('heading', { name: 'ramping may send now.' }).waitFor();
});

test('on a phone an account that is paused comes first and can be resumed', async () => {
  await stage().call('POST', '/api/accounts', {
    ...{ name: 'stopped', emailAddress: 'stopped@example.org', status: 'paused', pauseReason: 'we moved' },
    transport: { kind: 'smtp', url: stage().catcherUrl },
  });
  const { page } = await stage().visit('/accounts', phone(390, 844));
  const card = page.getByRole('listitem').filter({ hasText: 'stopped@example.org' });
  await card.getByText('we moved').waitFor();
  expect(await page.getByRole('main').getByRole('listitem').first().innerText()).toContain('Paused');
  await card.getByRole('button', { name: 'Resume' }).tap();
  await toast(page, 'stopped may send again.').waitFor();
  await card.getByText('Active').waitFor();
});

test('mail is signed with a key that is made; the record to publish is shown, and it can end', async () => {
  const { id } = await stage().call('POST', '/api/accounts', {
    ...{ name: 'signing', emailAddress: 'signing@house.test' },
    transport: { kind: 'smtp', url: stage().catcherUrl },
  });
  const { page } = await stage().visit(`/accounts/${String(id)}`);
  const panel = page.getByRole('region', { name: 'Signature' });
  await panel.getByRole('button', { name: 'Sign its mail…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign its mail' });
  const selector = dialog.getByRole('textbox', { name: 'Selector' });
  await selector.fill('not one');
  await dialog.getByRole('button', { name: 'Make a key and sign' }).click();
  await expect.poll(() => selector.getAttribute('aria-invalid')).toBe('true');
  await selector.fill('s1');
  await page.keyboard.press('Enter');
  await toast(page, 'Mail of signing is signed. Publish its record.').waitFor();
  await panel.getByText('s1._domainkey.house.test', { exact: true }).waitFor();
  await panel.getByText(/^v=DKIM1; k=rsa; p=/).waitFor();
  await panel.getByRole('button', { name: 'Stop signing…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop signing' }).click();
  await panel.getByText('DKIM is off').waitFor();
});
