import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { silent, type Logger } from '#pillarbox/log/log';
import { Metrics } from '#pillarbox/overview/metrics';
import { ask } from '#pillarbox/store/script';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { letLeasesRunOut, failedTry, result } from '../contract/fixture.js';
import { Carrier, failed, NOBODY, sent, TOO_LARGE } from './carrier.js';
import type { Post } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';
import { refuse } from './triggers.js';

/** Renewed every eight seconds: a stall of a quarter of a minute costs nobody his lease. */
const LEASE_SECONDS = 24;
/** Side by side, tests wait without `expect`, which could not tell whose the wait is. */
const PATIENT = { timeout: PATIENCE_MS };

const numberOf = (id: string) => parseId('message', id)!;

function listening() {
  const told: string[] = [];
  const keep = (_: object, text: string) => void told.push(text);
  const log: Logger = { ...silent, warn: keep, error: keep };
  return { told, log };
}

/** Everything is in flight before the first of them is answered. */
function together(count: number, conduct: Carrier['conduct']): Carrier {
  const all = barrier();
  const carrier = new Carrier(async (message, gate, nth) => {
    if (carrier.offered.length === count) all.open();
    await all.wait;
    return conduct(message, gate, nth);
  });
  return carrier;
}

describe.concurrent.each(databases)('a result on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'that the database refuses for its texts is stored without them, and keeps no other',
    onPosts(async (posts) => {
      const { told, log } = listening();
      const post = await posts.open(
        together(12, () => undefined),
        { log },
      );
      const ids = await post.putMany(12, { onDoubt: 'hold' });
      const refused = numberOf(ids[4]!);
      const admit = await refuse(posts.place, {
        table: 'attempts',
        when: `new.message_id = ${refused} and new.provider_message_id is not null`,
      });
      await post.box.start();
      await post.allSettled(ids);
      await admit();
      for (const id of ids) {
        expect(await post.get(id)).toMatchObject({ state: 'sent', attempts: 1, leaseLosses: 0 });
      }
      expect(await post.box.messages.attempts(ids[4]!)).toMatchObject([
        { outcome: 'success', errorCode: 'unstorable', providerMessageId: null },
      ]);
      expect(await post.box.messages.attempts(ids[5]!)).toMatchObject([
        {
          outcome: 'success',
          errorCode: null,
          providerMessageId: expect.stringContaining('carrier') as string,
        },
      ]);
      expect(told).toEqual(['a result was stored without its texts']);
      expect(post.box.condition).toEqual({ renewal: true, unstored: 0 });
      expect(post.carrier.left).toHaveLength(12);
    }),
  );

  test(
    'that is refused in every form is kept under its lease, told, and written when it can be',
    onPosts(async (posts) => {
      const { told, log } = listening();
      const metrics = new Metrics();
      const figure = async () =>
        /^pillarbox_unstored_results (\d+)$/m.exec(await metrics.text(post.box.store, 5_000))?.[1];
      const post = await posts.open(new Carrier(), { log, leaseSeconds: LEASE_SECONDS, observer: metrics });
      const [id, ...others] = await post.putMany(5, { onDoubt: 'hold' });
      const admit = await refuse(posts.place, {
        table: 'outcomes',
        when: `new.message_id = ${numberOf(id!)}`,
      });
      await post.box.start();
      await post.allSettled(others);
      await vi.waitUntil(() => post.box.condition?.unstored === 1, PATIENT);
      expect(await figure()).toBe('1');
      expect(told).toContain(
        'a result cannot be stored, not even without its texts; it is kept and tried again',
      );
      // Somebody else would take it over and hold it, if its lease were not renewed.
      await posts.start(new Carrier(), { leaseSeconds: LEASE_SECONDS });
      await renewed(post);
      expect(await post.get(id!)).toMatchObject({ state: 'sending', leaseLosses: 0 });
      await admit();
      expect(await post.becomes('sent', id!)).toMatchObject({ attempts: 1, leaseLosses: 0, reason: null });
      await vi.waitUntil(() => post.box.condition?.unstored === 0, PATIENT);
      expect(await figure()).toBe('0');
      expect(post.carrier.copiesOf(id!)).toBe(1);
    }),
  );

  test(
    'is stored although what it means for others is refused, which is given up after some tries',
    onPosts(async (posts) => {
      const { told, log } = listening();
      const carrier = new Carrier(() => failed(NOBODY));
      const post = await posts.open(carrier, { log });
      const admit = await refuse(posts.place, {
        table: 'suppressions',
        when: "new.address = 'odd@example.org'",
      });
      await post.box.start();
      const [odd, even] = [
        await post.put({ to: 'odd@example.org' }),
        await post.put({ to: 'even@example.org' }),
      ];
      for (const id of [odd, even]) {
        expect(await post.settled(id)).toMatchObject({ state: 'dead', lastError: { code: '550 5.1.1' } });
      }
      await admit();
      expect(told).toEqual(['what an error means cannot be stored; given up']);
      const { store } = post.box;
      const suppressed = await store.read(ask(store.db.selectFrom('suppressions').select('address')));
      expect(suppressed).toEqual([{ address: 'even@example.org' }]);
    }),
  );

  test(
    'with a text that is cut in the middle of a sign is stored as it is',
    onPosts(async (posts) => {
      const smiles = { ...NOBODY, class: 'permanent', message: '😀'.repeat(240) } as const;
      // One of the two cuts falls into a pair of surrogates.
      const refused = (shift: string) =>
        [shift, 'b', 'c', 'd', 'e'].map((name) => ({ address: `${name}@example.org`, error: smiles }));
      const carrier = new Carrier(async (message, gate) => {
        await gate();
        return { ...sent(message), refused: refused(message.mail.subject) };
      });
      const post = await posts.start(carrier);
      for (const subject of ['a', 'ab']) {
        const id = await post.put({ subject });
        expect(await post.settled(id)).toMatchObject({ state: 'sent' });
        const [attempt] = await post.box.messages.attempts(id);
        expect(attempt).toMatchObject({ outcome: 'success', errorCode: 'partly_refused' });
        expect(attempt!.errorMessage).toContain('😀😀😀');
      }
    }),
  );

  test(
    'of a thousand dead letters of three causes costs no transactions beside their settlements',
    onPosts(async (posts) => {
      const codes = ['552 5.3.4', '554 5.6.0', '554 5.7.1'];
      const conduct: Carrier['conduct'] = ({ mail }) =>
        failed({ ...TOO_LARGE, code: codes[Number(mail.subject) % 3]! });
      const post = await posts.open(together(1_000, conduct), { concurrency: 1_000, log: silent });
      const mails = Array.from({ length: 1_000 }, (_, n) => ({
        ...{ to: `r${n}@example.org`, subject: String(n), text: 'See you.' },
      }));
      const { ids } = await post.box.outbox.enqueueMany(mails);
      const { store } = post.box;
      const transactions = vi.spyOn(store, 'transaction');
      const settlements = vi.spyOn(store, 'settle');
      await post.box.start();
      await post.allSettled(ids.map((id) => id!));
      // Chores and heartbeats have some; one for each would be a thousand.
      expect(transactions.mock.calls.length).toBeLessThan(200);
      expect(settlements.mock.calls.length).toBeLessThan(200);
      const groups = await post.box.messages.deadGroups();
      expect(groups.map(({ code, count }) => [code, count]).sort()).toEqual([
        [codes[0], 334],
        [codes[1], 333],
        [codes[2], 333],
      ]);
      expect(groups.every(({ sample, transport }) => sample === 'too large' && transport === 'carrier')).toBe(
        true,
      );
    }),
  );

  test(
    'of three hundred addresses that are gone suppresses them in few transactions',
    onPosts(async (posts) => {
      const post = await posts.open(
        together(300, () => failed(NOBODY)),
        { concurrency: 300 },
      );
      const ids = await post.putMany(300);
      const { store } = post.box;
      const transactions = vi.spyOn(store, 'transaction');
      await post.box.start();
      await post.allSettled(ids);
      expect(transactions.mock.calls.length).toBeLessThan(100);
      const suppressed = await store.read(ask(store.db.selectFrom('suppressions').select('address')));
      expect(suppressed).toHaveLength(300);
    }),
  );

  test(
    'that comes late waits for the doubt that it resolves, for longer than some seconds, and keeps nobody',
    onPosts(async (posts) => {
      const reply = barrier();
      const carrier = new Carrier(async (message, gate) => {
        const passed = await gate();
        if (message.mail.subject === 'late') await reply.wait;
        return passed ? sent(message) : undefined;
      });
      const post = await posts.start(carrier, { concurrency: 1 });
      const { store } = post.box;
      const id = await post.put({ subject: 'late', onDoubt: 'hold' });
      await carrier.until('the gate', () => carrier.left.length === 1);
      await letLeasesRunOut({ store });
      const [lost] = await store.takeOver('rescuer', 1);
      reply.open();
      // Its one slot is free again, although the reply still waits.
      expect(await post.settled(await post.put())).toMatchObject({ state: 'sent' });
      expect(post.box.totals).toMatchObject({ leasesLost: 1 });
      await sleep(6_000);
      expect((await post.get(id)).state).toBe('sending');
      const attempt = { ...failedTry, outcome: 'in_doubt', errorClass: 'in_doubt' } as const;
      await store.settle([
        result(lost!, lost!.messages[0]!, { event: 'doubted', reason: 'in_doubt', attempt, lost: true }),
      ]);
      expect(await post.becomes('sent', id)).toMatchObject({ reason: 'late_reply' });
    }),
  );

  test(
    'that comes late has a last try when the process stops',
    onPosts(async (posts) => {
      const reply = barrier();
      const carrier = new Carrier(async (message, gate) => {
        await gate();
        await reply.wait;
        return sent(message);
      });
      const post = await posts.start(carrier, { graceSeconds: 60 });
      const looker = await posts.open();
      const { store } = looker.box;
      const id = await post.put({ onDoubt: 'hold' });
      await carrier.until('the gate', () => carrier.left.length === 1);
      await letLeasesRunOut({ store });
      const [lost] = await store.takeOver('rescuer', 1);
      reply.open();
      await post.settled(id);
      // By now it waits for seconds between its tries.
      await sleep(2_500);
      const attempt = { ...failedTry, outcome: 'in_doubt', errorClass: 'in_doubt' } as const;
      await store.settle([
        result(lost!, lost!.messages[0]!, { event: 'doubted', reason: 'in_doubt', attempt, lost: true }),
      ]);
      await post.box.stop();
      expect(await looker.get(id)).toMatchObject({ state: 'sent', reason: 'late_reply' });
    }),
  );
});

/** Until the lease that is left was renewed once more. */
async function renewed({ box: { store } }: Post): Promise<void> {
  const until = async () =>
    (await store.read(ask(store.db.selectFrom('leases').select('until'))))[0]?.until ?? 0;
  const before = await until();
  await vi.waitUntil(async () => (await until()) > before, PATIENT);
}
