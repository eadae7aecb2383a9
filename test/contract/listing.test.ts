import { beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import type { ListOptions } from '#pillarbox/messages/filter';
import { Messages } from '#pillarbox/messages/messages';
import { ensureAccount, ensureChannel } from '#pillarbox/store/scripts/accounts';
import { databases } from '../databases.js';
import { aMessage, failedTry, put, result, take, useFixture } from './fixture.js';

/** Filters and search, on both databases. */
describe.each(databases)('lists on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let messages: Messages;

  beforeEach(() => {
    messages = new Messages(fixture.store, fixture.workspaceId);
  });

  const publicId = (id: number) => formatId('message', id);

  /** All pages of a list, and how many there were. */
  async function walk(options: ListOptions): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await messages.list({ ...options, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined && pages < 50);
    return { ids, pages };
  }

  const found = async (q: string, over: ListOptions = {}) => (await walk({ q, ...over })).ids;

  test('an address and a state together find what is both, in every place', async () => {
    const states = ['accepted', 'exhausted', 'deferred'] as const;
    const ids: Record<string, string> = {};
    for (const event of states) {
      const id = await put(fixture);
      const claim = await take(fixture, 1);
      const attempt = event === 'accepted' ? undefined : failedTry;
      const entry = result(claim, claim.messages[0]!, { event, ...(attempt && { attempt }), waitMs: 60_000 });
      await fixture.store.settle([entry]);
      ids[event] = publicId(id);
    }
    ids['sending'] = publicId(await put(fixture));
    await take(fixture, 1);
    ids['scheduled'] = publicId(await put(fixture));
    await put(fixture, { recipient: 'grace@example.org' });
    const to = 'ada@example.org';
    expect((await walk({ to, state: 'sent' })).ids).toEqual([ids['accepted']]);
    expect((await walk({ to, state: 'dead' })).ids).toEqual([ids['exhausted']]);
    expect((await walk({ to, state: 'retry_scheduled' })).ids).toEqual([ids['deferred']]);
    expect((await walk({ to, state: 'sending' })).ids).toEqual([ids['sending']]);
    expect((await walk({ to, state: 'scheduled' })).ids).toEqual([ids['scheduled']]);
    expect((await walk({ to, state: ['dead', 'scheduled', 'sending'] })).ids).toEqual([
      ids['scheduled'],
      ids['sending'],
      ids['exhausted'],
    ]);
    expect((await walk({ to: 'Ada@EXAMPLE.org' })).ids).toHaveLength(5);
    expect((await walk({ to: 'ada@EXAMPLE.org' })).ids).toHaveLength(5);
  });

  test('an account has its own, in every state, and an unknown one has none', async () => {
    const { store, workspaceId } = fixture;
    const account = { name: 'second', emailAddress: 'two@example.org', displayName: null, transport: '{}' };
    const { id: accountId } = await store.transaction(ensureAccount(store, workspaceId, account, 1));
    const channelId = await store.transaction(ensureChannel(store, accountId, 'email', 'outbox'));
    const theirs = [];
    for (let n = 0; n < 4; n += 1) {
      await put(fixture);
      theirs.unshift(publicId(await put(fixture, { channelId })));
    }
    const second = formatId('account', accountId);
    expect((await walk({ accountId: second })).ids).toEqual(theirs);
    expect((await walk({ accountId: second, limit: 1 })).ids).toEqual(theirs);
    expect((await walk({ accountId: second, state: 'scheduled' })).ids).toEqual(theirs);
    expect((await walk({ accountId: formatId('account', fixture.accountId) })).ids).toHaveLength(4);
    expect((await walk({ accountId: 'acc_zz' })).ids).toEqual([]);
    expect((await walk({ accountId: 'nonsense' })).ids).toEqual([]);
  });

  test('a lane has its own; no message belongs to a campaign', async () => {
    await put(fixture);
    const notice = publicId(await put(fixture, { lane: 'notification' }));
    expect((await walk({ lane: 'notification' })).ids).toEqual([notice]);
    expect((await walk({ lane: 'notification', state: ['scheduled', 'dead'] })).ids).toEqual([notice]);
    expect((await walk({ lane: 'campaign' })).ids).toEqual([]);
    expect((await walk({ campaignId: 'cmp_1' })).ids).toEqual([]);
  });

  test('what is rare among many is found page by page, and nothing is lost between the pages', async () => {
    const rare: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      rare.unshift(publicId(await put(fixture, { lane: 'notification' })));
      await fixture.store.enqueue(Array.from({ length: 300 }, () => aMessage(fixture)));
    }
    for (const limit of [1, 2, 4, 50]) {
      expect((await walk({ lane: 'notification', limit })).ids).toEqual(rare);
      expect(
        (await walk({ lane: 'notification', state: ['scheduled', 'retry_scheduled'], limit })).ids,
      ).toEqual(rare);
    }
  });

  test('search knows an id, a key and a Message-ID, with or without its brackets', async () => {
    const id = publicId(await put(fixture, { idempotencyKey: 'booking 7:é' }));
    await put(fixture);
    const { messageId } = await messages.get(id);
    for (const q of [id, 'booking 7:é', messageId, messageId.slice(1, -1), `  ${id} `])
      expect(await found(q)).toEqual([id]);
    expect(await found(messageId.replace(fixture.store.installation, 'abcdef0123'))).toEqual([]);
    expect(await found(id, { state: 'sent' })).toEqual([]);
    expect(await found(id, { state: 'scheduled' })).toEqual([id]);
  });

  test('search knows the beginning of an address, in whatever case it is typed', async () => {
    const ids = [];
    for (const recipient of [
      'ann@example.org',
      'anna@example.org',
      'anton@example.org',
      'joanna@example.org',
    ])
      ids.push(publicId(await put(fixture, { recipient })));
    const [ann, anna, anton] = ids;
    expect(await found('ann')).toEqual([anna, ann]);
    expect(await found('an')).toEqual([anton, anna, ann]);
    expect(await found('Ann@')).toEqual([ann]);
    expect(await found('ann%')).toEqual([]);
    expect(await found('an', { limit: 1 })).toEqual([anton, anna, ann]);
    expect(await found('an', { state: 'sent' })).toEqual([]);
  });

  test('search finds the newest of an address that begins like thousands', async () => {
    const { store } = fixture;
    for (let n = 0; n < 3; n += 1) {
      await store.enqueue(
        Array.from({ length: 900 }, (_, k) => aMessage(fixture, { recipient: `u${n}-${k}@example.org` })),
      );
    }
    const newest = publicId(await put(fixture, { recipient: 'u-last@example.org' }));
    await put(fixture, { recipient: 'other@example.org' });
    const { items, nextCursor } = await messages.list({ q: 'u', limit: 2 });
    expect(items.map(({ id }) => id)[0]).toBe(newest);
    expect(nextCursor).not.toBeNull();
    expect((await walk({ q: 'u', limit: 200 })).ids).toHaveLength(2_701);
  });

  test('search knows words of the subject, all of them, in any order, taken as they are', async () => {
    const booked = publicId(await put(fixture, { subject: 'Your Booking at Harbour Rooms' }));
    const discount = publicId(await put(fixture, { subject: '50% off: a_b \\ c' }));
    await put(fixture, { subject: null });
    expect(await found('harbour')).toEqual([booked]);
    expect(await found('rooms your')).toEqual([booked]);
    expect(await found('rooms their')).toEqual([]);
    expect(await found('50%')).toEqual([discount]);
    expect(await found('5%0')).toEqual([]);
    expect(await found('a_b')).toEqual([discount]);
    expect(await found('axb')).toEqual([]);
    expect(await found('\\')).toEqual([discount]);
    expect(await found('harbour', { state: 'scheduled', lane: 'outbox' })).toEqual([booked]);
    expect(await found('harbour', { state: 'sending' })).toEqual([]);
    await take(fixture, 1);
    expect(await found('harbour', { state: 'sending' })).toEqual([booked]);
  });

  test('a subject that was copied whole is found, however long it is and whatever it repeats', async () => {
    const words = 'The quick brown fox jumps over the lazy dog and then the dog over the lazy fox'.split(' ');
    const fable = publicId(await put(fixture, { subject: words.join(' ') }));
    const long = publicId(await put(fixture, { subject: `Rooms ${'x'.repeat(300)}` }));
    expect(await found(words.join(' '))).toEqual([fable]);
    expect(await found('dog dog dog')).toEqual([fable]);
    expect(await found('dog@ dog@')).toEqual([]);
    expect(await found(`rooms ${'x'.repeat(300)}`)).toEqual([long]);
    // The first eight that differ are looked for.
    expect(await found('the quick brown fox jumps over lazy dog hedgehog')).toEqual([fable]);
    expect(await found('the quick brown fox jumps over lazy hedgehog')).toEqual([]);
  });

  test('blank questions ask for everything; broken ones are refused', async () => {
    await put(fixture);
    expect(await found('   ')).toHaveLength(1);
    for (const options of [{ q: 'a\0b' }, { to: 'a\0b' }, { q: '\ud800' }, { q: 'x'.repeat(999) }])
      await expect(messages.list(options)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
