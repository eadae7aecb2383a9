import { describe, expect, test } from 'vitest';
import { FAULT_POINTS, type FaultPoint } from '#pillarbox/engine/fault-points';
import { databases } from '../databases.js';
import { onScene, PATIENT, type Scene } from './scene.js';
import type { Happened } from './worker-process.js';

/** Only between the gate and the settlement can nobody know whether a mail has left. */
const DOUBTFUL: readonly string[] = ['after_gate', 'after_send'] satisfies FaultPoint[];
/** It must not lose a lease because the machine is busy: that would be a doubt that no death has left. */
const SURVIVOR = { leaseSeconds: 20 };
const DEATHS_PER_POINT = Number(process.env['CHAOS_DEATHS'] ?? 2);

/** Longer than 20 s: at every step two workers die, each has to be loaded, and its lease to run out. */
describe.concurrent.each(databases)('a worker that dies on $name', PATIENT, (database) => {
  const { name } = database;

  test(
    'at any step: nothing is lost or doubled, and doubt is left only where there is some [D1] [F02]',
    onScene(database, async (scene) => {
      const deaths = FAULT_POINTS.flatMap((point) =>
        Array.from({ length: DEATHS_PER_POINT }, (_, index) => ({ point, visit: 2 + index })),
      );
      for (let pairs = 0; pairs < 3 * deaths.length; pairs += 1) {
        await scene.enqueue(1, { onDoubt: 'hold' });
        await scene.enqueue(1, { onDoubt: 'resend' });
      }
      const happened: Happened[] = [];
      const dieInTurn = async () => {
        for (let death = deaths.shift(); death; death = deaths.shift()) {
          happened.push(await dieAt(scene, death.point, death.visit));
        }
      };
      await Promise.all([dieInTurn(), dieInTurn()]);
      await scene.start(SURVIVOR);
      await scene.drained();

      const verdict = await scene.clean(`killed at every step, ${name}`);
      expect(happened).toHaveLength(FAULT_POINTS.length * DEATHS_PER_POINT);
      const doubtful = happened.filter(({ point }) => DOUBTFUL.includes(point)).map(({ id }) => id);
      const declared = scene.accepted.filter(({ to }) => verdict.inDoubt.includes(to));
      for (const { point, id } of happened) {
        const isDeclared = declared.some(({ number }) => number === id);
        expect({ point, id, isDeclared }).toEqual({ point, id, isDeclared: doubtful.includes(id) });
      }
    }),
  );

  test(
    'leaves no doubt to a person if the provider can be asked',
    onScene(database, async (scene) => {
      await scene.enqueue(12, { onDoubt: 'hold' });
      const died = [await dieAt(scene, 'after_gate', 2, true), await dieAt(scene, 'after_send', 2, true)];
      await scene.start({ ...SURVIVOR, canLookUp: true });
      await scene.drained();

      const verdict = await scene.clean(`killed after the gate, with lookup, ${name}`);
      expect(verdict.states).toEqual({ sent: 12 });
      const asked = scene.accepted.filter(({ number }) => died.some(({ id }) => id === number));
      expect(verdict.inDoubt).toEqual(expect.arrayContaining(asked.map(({ to }) => to)));
    }),
  );

  test(
    'because of one message: that one is given up, and the others flow [F43]',
    onScene(database, async (scene) => {
      const [poison] = await scene.enqueue(10);
      const toll = { point: 'started', id: poison!.number, visit: 'every', action: 'kill' } as const;
      for (let deaths = 0; (await scene.stateOf(poison!)) !== 'dead'; deaths += 1) {
        expect(deaths).toBeLessThan(10);
        // The last of them sends the others: long enough for a busy machine to do so within.
        const worker = scene.launch({ leaseSeconds: 2, faults: [toll] });
        await Promise.race([worker.ended, scene.untilState(poison!, 'dead')]);
      }
      await scene.drained();

      const { states } = await scene.clean(`poison, ${name}`);
      expect(states).toEqual({ sent: 9, dead: 1 });
      expect(await scene.box.messages.get(poison!.id)).toMatchObject({ deadReason: 'poison' });
    }),
  );
});

/** One message at a time in each worker: then a death speaks of exactly one. */
async function dieAt(scene: Scene, point: FaultPoint, visit: number, canLookUp = false): Promise<Happened> {
  const worker = scene.launch({
    ...{ concurrency: 1, leaseSeconds: 2, canLookUp },
    faults: [{ point, visit, action: 'kill' }],
  });
  expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' });
  return worker.happened[0]!;
}
