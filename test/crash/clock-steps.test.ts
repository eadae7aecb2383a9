import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { barrier, onScene, PATIENT } from './scene.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
/** Long enough for a busy machine to renew it. */
const OPTIONS = { leaseSeconds: 6, clockSkewMs: 0 } as const;
/** Every worker looks for lost leases once a second. */
const A_LOOK_MS = 1_500;

describe.concurrent.each(databases)(
  'a wall clock that is set while mail leaves on $name',
  PATIENT,
  (database) => {
    const { name } = database;
    // The time of day decides when a mail is due. With SQLite that is the machine's, which a test can set.
    const laterMs = name === 'SQLite' ? 2 * YEAR_MS : HOUR_MS / 2;

    test(
      'by an hour or a year, or that stands still, takes no mail from whoever sends it, and sends none early [F33]',
      onScene(database, async (scene) => {
        const reply = barrier();
        scene.farSide.script = () => ({ beforeReply: reply.wait });
        const later = await scene.enqueueOne({ sendAt: new Date(Date.now() + laterMs).toISOString() });
        const sending = await scene.start(OPTIONS);
        const mails = await scene.enqueue(6);
        await scene.farSide.until('six dots', () => scene.farSide.delivered.length === mails.length);
        const beside = await scene.start(OPTIONS);
        for (const error of [HOUR_MS, -HOUR_MS, YEAR_MS, 'frozen'] as const) {
          for (const worker of [sending, beside]) {
            await worker.setClock(error);
            await sleep(A_LOOK_MS);
            await worker.setClock(0);
          }
        }
        expect(await scene.leaseLosses()).toBe(0);
        reply.open();
        await scene.drained();
        const { dots, inDoubt, states } = await scene.clean(`clocks that are set, ${name}`);
        expect({ dots, inDoubt, states }).toEqual({ dots: 6, inDoubt: [], states: { due: 1, sent: 6 } });
        expect(await scene.stateOf(later)).toBe('scheduled');
      }),
    );

    test(
      'back by an hour lets go of what a dead worker held, and goes on claiming [F33]',
      onScene(database, async (scene) => {
        const reply = barrier();
        let dead = false;
        scene.farSide.script = () => ({ beforeReply: dead ? Promise.resolve() : reply.wait });
        const dying = await scene.start(OPTIONS);
        const mail = await scene.enqueueOne({ onDoubt: 'resend' });
        await scene.farSide.until('the dot', () => scene.farSide.copiesOf(mail.to) === 1);
        const beside = await scene.start(OPTIONS);
        await Promise.all([dying.setClock(-HOUR_MS), beside.setClock(-HOUR_MS)]);
        dead = true;
        await dying.kill();
        await scene.farSide.until('the copy of the next worker', () => scene.farSide.copiesOf(mail.to) === 2);
        await scene.untilState(mail, 'sent');
        await beside.setClock(0);
        const next = await scene.enqueueOne();
        await scene.untilState(next, 'sent');
        const verdict = await scene.clean(`clocks set back, ${name}`);
        expect(verdict.declaredTwice).toEqual([mail.to]);
      }),
    );
  },
);
