import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { FaultPoint } from '#pillarbox/engine/fault-points';
import { databases } from '../databases.js';
import { leasesOf } from './census.js';
import { barrier, onScene, PATIENT, type Scene } from './scene.js';
import type { WorkerOptions, WorkerProcess } from './worker-process.js';

const LEASE_SECONDS = 1;
const LEASE_MS = LEASE_SECONDS * 1_000;
const OPTIONS = { leaseSeconds: LEASE_SECONDS, concurrency: 4 };

describe.concurrent.each(databases)(
  'a worker that stands still longer than its lease on $name',
  PATIENT,
  (database) => {
    const { name } = database;

    test(
      'because its event loop is busy keeps its lease: one dot, no doubt [F08]',
      onScene(database, async (scene) => {
        const leaseSeconds = 2.5;
        // One after the other, with a breath between them: three leases without any is when renewal gives up, and a
        // busy machine needs time for the breath before and after.
        const faults = (['before_gate', 'after_gate'] as const).map(
          (point, index) =>
            ({ point, visit: index + 2, action: 'block', blockMs: 1.5 * leaseSeconds * 1_000 }) as const,
        );
        const busy = await startRenewing(scene, { leaseSeconds, concurrency: 1, faults });
        const lossesBefore = await scene.leaseLosses();
        const mails = await scene.enqueue(2);
        await busy.untilFault();
        await scene.start({ leaseSeconds });
        await scene.drained();
        await scene.clean(`busy before and after the gate, ${name}`);
        for (const mail of mails) {
          expect((await scene.registered(mail)).attempts).toEqual(['success']);
          expect(scene.farSide.copiesOf(mail.to)).toBe(1);
        }
        expect(await scene.leaseLosses()).toBe(lossesBefore);
      }),
    );

    test(
      'before the gate finds it shut: its successor has sent the mail [D5] [D6] [F05]',
      onScene(database, async (scene) => {
        const { mail, goOn, works } = await stopAt(scene, 'before_gate');
        await scene.untilState(mail, 'sent');
        await goOn();
        await works();
        const verdict = await scene.clean(`stopped before the gate, ${name}`);
        expect(scene.farSide.copiesOf(mail.to)).toBe(1);
        expect(verdict.inDoubt).not.toContain(mail.to);
      }),
    );

    test(
      'between gate and dot sends late, and its own reply resolves the doubt [D7] [F06]',
      onScene(database, async (scene) => {
        const { mail, goOn, works } = await stopAt(scene, 'after_gate');
        await scene.untilState(mail, 'held');
        expect(scene.farSide.copiesOf(mail.to)).toBe(0);
        await goOn();
        await scene.untilState(mail, 'sent');
        await works();
        const verdict = await scene.clean(`stopped between gate and dot, ${name}`);
        expect(scene.farSide.copiesOf(mail.to)).toBe(1);
        expect(verdict.inDoubt).toContain(mail.to);
      }),
    );

    test(
      'after the dot is in doubt until it has read the reply that waits for it [D6] [F07]',
      onScene(database, async (scene) => {
        const reply = barrier();
        scene.farSide.script = () => ({ beforeReply: reply.wait });
        const stalled = await scene.start(OPTIONS);
        const mail = await scene.enqueueOne();
        await scene.farSide.until('the dot', () => scene.farSide.copiesOf(mail.to) === 1);
        await scene.standStill(stalled);
        await scene.start(OPTIONS);
        await scene.untilState(mail, 'held');
        reply.open();
        await sleep(2 * LEASE_MS);
        stalled.goOn();
        await scene.untilState(mail, 'sent');
        const { dots, inDoubt } = await scene.clean(`stopped after the dot, ${name}`);
        expect({ dots, inDoubt }).toEqual({ dots: 1, inDoubt: [mail.to] });
        expect((await scene.registered(mail)).places).toMatchObject([
          { state: 'sent', reason: 'late_reply' },
        ]);
      }),
    );

    test(
      'may send a second copy only where the policy says so, and that copy is recognisably the same mail',
      onScene(database, async (scene) => {
        const { mail, goOn, works } = await stopAt(scene, 'after_gate', 'resend');
        await scene.untilState(mail, 'sent');
        await goOn();
        await scene.farSide.until('the second copy', () => scene.farSide.copiesOf(mail.to) === 2);
        await works();
        const verdict = await scene.clean(`stopped between gate and dot, resend, ${name}`);
        expect(verdict.declaredTwice).toEqual([mail.to]);
        const copies = scene.farSide.delivered.filter(({ to }) => to === mail.to);
        expect(new Set(copies.map(({ messageId, date }) => `${messageId} ${date}`)).size).toBe(1);
      }),
    );

    test(
      'and has nobody beside it takes over from itself, with the same mail in hand twice',
      onScene(database, async (scene) => {
        const reply = barrier();
        scene.farSide.script = ({ nth }) => ({ beforeReply: nth === 1 ? reply.wait : Promise.resolve() });
        const stalled = await scene.start(OPTIONS);
        const mail = await scene.enqueueOne({ onDoubt: 'resend' });
        await scene.farSide.until('the dot', () => scene.farSide.copiesOf(mail.to) === 1);
        stalled.standStill();
        await sleep(1.5 * LEASE_MS);
        stalled.goOn();
        await scene.farSide.until('the second copy', () => scene.farSide.copiesOf(mail.to) === 2);
        reply.open();
        await scene.drained();
        const verdict = await scene.clean(`took over from itself, ${name}`);
        expect(verdict.declaredTwice).toEqual([mail.to]);
      }),
    );
  },
);

