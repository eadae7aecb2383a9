import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultPoint } from '#pillarbox/engine/fault-points';
import { databases } from '../databases.js';
import { barrier, Scene } from './scene.js';

const LEASE_SECONDS = 0.8;
const PAST_THREE_LEASES_MS = 3.2 * LEASE_SECONDS * 1_000;

describe.each(databases)(
  'a worker that stands still for longer than its lease on $name',
  ({ name, fresh }) => {
    let scene: Scene;

    beforeEach(async () => {
      scene = await Scene.set(await fresh());
    });

    afterEach(() => scene.strike());

    /** One worker, stopped at a point of its first mail's way; the other takes over. Answers how to go on. */
    const stopAt = async (point: FaultPoint, onDoubt: 'hold' | 'resend' = 'hold') => {
      const options = { leaseSeconds: LEASE_SECONDS, concurrency: 2 };
      const stalled = await scene.start({ ...options, faults: [{ point, action: 'stop' }] });
      const mail = await scene.enqueueOne({ onDoubt });
      await stalled.untilFault();
      const stoppedAt = performance.now();
      await scene.start(options);
      return {
        mail,
        goOn: async () => {
          await sleep(Math.max(0, PAST_THREE_LEASES_MS - (performance.now() - stoppedAt)));
          stalled.goOn();
        },
        /** It works again as if nothing had happened. */
        works: async () => {
          const others = await scene.enqueue(6);
          await scene.farSide.until('mails after the stall', () =>
            others.every(({ to }) => scene.farSide.copiesOf(to) === 1),
          );
          await scene.drained();
          expect(stalled.alive).toBe(true);
        },
      };
    };

    test('before the gate finds it shut: its successor has sent the mail', async () => {
      const { mail, goOn, works } = await stopAt('before_gate');
      await scene.untilState(mail, 'sent');
      await goOn();
      await works();
      const verdict = await scene.clean(`stopped before the gate, ${name}`);
      expect(scene.farSide.copiesOf(mail.to)).toBe(1);
      expect(verdict.inDoubt).toEqual([]);
    });

    test('between gate and dot sends late, and its own reply resolves the doubt', async () => {
      const { mail, goOn, works } = await stopAt('after_gate');
      await scene.untilState(mail, 'held');
      expect(scene.farSide.copiesOf(mail.to)).toBe(0);
      await goOn();
      await scene.untilState(mail, 'sent');
      await works();
      const verdict = await scene.clean(`stopped between gate and dot, ${name}`);
      expect(scene.farSide.copiesOf(mail.to)).toBe(1);
      expect(verdict.inDoubt).toEqual([mail.to]);
    });

    test('after the dot is in doubt until it has read the reply that waited for it', async () => {
      const reply = barrier();
      scene.farSide.script = () => ({ beforeReply: reply.wait });
      const stalled = await scene.start({ leaseSeconds: LEASE_SECONDS });
      const mail = await scene.enqueueOne();
      await scene.farSide.until('the dot', () => scene.farSide.copiesOf(mail.to) === 1);
      stalled.standStill();
      await scene.start({ leaseSeconds: LEASE_SECONDS });
      await scene.untilState(mail, 'held');
      reply.open();
      stalled.goOn();
      await scene.untilState(mail, 'sent');
      const verdict = await scene.clean(`stopped after the dot, ${name}`);
      expect(verdict.dots).toBe(1);
      expect(verdict.inDoubt).toEqual([mail.to]);
      expect((await scene.registered(mail)).places).toMatchObject([{ state: 'sent', reason: 'late_reply' }]);
    });

    test('may send a second copy only where the policy says so, and says so itself', async () => {
      const { mail, goOn, works } = await stopAt('after_gate', 'resend');
      await scene.untilState(mail, 'sent');
      await goOn();
      await works();
      const verdict = await scene.clean(`stopped between gate and dot, resend, ${name}`);
      expect(scene.farSide.copiesOf(mail.to)).toBe(2);
      expect(verdict.declaredTwice).toEqual([mail.to]);
      const dates = scene.farSide.delivered.filter(({ to }) => to === mail.to);
      expect(new Set(dates.map(({ messageId, date }) => `${messageId} ${date}`)).size).toBe(1);
    });

    test.each(['before_gate', 'after_gate'] as const)(
      'because its event loop is busy (%s) keeps its lease: one dot, no doubt',
      async (point) => {
        const spinMs = 2.5 * LEASE_SECONDS * 1_000;
        const busy = await scene.start({
          ...{ leaseSeconds: LEASE_SECONDS, concurrency: 4 },
          faults: [{ point, action: 'spin', spinMs }],
        });
        const mails = await scene.enqueue(4);
        await busy.untilFault();
        await scene.start({ leaseSeconds: LEASE_SECONDS });
        await scene.drained();
        const verdict = await scene.clean(`busy at ${point}, ${name}`);
        expect(verdict).toMatchObject({ states: { sent: 4 }, dots: 4, inDoubt: [] });
        for (const mail of mails) expect((await scene.registered(mail)).leaseLosses).toBe(0);
      },
    );
  },
);
