import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { senderTransport, type MailMessage } from '#pillarbox/transport/mail-sender';
import { feedServer, SECTIONS } from '../../examples/open-seat/feed.js';
import { Poller } from '../../examples/open-seat/poller.js';
import { topicOf } from '../../examples/open-seat/sections.js';
import { freshSqlite, type FreshDatabase } from '../databases.js';

let database: FreshDatabase;
let box: Pillarbox;
const mails: MailMessage[] = [];
const feed = feedServer([...SECTIONS]);

beforeAll(async () => {
  database = await freshSqlite();
  box = await createPillarbox({
    ...{ databaseUrl: database.url, secret: 'a secret of some length, for tests' },
    transport: senderTransport({
      send: (mail) => {
        mails.push(mail);
        return Promise.resolve({ status: 'sent', provider: 'test' });
      },
    }),
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  feed.close();
  feed.closeAllConnections();
  await box.stop();
  await database.drop();
});

test('a seat that opens is told to those who wait for it, once, in their language', async () => {
  const origin = `http://127.0.0.1:${String((feed.address() as AddressInfo).port)}`;
  const set = (index: string, status: string) =>
    fetch(`${origin}/sections/${index}`, { method: 'PUT', body: JSON.stringify({ status }) });
  const part = (name: string) =>
    readFile(new URL(`../../examples/open-seat/templates/open-seat.v1.fr.${name}`, import.meta.url), 'utf8');
  await box.templates.save({
    ...{ id: 'open-seat', version: 'v1', locale: 'fr', subject: (await part('subject')).trim() },
    ...{ html: await part('html'), text: await part('txt') },
  });
  const [algebra, structures] = SECTIONS;
  for (const [section, contactValue, locale] of [
    [algebra!, 'ada@example.org', 'en'],
    [algebra!, 'blaise@example.org', 'fr'],
    [structures!, 'grace@example.org', 'en'],
  ] as const)
    await box.subscriptions.add({ topic: topicOf(section), contactType: 'email', contactValue, locale });

  await box.start();
  const poller = new Poller(box.events, { feedUrl: `${origin}/sections`, everyMs: 1, warn: () => undefined });
  expect(await poller.look()).toBe(0);
  await set('09214', 'Open');
  expect(await poller.look()).toBe(1);
  expect(await poller.look()).toBe(0);
  // Open, closed and open again within three minutes is one event.
  await set('09214', 'Closed');
  await poller.look();
  await set('09214', 'Open');
  expect(await poller.look()).toBe(1);

  await expect.poll(() => mails.length).toBe(2);
  const told = new Map(mails.map((mail) => [mail.to.email, mail]));
  expect(told.get('ada@example.org')).toMatchObject({
    subject: 'A seat is open: Linear Algebra (09214)',
    text: expect.stringContaining('01:640:250 Linear Algebra'),
    unsubscribeUrl: expect.stringContaining('/u/'),
  });
  expect(told.get('blaise@example.org')).toMatchObject({
    ...{
      subject: 'Une place est libre : Linear Algebra (09214)',
      html: expect.stringContaining('lang="fr"'),
    },
  });
  const { items } = await box.events.list();
  expect(items).toHaveLength(1);
});
