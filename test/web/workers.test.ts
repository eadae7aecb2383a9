import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { controlRabbitmq } from '../../scripts/services/rabbitmq-control.mjs';
import { CutLine } from '../cut-line.js';
import { required } from '../postgres.js';
import { axeViolationsInBothThemes } from './axe.js';
import { aMailThatIs, BrokenAccount } from './mails.js';
import { opened, place, toast } from './seen.js';
import { useStage } from './stage.js';

let line: CutLine;
let relay: Pillarbox;
const stage = useStage(async () => {
  const control = await controlRabbitmq(required('TEST_RABBITMQ_DESCRIPTOR'));
  line = await CutLine.to(await control.virtualHost());
  return { AMQP_URL: line.url };
});
let dead = '';
let passedOn = 0;
beforeAll(async () => {
  const observer = { passedOn: (_: unknown, count: number) => void (passedOn += count) };
  relay = await createPillarbox({ databaseUrl: stage().databaseUrl, amqpUrl: line.url, observer });
  await relay.startRelay();
  dead = await aMailThatIs('dead', stage(), { subject: 'Refused' });
});
afterAll(async () => {
  await relay.stop();
  await line.close();
});

const plate = (page: Page, words: RegExp) => page.getByRole('heading', { level: 2, name: words });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('who works, how the broker stands and what it was told are seen, and change while somebody looks', async () => {
  const { page } = await stage().visit('/queue');
  await place(page, 'Workers').click();
  await plate(page, /^Mail is leaving\. .* in the broker/).waitFor();
  await page.getByText(/^1 worker, 1 relay alive/).waitFor();
  const workers = panel(page, 'Workers');
  await workers.getByText('2 alive').waitFor();
  await workers.getByRole('row').filter({ hasText: 'publishes' }).getByText('Alive').waitFor();
  await workers.getByRole('row').filter({ hasText: 'sends' }).getByText('of 20').waitFor();
  const broker = panel(page, 'Broker');
  await broker.getByText(/^RabbitMQ \d/).waitFor();
  await broker.getByText(/^connected since /).waitFor();
  for (const queue of Object.values(QUEUES)) await broker.getByText(queue).waitFor();
  await broker.getByText('1, nobody reads it').waitFor();

  const drawing = panel(page, 'In the broker');
  await drawing.getByRole('img', { name: /^At most \d+ at once\./ }).waitFor();
  await drawing.getByRole('link', { name: '24 h' }).click();
  await page.waitForURL('**/workers?range=24h');
  await drawing.getByRole('button', { name: 'Table' }).click();
  // A day in steps of five minutes, and the head.
  await expect.poll(() => drawing.getByRole('row').count()).toBe(289);
  expect(await axeViolationsInBothThemes(page)).toEqual([]);

  await panel(page, 'Announced dead').getByRole('link', { name: dead }).click();
  await opened(page, 'Refused').waitFor();
});

test('a dead letter that is retried on its page goes through the broker, and is sent', async () => {
  const account = await BrokenAccount.open(stage());
  const id = await account.deadMail({ subject: 'Refused once' });
  const { page } = await stage().visit(`/queue/${id}`);
  const mail = opened(page, 'Refused once');
  await mail.getByText('554 5.7.1 relaying denied').first().waitFor();
  account.repair();
  const before = passedOn;
  await mail.getByRole('button', { name: 'Retry' }).click();
  await toast(page, 'Retried. It is due now.').waitFor();
  await mail.getByText('Sent', { exact: true }).first().waitFor();
  // Told when it is confirmed, which may be after it was delivered.
  await expect.poll(() => passedOn).toBe(before + 1);
  await account.close();
});

test('a broker that is away is told on a phone, with what goes on by itself, and again when it is back', async () => {
  const { page } = await stage().visit('/workers', { viewport: { width: 390, height: 844 } });
  await plate(page, /^Mail is leaving\./).waitFor();
  line.die();
  await plate(page, /^RabbitMQ has not answered for \d+ seconds?\. Nothing is lost\.$/).waitFor();
  await page.getByText('Nothing to do here.').waitFor();
  await panel(page, 'Broker').getByText('does not answer').waitFor();
  await panel(page, 'Broker')
    .getByText(/^as known at /)
    .first()
    .waitFor();
  await panel(page, 'Workers').getByText('waits for the broker').waitFor();
  expect(await axeViolationsInBothThemes(page)).toEqual([]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the details' }).click();
  await toast(page, 'Copied the details.').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('"standing": "down"');
  line.revive();
  await plate(page, /^Mail is leaving\./).waitFor();
  await page.getByText('Nothing to do here.').waitFor({ state: 'detached' });
});

test('only who administers the installation sees it', async () => {
  const { id } = await stage().call('POST', '/api/workspaces', { name: 'Other' });
  const email = 'elsewhere@people.example';
  const password = 'correct horse battery staple';
  await stage().call('POST', '/api/users', { email, password, role: 'admin', workspaceId: id });
  const { page, watch } = await stage().visit('/queue', { as: email });
  await place(page, 'Settings').waitFor();
  expect(await place(page, 'Workers').count()).toBe(0);
  watch.allow(/403/);
  await page.goto('/workers');
  await plate(page, /^The server could not show the workers\.$/).waitFor();
});
