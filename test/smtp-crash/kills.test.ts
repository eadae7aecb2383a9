import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { FaultPoint } from '#pillarbox/engine/fault-points';
import { databases } from '../databases.js';
import { dice } from '../crash/dice.js';
import { barrier, PATIENT } from '../crash/scene.js';
import { documentedBehindEach } from '../smtp/documented.js';
import { AFTER_THE_DOT_LEFT, CUTS, PHASES, WITHOUT_MAIL, type Conduct, type Phase } from './phases.js';
import { enqueueFor, IMPATIENT, onSmtpScene, type SmtpScene } from './smtp-far-side.js';

const MAILS = 300;
const WORKERS = 3;
const KILLS = 5;
/** What a worker of these tests sends at once, and over how many connections. */
const IN_HAND = 10;
const CONNECTIONS = 2;
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
const SHARE_CUT = 0.01;
/** Short enough to wait for, and long enough for a busy machine to send and settle within. */
const OPTIONS = { leaseSeconds: 8 };
/** It must not lose a lease because the machine is busy. */
const SURVIVOR = { leaseSeconds: 20 };

/** Mails that had passed the gate when their worker was killed, and were not answered: the server may be near. */
const MOST_UNANSWERED = KILLS * CONNECTIONS * (1 + documentedBehindEach('near'));

/** Longer than 20 s: about forty workers are loaded and killed, and their leases run out. */
describe.concurrent.each(databases)('workers that send over SMTP, killed on $name', PATIENT, (database) => {
  const { name } = database;

  test(
    'at each phase: the others lose and double nothing, and doubt is left only where a dot was leaving [F02]',
    onSmtpScene(database, async (scene) => {
      await scene.enqueueOne();
      await dieWithLineAt(scene, 'quit');
      expect(scene.farSide.delivered).toHaveLength(1);
      const sending = await dieWithMails(scene);
      await scene.enqueue(12);
      const [aboutToSend] = await Promise.all([
        dieInside(scene, 'after_gate'),
        dieInside(scene, 'before_gate'),
        ...(['connect', 'greeting', 'ehlo', 'rset'] as const).map((phase) => dieWithLineAt(scene, phase)),
      ]);
      await scene.start(SURVIVOR);
      await scene.drained();

      const { inDoubt, states, accepted, delivered } = await scene.clean(`killed at each phase, ${name}`);
      const doubtful = [aboutToSend, ...sending];
      expect(inDoubt.toSorted()).toEqual(doubtful.toSorted());
      expect(states).toEqual({ sent: accepted - doubtful.length, held: doubtful.length });
      // What had left before its worker died, the network has carried on; what was about to leave, had not left.
      expect(delivered).toBe(accepted - 1);
      expect(scene.farSide.copiesOf(aboutToSend)).toBe(0);
    }),
  );

  test(
    `${KILLS} at random while lines are cut too: ${WORKERS} at a time account for ${MAILS} mails`,
    onSmtpScene(database, async (scene) => {
      const random = dice(SEED);
      scene.farSide.lane.script = async () => {
        if (random(1) < SHARE_CUT) return CUTS[random(1) < 0.1 ? 2 : Math.floor(random(2))]!;
        // A network that takes its time: then there is always something on the wire when a worker dies.
        if (random(1) < 0.5) await sleep(random(10));
        return 'pass';
      };
      await scene.enqueue(Math.ceil(MAILS / 2), { onDoubt: 'hold' });
      await scene.enqueue(Math.floor(MAILS / 2), { onDoubt: 'resend' });
      await killAtRandom(scene, random);
      await scene.drained();

      const { accepted, inDoubt } = await scene.clean(`cut and killed at random, seed ${SEED}, ${name}`);
      expect(accepted).toBe(MAILS);
      // Those that were invited, a cut may have put in doubt.
      const uninvited = inDoubt.filter((to) => !scene.farSide.wasInvited(to));
      expect(uninvited.length).toBeLessThanOrEqual(MOST_UNANSWERED);
    }),
  );

  test(
    'on a fast line, where mails pass the gate ahead of their turn: only those are in doubt, and few of them',
    onSmtpScene(database, async (scene) => {
      const random = dice(SEED);
      await scene.enqueue(MAILS, { onDoubt: 'hold' });
      // What was there may have been sent before the first is killed: each dies with something to do.
      await killAtRandom(scene, random, async () => {
        await scene.enqueue(MAILS / KILLS, { onDoubt: 'hold' });
        await sleep(random(30));
      });
      await scene.start(SURVIVOR);
      await scene.drained();

      const { accepted, inDoubt } = await scene.clean(`killed on a fast line, seed ${SEED}, ${name}`);
      expect(accepted).toBe(2 * MAILS);
      const answered = new Set(scene.farSide.passages.filter((mail) => mail.answered).map(({ to }) => to));
      expect(inDoubt.filter((to) => !answered.has(to)).length).toBeLessThanOrEqual(MOST_UNANSWERED);
      // With those that were answered just before, and not written down yet.
      expect(inDoubt.length).toBeLessThanOrEqual(KILLS * IN_HAND);
    }),
  );
});

