import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { Outbox, type Courier } from '#pillarbox/outbox/outbox';
import { openStore } from '#pillarbox/store/open';
import { findAccount } from '#pillarbox/store/scripts/accounts';
import { databases } from '../databases.js';
import { violationsOf } from './checker.js';
import { mutants } from './mutants.mjs';
import { barrier, onScene, PATIENT } from './scene.js';

const LEASE_SECONDS = 0.6;

const ONLY_ENQUEUES: Courier = {
  inline: () => expect.unreachable(),
  transportOf: () => expect.unreachable(),
};

/** If a planted bug were not found, finding none in the real thing would mean nothing. */
describe.concurrent.each(databases)('a planted bug is found on $name:', PATIENT, (database) => {
  test(
    'a gate that leaves no mark lets mail leave again as if it had never left',
    onScene(database, async (scene) => {
      await scene.enqueue(20);
      const mutant = { mutant: 'gateWithoutMark', leaseSeconds: LEASE_SECONDS } as const;
      await scene.launch({ ...mutant, faults: [{ point: 'after_send', action: 'kill' }] }).ended;
      await scene.start(mutant);
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toContain('duplicated');
    }),
  );

  test(
    'a gate that ignores the fence lets a worker send what its successor has sent',
    onScene(database, async (scene) => {
      const mutant = { mutant: 'noFence', leaseSeconds: LEASE_SECONDS } as const;
      const stalled = await scene.start({ ...mutant, faults: [{ point: 'before_gate', action: 'stop' }] });
      const mail = await scene.enqueueOne();
      await stalled.untilFault();
      await scene.start({ leaseSeconds: LEASE_SECONDS });
      await scene.untilState(mail, 'sent');
      stalled.goOn();
      await scene.farSide.until('the second copy', () => scene.farSide.copiesOf(mail.to) === 2);
      expect(violationsOf(await scene.verdict())).toContain('duplicated');
    }),
  );

  test(
    'a settle that ignores the fence puts a message into two places',
    onScene(database, async (scene) => {
      const reply = barrier();
      scene.farSide.script = ({ nth }) =>
        nth === 1 ? { beforeReply: reply.wait } : { beforeGo: barrier().wait };
      const stalled = await scene.start({ mutant: 'noFence', leaseSeconds: LEASE_SECONDS });
      const mail = await scene.enqueueOne({ onDoubt: 'resend' });
      await scene.farSide.until('the dot', () => scene.farSide.copiesOf(mail.to) === 1);
      await scene.standStill(stalled);
      await scene.start({ leaseSeconds: LEASE_SECONDS });
      await scene.farSide.until('the successor', () => scene.farSide.offers.length === 2);
      reply.open();
      stalled.goOn();
      await scene.untilState(mail, 'sent');
      expect(violationsOf(await scene.verdict())).toContain('misplaced');
    }),
  );

  test(
    'keys that are not unique let the same mails leave twice',
    onScene(database, async (scene) => {
      const real = await openStore({ databaseUrl: scene.url, leaseMs: 60_000, log: silent });
      const store = mutants.keysNotUnique(real);
      const outbox = new Outbox(store, (await store.read(findAccount(store, 1)))!, ONLY_ENQUEUES);
      const mails = scene.mails(5).map((mail) => ({ ...mail, idempotencyKey: mail.to as string }));
      const { ids } = await outbox.enqueueMany(mails);
      mails.forEach((mail, index) => scene.accept(mail, ids[index]!));
      await outbox.enqueueMany(mails);
      await real.close();
      await scene.start();
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toEqual(['duplicated']);
    }),
  );
});
