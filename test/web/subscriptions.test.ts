import { expect, test } from 'vitest';
import { aTopic, publish, subscribe } from './notified.js';
import { toast } from './seen.js';
import { useStage } from './stage.js';

const stage = useStage();

test('where nobody has subscribed a page says how, and a file brings some', async () => {
  const { page } = await stage().visit('/subscriptions');
  await page.getByRole('heading', { name: 'Nobody has subscribed yet.' }).waitFor();
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import subscriptions' });
  await dialog.getByLabel('CSV file').setInputFiles({
    ...{ name: 'people.csv', mimeType: 'text/csv' },
    buffer: Buffer.from('email,topic\nann@example.org,harbour\nno address,harbour\nbob@example.org,\n'),
  });
  await dialog.getByLabel('Topic').fill('pier');
  await dialog.getByRole('button', { name: 'Import it' }).click();
  const report = page.getByRole('dialog', { name: '2 subscriptions imported, 0 updated' });
  await report.getByText('1 line was left out.').waitFor();
  await report.getByText('line 3').waitFor();
  await report.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /bob@example.org pier/ }).waitFor();
  await page.getByText('2 active, 2 topics').waitFor();
});

test('a file that is none is refused, and nothing is changed', async () => {
  const { page } = await stage().visit('/subscriptions');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('CSV file').setInputFiles({
    ...{ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nAda\n') },
  });
  await dialog.getByRole('button', { name: 'Import it' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/no column/)
    .waitFor();
  expect(await stage().call('GET', '/api/subscriptions/standing')).toMatchObject({ active: 2 });
});

test('a list tells every state, and its filters stand in the address', async () => {
  const { subscription } = await aTopic(stage());
  const { page } = await stage().visit('/subscriptions?topic=workshop:bread');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}@`) });
  for (const [name, state, last] of [
    ['odile', 'Active', '1 of 7'],
    ['wanda', 'Snoozed', 'until'],
    ['ida', 'Active', '1 dead'],
    ['tove', 'Not confirmed', 'asked'],
    ['paul', 'Paused', 'never'],
    ['rosa', 'Ended', 'ago'],
    ['pavel', 'Suppressed', 'since'],
  ] as const) {
    await row(name).getByText(state, { exact: true }).waitFor();
    await row(name).getByText(last).first().waitFor();
  }
  await page.getByRole('button', { name: /^State/ }).click();
  await page.getByRole('menuitem', { name: 'Suppressed' }).click();
  await page.waitForURL('**/subscriptions?topic=workshop%3Abread&status=suppressed');
  await row('odile').waitFor({ state: 'detached' });
  await row('pavel').getByRole('link').click();
  const drawer = page.getByRole('region', { name: 'pavel@example.org' });
  await drawer
    .getByRole('heading', { name: /^Suppressed since .*: its mailbox is gone\. Nothing is sent\.$/ })
    .waitFor();
  await page.goto(`/subscriptions/${subscription}?status=nonsense`);
  const odile = page.getByRole('region', { name: 'odile@example.org' });
  await odile.getByRole('heading', { name: /^Told 1 of 7 times, last .* ago\. 6 more/ }).waitFor();
  await odile.getByRole('link', { name: '1 other topic' }).click();
  await page.waitForURL('**/subscriptions?q=odile%40example.org');
  await page.getByRole('row', { name: /workshop:rope/ }).waitFor();
});

test('a history tells why somebody was not told, and of what', async () => {
  const { page } = await stage().visit('/subscriptions?topic=workshop:bread');
  for (const [name, headline, sentence] of [
    ['eve', 'Left out', 'wants others, not Open'],
    ['pavel', 'Left out', 'suppressed: nobody writes to this address'],
    ['ida', 'Mail died', 'the template lacks their locale'],
  ] as const) {
    await page.getByRole('link', { name: `${name}@example.org` }).click();
    const drawer = page.getByRole('region', { name: `${name}@example.org` });
    const line = drawer.getByRole('listitem').filter({ hasText: headline });
    await line.getByText(sentence).waitFor();
    await line.getByRole('link', { name: 'Bread by the tide table' }).waitFor();
  }
  await page.getByRole('link', { name: 'eve@example.org' }).click();
  await publish(stage());
  await publish(stage());
  const again = page.getByRole('region', { name: 'eve@example.org' });
  await again.getByText(/wants others, not Open, 3 times since/).waitFor();
});

test('a history tells what was told and who changed what; a person pauses, snoozes and ends it', async () => {
  const id = await subscribe(stage(), 'hana', { topic: 'history' });
  const { page } = await stage().visit(`/subscriptions/${id}`);
  const drawer = page.getByRole('region', { name: 'hana@example.org' });
  const history = drawer.getByRole('list', { name: 'History' });
  await history.getByText('Subscribed', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Pause' }).click();
  await drawer.getByRole('heading', { name: 'Paused. Nothing is sent.' }).waitFor();
  await history.getByText('Paused', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Resume' }).click();
  await history.getByText('Resumed', { exact: true }).waitFor();

  await drawer.getByRole('button', { name: 'Snooze…' }).click();
  await page.getByRole('dialog').getByLabel('For').selectOption('30 days');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze it' }).click();
  await drawer.getByRole('heading', { name: /^Snoozed until .*\. Nothing is sent before\.$/ }).waitFor();
  await history.getByText('not snoozed').waitFor();
  await drawer.getByRole('button', { name: 'Wake it' }).click();
  await drawer.getByRole('heading', { name: 'Not told of anything yet.' }).waitFor();

  await drawer.getByRole('button', { name: 'End this subscription…' }).click();
  const question = page.getByRole('dialog', { name: 'End this subscription?' });
  await question.getByText('coming back needs the person').waitFor();
  await question.getByRole('button', { name: 'End it' }).click();
  await drawer.getByRole('heading', { name: 'Ended. Coming back needs the person.' }).waitFor();
  await history.getByText('Ended', { exact: true }).waitFor();
  expect(await drawer.getByRole('button', { name: /End|Pause|Snooze/ }).count()).toBe(0);
  expect(await stage().call('GET', `/api/subscriptions/${id}`)).toMatchObject({ status: 'unsubscribed' });
});

test('several are chosen, by click and by key, and paused, resumed and ended in one go', async () => {
  for (const name of ['una', 'dua', 'tria']) await subscribe(stage(), name, { topic: 'several' });
  await subscribe(stage(), 'rosa', { topic: 'several', status: 'unsubscribed' });
  const { page } = await stage().visit('/subscriptions?topic=several');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}@`) });
  const bar = page.getByRole('region', { name: 'Selection' });
  await page.getByRole('checkbox', { name: 'Select una@example.org' }).check();
  await page.getByRole('link', { name: 'dua@example.org' }).focus();
  await page.keyboard.press('x');
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Pause 2' }).click();
  await toast(page, 'Paused 2 subscriptions.').waitFor();
  await row('una').getByText('Paused', { exact: true }).waitFor();
  await row('dua').getByText('Paused', { exact: true }).waitFor();
  expect(await bar.count()).toBe(0);

  await page.getByRole('checkbox', { name: 'Select the page' }).check();
  await bar.getByText('4 selected').waitFor();
  await bar.getByRole('button', { name: 'Resume 2' }).click();
  await toast(page, 'Resumed 2 subscriptions.').waitFor();
  await row('dua').getByText('Active', { exact: true }).waitFor();

  await page.getByRole('checkbox', { name: 'Select the page' }).check();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select the page' }).check();
  await bar.getByRole('button', { name: 'End 3…' }).click();
  const question = page.getByRole('dialog', { name: 'End 3 subscriptions?' });
  await question.getByText('coming back needs each person').waitFor();
  await question.getByRole('button', { name: 'End 3 subscriptions' }).click();
  await toast(page, 'Ended 3 subscriptions.').waitFor();
  for (const name of ['una', 'dua', 'tria']) await row(name).getByText('Ended', { exact: true }).waitFor();
});

test('with keys alone: there, down the list, into one and back; who may only read changes nothing', async () => {
  await subscribe(stage(), 'older', { topic: 'keys' });
  await subscribe(stage(), 'newer', { topic: 'keys' });
  const viewer = await stage().person('viewer');
  const { page } = await stage().visit('/settings/you', { as: viewer });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.waitForURL('**/subscriptions');
  await page.getByRole('link', { name: 'newer@example.org' }).waitFor();
  await page.keyboard.press('j');
  expect(await focused()).toBe('newer@example.org');
  await page.keyboard.press('Enter');
  const newer = page.getByRole('region', { name: 'newer@example.org' });
  await newer.getByRole('list', { name: 'History' }).waitFor();
  await page.keyboard.press('j');
  const older = page.getByRole('region', { name: 'older@example.org' });
  await older.getByRole('list', { name: 'History' }).waitFor();
  expect(await older.getByRole('button', { name: /Snooze|Pause|End|manage link/ }).count()).toBe(0);
  await page.keyboard.press('3');
  await older.getByText('"contactValue": "older@example.org"').waitFor();
  await page.keyboard.press('Escape');
  await older.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Import CSV' }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
});
