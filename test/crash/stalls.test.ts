import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { FaultPoint } from '#pillarbox/engine/fault-points';
import { databases } from '../databases.js';
import { barrier, onScene, PATIENT, type Scene } from './scene.js';

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
        // Long enough for the thread that renews to have started, however busy the machine is.
        const leaseSeconds = 2.5;
        // One after the other, with a breath between them: three leases without any is when renewal gives up.
        const blocks = (['before_gate', 'after_gate'] as const).map(
          (point, index) =>
            ({ point, visit: index + 1, action: 'block', blockMs: 2.5 * leaseSeconds * 1_000 }) as const,
        );
        const busy = await scene.start({ leaseSeconds, concurrency: 1, faults: blocks });
        await scene.enqueue(2);
        await busy.untilFault();
        await scene.start({ leaseSeconds });
        await scene.drained();
        const { dots, states, inDoubt } = await scene.clean(`busy before and after the gate, ${name}`);
        expect({ dots, states, inDoubt }).toEqual({ dots: 2, states: { sent: 2 }, inDoubt: [] });
        expect(await scene.leaseLosses()).toBe(0);
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
