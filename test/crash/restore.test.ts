import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { holdAfterRestore, keepAfterRestore } from '#pillarbox/store/after-restore';
import { openStore } from '#pillarbox/store/open';
import { refuseElsewhere } from '#pillarbox/store/scripts/restoration';
import type { Store } from '#pillarbox/store/store';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { Carrier } from '../engine/carrier.js';
import { backUp, copyOf } from './backup.js';
import { census } from './census.js';
import { onScene, PATIENT, type Scene } from './scene.js';

const MAILS = 400;

/** Another house on a copy of the database, with a way out of its own. */
async function onCopy(
  copy: FreshDatabase,
  act: (box: Pillarbox, carrier: Carrier, store: Store) => Promise<void>,
): Promise<void> {
  const carrier = new Carrier();
  const options = { databaseUrl: copy.url, from: 'box@example.org', transport: carrier, leaseSeconds: 1 };
  const store = await openStore({ databaseUrl: copy.url, leaseMs: 60_000, log: silent });
  const box = await createPillarbox(options);
  try {
    await act(box, carrier, store);
  } finally {
    await box.stop();
    await store.close();
    await copy.drop();
  }
}

/** As the first worker of an installation does. */
const firstStart = async ({ store }: Scene): Promise<void> =>
  store.transaction(refuseElsewhere(store, await store.residence()));

/** A backup is taken while mail leaves, and then all of it leaves. */
async function backUpUnderLoad(scene: Scene): Promise<FreshDatabase> {
  await firstStart(scene);
  await scene.start({ leaseSeconds: 2, concurrency: 4 });
  const sending = scene.enqueue(MAILS);
  await scene.farSide.until('traffic', () => scene.farSide.delivered.length > 20);
  const copy = await backUp(scene.url);
  await sending;
  await scene.drained();
  await scene.untilStates({ sent: MAILS });
  return copy;
}

describe.each(databases)('a backup of $name', PATIENT, (database) => {
  test(
    'that was taken under load and is restored after all has left sends nothing by itself [D21] [F58]',
    onScene(database, async (scene) => {
      await onCopy(await backUpUnderLoad(scene), async (box, carrier, store) => {
        const kept = await store.read(census(store));
        expect(kept.every(({ places }) => places.length === 1)).toBe(true);
        const open = kept.filter(({ places: [place] }) => place!.in !== 'outcomes');

        await expect(box.start()).rejects.toMatchObject({ code: 'restored' });
        await expect(box.pass()).rejects.toMatchObject({ code: 'restored' });
        expect(await holdAfterRestore(store)).toBe(open.length);
        await box.start();
        const fresh = await box.outbox.enqueue({ to: 'new@example.org', subject: 'New', text: 'New.' });
        await expect.poll(async () => (await box.messages.get(fresh.id)).state).toBe('sent');
        expect(carrier.left.map(({ id }) => id)).toEqual([fresh.id]);

        const held = await box.messages.list({ state: ['held'], limit: 1 });
        expect(held.items).toMatchObject(open.length > 0 ? [{ reason: 'restored' }] : []);
        const [first] = held.items;
        if (first) {
          expect((await box.messages.explain(first.id)).sentence).toContain('restored from a backup');
          await box.messages.resolve(first.id, 'unsent');
          await expect.poll(async () => (await box.messages.get(first.id)).state).toBe('sent');
        }
      });
      await scene.clean(`a backup of ${database.name} under load`);
    }),
  );

  test(
    'goes on as it is where a person says that nothing has left since',
    onScene(database, async (scene) => {
      await firstStart(scene);
      const [mail] = await scene.enqueue(1);
      await onCopy(await backUp(scene.url), async (box, carrier, store) => {
        await expect(box.start()).rejects.toMatchObject({ code: 'restored' });
        await keepAfterRestore(store);
        await box.start();
        await expect.poll(() => carrier.left.map(({ id }) => id)).toEqual([mail!.id]);
      });
    }),
  );
});

describe('two on one SQLite file and its copy', PATIENT, () => {
  test(
    'the second refuses to send, and looking is allowed [D22]',
    onScene({ ready: freshSqlite }, async (scene) => {
      await firstStart(scene);
      const worker = await scene.start();
      const [mail] = await scene.enqueue(1, { sendAt: '2099-01-01T00:00:00Z' });
      await onCopy(await copyOf(scene.url), async (box, carrier) => {
        await expect(box.start()).rejects.toMatchObject({ code: 'restored' });
        expect(await box.messages.get(mail!.id)).toMatchObject({ state: 'scheduled' });
        expect(carrier.offered).toEqual([]);
      });
      expect(worker.alive).toBe(true);
      await scene.enqueue(3);
      await scene.farSide.until('the first goes on', () => scene.farSide.delivered.length === 3);
    }),
  );
});
