import { expect, test } from 'vitest';
import { aMailThatIs, BrokenAccount, untilIs, type Fate } from './mails.js';
import { ADMIN, NOBODY, useStage } from './stage.js';
import { SERVER_AWAY } from './watch.js';

const stage = useStage();

test.each<Fate>(['sent', 'dead', 'retrying', 'held', 'waiting'])(
  'a mail that is %s can be had',
  async (fate) => {
    expect(await aMailThatIs(fate, stage())).toMatch(/^msg_/);
  },
);

test('an account whose server refuses everything can be repaired, and what it refused is then delivered', async () => {
  const account = await BrokenAccount.open(stage());
  const id = await account.deadMail({ subject: 'Saved' });
  account.repair();
  await stage().call('POST', `/api/messages/${id}/retry`);
  await untilIs('sent', id, stage());
  const { items } = (await stage().call('GET', '/api/inbox')) as { items: { subject: string }[] };
  expect(items.map(({ subject }) => subject)).toContain('Saved');
  await account.close();
});

test('people have browsers and sessions of their own', async () => {
  const address = await stage().person('viewer');
  const me = `fetch('/api/auth/me').then(async (reply) => (await reply.json()).data.user.email)`;
  const viewer = await stage().visit('/login', { as: address });
  const admin = await stage().visit('/login');
  expect(await viewer.page.evaluate(me)).toBe(address);
  expect(await admin.page.evaluate(me)).toBe(ADMIN);
});

test('a page that misbehaves is noticed, whatever it does', async () => {
  const { page, watch } = await stage().visit('/login', { as: NOBODY });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.evaluate(`(() => {
    console.error('said aloud');
    setTimeout(() => { throw new Error('thrown away') });
    new Image().src = 'https://elsewhere.example/x.png';
    const style = document.createElement('p');
    style.setAttribute('style', 'color: red');
    alert('in the way');
  })()`);
  const kinds = ['console: said aloud', 'error: thrown away', 'request to elsewhere', 'dialog: in the way'];
  const policies = ['content security policy: img-src', 'content security policy: style-src-attr'];
  for (const kind of [...kinds, ...policies]) {
    await expect.poll(() => watch.complaints.join('\n')).toContain(kind);
  }
  watch.allow(/./);
});

test('the service comes back at the same place with all it had', async () => {
  const id = await aMailThatIs('sent', stage(), { subject: 'Before' });
  const { page, watch } = await stage().visit('/settings/you');
  await page.getByText('Live', { exact: true }).waitFor();
  watch.allow(SERVER_AWAY);
  await stage().stop();
  await page.getByText(/^Reconnecting/).waitFor();
  await stage().start();
  expect(await stage().call('GET', `/api/messages/${id}`)).toMatchObject({ subject: 'Before' });
  await page.getByText('Live', { exact: true }).waitFor();
});
