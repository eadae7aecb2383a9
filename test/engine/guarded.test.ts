import { describe, expect, test } from 'vitest';
import type { Attempt } from 'pillarbox';
import { SENDING_DEFAULTS, type SendingSettings } from '#pillarbox/core/sending';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { reopen } from '#pillarbox/store/scripts/openings';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import { databases } from '../databases.js';
import { BUSY, Carrier, failed } from './carrier.js';
import { aMail, type Post } from './post.js';
import { postsOn, type Posts } from './posts.js';

/** A Monday evening; an hour passes in a second. */
const EVENING = { clock: '2031-03-03T21:30:00Z*3600' };
const GAP_SECONDS = 120;
const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
const ALL_DAY = Object.fromEntries(DAYS.map((day) => [day, [['00:00', '24:00']]]));
/** Some hours around midnight, every day of the week. */
const AROUND_MIDNIGHT: SendingSettings = {
  ...SENDING_DEFAULTS,
  sendingDays: [1, 2, 3, 4, 5, 6, 7],
  hours: Object.fromEntries(
    DAYS.map((day) => [
      day,
      [
        ['00:00', '01:30'],
        ['22:30', '24:00'],
      ],
    ]),
  ),
  dailyQuota: 1_000,
  spacing: { minSeconds: GAP_SECONDS, maxSeconds: 2 * GAP_SECONDS },
};

async function decide(posts: Posts, settings: SendingSettings): Promise<void> {
  const store = await openStore({ databaseUrl: posts.place.databaseUrl, leaseMs: 60_000, log: silent });
  await store.transaction(function* () {
    yield* writeSettings(store, 1, 'sending', settings);
    yield* reopen(store, { workspaceId: 1 });
  });
  await store.close();
}

const handOvers = async (post: Post, ids: readonly string[]): Promise<number[]> => {
  const tries = await Promise.all(ids.map((id) => post.box.messages.attempts(id)));
  return tries
    .flat()
    .filter(({ outcome }: Attempt) => outcome === 'success')
    .map(({ handedOverAt }) => handedOverAt ?? 0)
    .sort((a, b) => a - b);
};

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

describe.concurrent.each(databases)('guarded mail on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'is always queued, also when its caller would send it himself, and says when its account opens',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open(new Carrier(), { clock: '2031-03-02T12:00:00Z*1' });
      const result = await box.outbox.send(aMail({ guarded: true }));
      expect(result).toMatchObject({ delivered: false, state: 'scheduled' });
      expect(carrier.offered).toEqual([]);
    }),
  );

  test(
    'leaves inside its window, within the quota of each day and no closer than its spacing, over midnight',
    onPosts(async (posts) => {
      const post = await posts.open(new Carrier(), EVENING);
      await decide(posts, AROUND_MIDNIGHT);
      const ids = await post.putMany(25, { guarded: true });
      await post.box.start();
      await post.allSettled(ids.slice(0, 1));
      for (const id of ids) await post.becomes('sent', id);
      const left = await handOvers(post, ids);
      expect(left).toHaveLength(25);
      for (const [n, instant] of left.entries()) {
        const hour = new Date(instant).getUTCHours() + new Date(instant).getUTCMinutes() / 60;
        expect(hour < 1.5 || hour >= 22.5, new Date(instant).toISOString()).toBe(true);
        if (n > 0) expect(instant - left[n - 1]!).toBeGreaterThanOrEqual(GAP_SECONDS * 1_000);
      }
      const perDay = new Map<string, number>();
      for (const instant of left) perDay.set(dayOf(instant), (perDay.get(dayOf(instant)) ?? 0) + 1);
      // The account's own limit of mails a day, where nobody has set another.
      expect(Math.max(...perDay.values())).toBeLessThanOrEqual(20);
    }),
  );

  test(
    'gives back the place of a try that failed, and leaves other mail alone',
    onPosts(async (posts) => {
      const carrier = new Carrier((_, __, nth) => (nth === 1 ? failed(BUSY) : undefined));
      // All of a day is left, however slow the machine.
      const post = await posts.open(carrier, { clock: '2031-03-03T00:10:00Z*300' });
      await decide(posts, { ...AROUND_MIDNIGHT, hours: ALL_DAY, dailyQuota: 1 });
      const [id] = await post.putMany(1, { guarded: true });
      await post.box.start();
      // Unguarded mail asks nobody.
      await post.becomes('sent', await post.put());
      const message = await post.becomes('sent', id!);
      expect(message.attempts).toBe(2);
      // Its gate is asked last: what is open now may shut.
      for (const offer of carrier.offered) expect(offer.gateLast ?? false).toBe(offer.id === id);
      const [first, second] = await post.box.messages.attempts(id!);
      expect(first!.outcome).toBe('failed');
      // The day has room for one: the failed try has not used it up.
      expect(dayOf(second!.handedOverAt!)).toBe('2031-03-03');
    }),
  );
});