/** On a lane of its own, so that the line that stands at the phase is that of the worker that is killed. */
async function dieWithLineAt(scene: SmtpScene, phase: Phase): Promise<void> {
  const lane = await scene.farSide.openLane();
  // Whatever it is given to send, it comes to RSET before it has sent any.
  if (phase === 'rset') lane.refusals = Infinity;
  const stopped = lane.stopAt(phase);
  const smtp = { limits: { idleMs: 300 } };
  const worker = scene.launch({ ...OPTIONS, concurrency: 1, port: lane.port, smtp });
  await stopped.line();
  await worker.kill();
  stopped.goOn('pass');
}

/** One worker with a line at each phase that a mail comes to. Answers to whom a dot had left. */
async function dieWithMails(scene: SmtpScene): Promise<readonly string[]> {
  const phases = PHASES.filter((phase) => !WITHOUT_MAIL.includes(phase));
  const lane = await scene.farSide.openLane();
  const death = barrier<Conduct>();
  const planned = new Map<string, Phase>();
  lane.plan(planned, () => death.wait);
  const smtp = { maxConnections: phases.length };
  const worker = await scene.start({ ...OPTIONS, port: lane.port, smtp });
  const mails = await enqueueFor(scene, phases, (to, phase) => planned.set(to, phase));
  await scene.farSide.until('a line at each phase', () => planned.size === 0);
  await worker.kill();
  // What it had written is on its way, whether or not it still lives.
  death.open('pass');
  return [...mails].filter(([, phase]) => AFTER_THE_DOT_LEFT.includes(phase)).map(([{ to }]) => to);
}

async function dieInside(scene: SmtpScene, point: FaultPoint): Promise<string> {
  const worker = scene.launch({ ...OPTIONS, concurrency: 1, faults: [{ point, action: 'kill' }] });
  expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' });
  return scene.accepted.find(({ number }) => number === worker.happened[0]!.id)!.to;
}

async function killAtRandom(
  scene: SmtpScene,
  random: (below: number) => number,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const smtp = { ...IMPATIENT, maxConnections: CONNECTIONS };
  const launch = () => scene.launch({ ...OPTIONS, smtp });
  let workers = Array.from({ length: WORKERS }, launch);
  for (let kills = 0; kills < KILLS;) {
    await sleep(100 + random(150));
    // One that is still loading has nothing to lose.
    const working = workers.filter(({ ready }) => ready);
    const victim = working[Math.floor(random(working.length))];
    if (!victim) continue;
    await before();
    await victim.kill();
    kills += 1;
    workers = [...workers.filter((worker) => worker !== victim), launch()];
  }
}