/**
 * A worker whose thread that renews runs, as seen by a first mail. On a machine that is busy enough it takes longer to
 * start than that mail's lease lasts: then another worker is tried.
 */
async function startRenewing(scene: Scene, options: Partial<WorkerOptions>): Promise<WorkerProcess> {
  for (let tries = 0; tries < 20; tries += 1) {
    const reply = barrier();
    scene.farSide.script = () => ({ beforeReply: reply.wait });
    const worker = await scene.start(options);
    const mail = await scene.enqueueOne();
    await scene.farSide.until('the first dot', () => scene.farSide.copiesOf(mail.to) === 1);
    const renewed = await seesRenewal(scene);
    scene.farSide.script = () => undefined;
    reply.open();
    if (renewed) {
      await scene.untilState(mail, 'sent');
      return worker;
    }
    await worker.kill();
  }
  return expect.fail('no lease was renewed');
}

/** Whether one of the leases that there are runs longer before they are gone. */
async function seesRenewal(scene: Scene): Promise<boolean> {
  const before = await scene.store.read(leasesOf(scene.store));
  for (let now = before; ; now = await scene.store.read(leasesOf(scene.store))) {
    const left = [...now].filter(([id]) => before.has(id));
    if (left.some(([id, until]) => until > before.get(id)!)) return true;
    if (left.length === 0) return false;
    await sleep(20);
  }
}

/** One worker, stopped at a point of its mail's way, and another that takes over. */
async function stopAt(scene: Scene, point: FaultPoint, onDoubt: 'hold' | 'resend' = 'hold') {
  const stalled = await scene.start({ ...OPTIONS, faults: [{ point, action: 'stop' }] });
  const mail = await scene.enqueueOne({ onDoubt });
  await stalled.untilFault();
  const stoppedAt = performance.now();
  await scene.start(OPTIONS);
  return {
    mail,
    /** After three leases. */
    goOn: async () => {
      await sleep(Math.max(0, 3.1 * LEASE_MS - (performance.now() - stoppedAt)));
      stalled.goOn();
      await stalled.untilItGoesOn();
    },
    /** Both send as if nothing had happened. */
    works: async () => {
      const others = await scene.enqueue(6);
      await scene.farSide.until('mails after the stall', () =>
        others.every(({ to }) => scene.farSide.copiesOf(to) === 1),
      );
      await scene.drained();
      expect(stalled.alive).toBe(true);
    },
  };
}
