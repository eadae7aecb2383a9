import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { dice } from './dice.js';
import { onScene, PATIENT } from './scene.js';

/** `npm run chaos` asks for more. */
const RESTARTS = Number(process.env['CHAOS_RESTARTS'] ?? 8);
const WORKERS = 4;
const BATCH = 100;

describe.concurrent.each(databases)(
  'an upgrade of four workers, one after the other, on $name',
  (database) => {
    test(
      `${RESTARTS} orderly restarts under load lose, double and doubt nothing [F56] [D20]`,
      { timeout: PATIENT.timeout + RESTARTS * 5_000 },
      onScene(database, async (scene) => {
        const random = dice(7);
        scene.farSide.script = () => ({ beforeGo: sleep(random(20)), beforeReply: sleep(random(20)) });
        const start = () => scene.start({ leaseSeconds: 20, concurrency: 10 });
        const workers = await Promise.all(Array.from({ length: WORKERS }, start));
        for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
          const before = scene.farSide.delivered.length;
          await scene.enqueue(BATCH);
          await scene.farSide.until('traffic', () => scene.farSide.delivered.length > before + BATCH / 10);
          const leaving = workers.shift()!;
          expect(await leaving.stop()).toEqual({ code: 0, signal: null });
          workers.push(await start());
        }
        await scene.drained();
        const { dots, states, inDoubt } = await scene.clean(`${RESTARTS} restarts, ${database.name}`);
        const mails = RESTARTS * BATCH;
        expect({ dots, states, inDoubt }).toEqual({ dots: mails, states: { sent: mails }, inDoubt: [] });
        expect(await scene.leaseLosses()).toBe(0);
      }),
    );
  },
);
