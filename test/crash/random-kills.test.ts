import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { dice } from './dice.js';
import { onScene, type Scene } from './scene.js';
import type { WorkerProcess } from './worker-process.js';

/** `npm run chaos` asks for more. */
const MESSAGES = Number(process.env['CHAOS_MESSAGES'] ?? 1_500);
const WORKERS = Number(process.env['CHAOS_WORKERS'] ?? 3);
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 10);
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 1.5);
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);

const BATCH = 500;
const OPTIONS = { leaseSeconds: 1, concurrency: 10 };

/** Longer than 20 s: each death leaves a lease that has to run out, and a worker that has to be loaded. */
describe.each(databases)('workers killed and stopped at random on $name [F01]', (database) => {
  const title = `${KILLS} deaths among ${WORKERS} workers lose and double nothing of ${MESSAGES} mails`;
  test(
    title,
    { timeout: MINUTES * 60_000 + 3 * PATIENCE_MS },
    onScene(database, async (scene) => {
      const enqueued = enqueueAll(scene);
      await killAtRandom(scene);
      await enqueued;
      await scene.drained(MINUTES * 60_000);
      const { accepted } = await scene.clean(`${title}, seed ${SEED}, ${database.name}`);
      expect(accepted).toBe(MESSAGES);
    }),
  );
});

async function enqueueAll(scene: Scene): Promise<void> {
  for (let left = MESSAGES; left > 0; left -= BATCH) {
    const count = Math.min(left, BATCH);
    await scene.enqueue(Math.ceil(count / 2), { onDoubt: 'hold' });
    await scene.enqueue(Math.floor(count / 2), { onDoubt: 'resend' });
  }
}

/** Every third of those that are hit stands still for more than a lease and then goes on; the others die. */
async function killAtRandom(scene: Scene): Promise<void> {
  const random = dice(SEED);
  // A far side that takes its time: then there is always something between the gate and the answer.
  scene.farSide.script = () => ({ beforeGo: sleep(random(30)), beforeReply: sleep(random(30)) });
  let workers = Array.from({ length: WORKERS }, () => scene.launch(OPTIONS));
  const stalls: Promise<void>[] = [];
  for (let kills = 0; kills < KILLS;) {
    await sleep(100 + random(100));
    // One that is still loading has nothing to lose.
    const working = workers.filter(({ ready }) => ready);
    const victim = working[Math.floor(random(working.length))];
    if (!victim) continue;
    if (random(3) < 1) {
      stalls.push(stall(victim, (1 + random(1)) * OPTIONS.leaseSeconds * 1_000));
      continue;
    }
    await victim.kill();
    kills += 1;
    workers = [...workers.filter((worker) => worker !== victim), scene.launch(OPTIONS)];
  }
  await Promise.all(stalls);
}

async function stall(worker: WorkerProcess, ms: number): Promise<void> {
  worker.standStill();
  await sleep(ms);
  worker.goOn();
}
