import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropNotices, setNotices, tellNotice } from '#pillarbox/demo/notices';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { freshSqlite, type FreshDatabase } from '../databases.js';

let database: FreshDatabase;
let box: Pillarbox;
let bornAt: number;

beforeAll(async () => {
  database = await freshSqlite();
  box = await createPillarbox({ databaseUrl: database.url, secret: 'a secret for tests, of some length' });
  bornAt = await box.now();
  await setNotices(box);
});
afterAll(async () => {
  await box.stop();
  await database.drop();
});

const events = async () => (await box.events.list()).items;
const waiting = async () => (await events()).reduce((sum, { counts }) => sum + counts.scheduled, 0);
const asking = async () =>
  (await box.messages.list({ state: 'scheduled', limit: 200 })).items.filter(({ lane }) => lane === 'outbox');

test('one who is told, one who waits, and some who are left out, of an event of the past', async () => {
  const first = (await events()).at(-1)!;
  expect(first.title).toBe('The loft over the boats is free again');
  expect(first.event.event_at).toBeLessThan(bornAt);
  const { reasons } = await box.events.get('evt_1');
  expect(reasons.map(({ reason }) => reason)).toContain('snoozed');
  expect(first.counts.skipped).toBeGreaterThan(0);
});

test.each([
  ['en', 'The garden room is free again: 4 nights', 'Whoever answers first has it.'],
  ['fr', 'The garden room, de nouveau libre : 4 nuits', 'La première réponse l’emporte.'],
])('what a guest who reads %s is told makes sense', async (locale, subject, last) => {
  const payload = {
    ...{ title: 'The garden room is free again', room: 'The garden room', nights: 4 },
    ...{ arrival: '2026-11-20', price: '€74' },
  };
  const said = (statusAfter: string) =>
    box.templates.preview({ id: 'room-free', locale, payload: { ...payload, statusAfter } });
  const free = await said('Free');
  expect(free.faults).toEqual([]);
  expect(free.subject).toContain(subject);
  expect(free.text).toContain(last);
  expect((await said('Booked')).text).not.toContain(last);
});

test('nothing is told between the times, and at its time once, whoever else tells it', async () => {
  const before = (await events()).length;
  for (const slot of [0, 5, 7, 41]) await tellNotice(box, slot, bornAt);
  expect(await events()).toHaveLength(before);
  await Promise.all([tellNotice(box, 6, bornAt), tellNotice(box, 6, bornAt)]);
  expect(await events()).toHaveLength(before + 1);
  await tellNotice(box, 42, bornAt);
  expect((await events()).slice(0, 2).map(({ title }) => title)).toEqual([
    'The garden room is taken',
    'The garden room is free again',
  ]);
});

test('where the demo is off, nothing of it waits any more; what a person has published does', async () => {
  const { eventId } = await box.events.publish({
    ...{ type: 'room.painted', topic: 'room:garden', template: { id: 'room-free' }, payload: {} },
  });
  expect(await waiting()).toBeGreaterThan(20);
  expect(await asking()).toHaveLength(2);
  await dropNotices(box);
  const { counts } = await box.events.get(eventId);
  expect(counts.scheduled).toBe(6);
  expect(await waiting()).toBe(6);
  expect(await asking()).toEqual([]);
  await dropNotices(box);
});
