import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { PATIENT } from '../crash/scene.js';
import type { WorkerProcess } from '../crash/worker-process.js';
import type { Lane } from './lane.js';
import type { Conduct, Phase } from './phases.js';
import { onSmtpScene, type SmtpScene } from './smtp-far-side.js';

/** Long enough to stop two others after the one that has stopped by itself, on a busy machine too. */
const OPTIONS = { leaseSeconds: 8, concurrency: 1 };
/** It must not lose a lease because the machine is busy. */
const SUCCESSOR = { leaseSeconds: 20 };
/** Enough for each of the three to have one, also if some of them claim the next ahead. */
const MAILS = 12;
/** Of such a mail the server has everything but the dot when the gate is asked. */
const LARGE = { text: 'All of this goes before the gate.\n'.repeat(3_000) };

/** A worker that is about to stand still with a mail in hand. */
interface Stalling {
  readonly worker: WorkerProcess;
  readonly lane: Lane;
  /** Resolves once it has come so far. Whom its mail is for, if that can be known. */
  readonly arrived: () => Promise<string | undefined>;
  readonly goOn: () => void;
}

describe.concurrent.each(databases)(
  'workers that send over SMTP and stand still longer than their lease on $name',
  PATIENT,
  (database) => {
    const { name } = database;

    test(
      'before the gate find it shut when they go on: their successor has sent the mails [D6] [F05]',
      onSmtpScene(database, async (scene) => {
        const withLine = await Promise.all([
          stopWithLineAt(scene, 'ehlo', 'pass'),
          stopWithLineAt(scene, 'go', 'pass'),
        ]);
        const { stalled } = await standStill(scene, withLine, 'before_gate');
        await takeOver(scene, { sent: MAILS });
        for (const { goOn } of stalled) goOn();
        // Each goes on with its mail up to the gate, and then hangs up.
        await scene.farSide.until('lines that are given up', () =>
          stalled.every(({ lane }) => lane.passages[0]?.over && lane.passages[0].invited),
        );
        await sendMoreAndEnd(scene, stalled);
        const { dots, inDoubt } = await scene.clean(`stopped before the gate, ${name}`);
        expect({ dots, inDoubt }).toEqual({ dots: scene.accepted.length, inDoubt: [] });
      }),
    );

    test(
      'after it leave a doubt, which only the reply to their own dot resolves [D2] [F10]',
      onSmtpScene(database, async (scene) => {
        const withLine = await Promise.all([
          stopWithLineAt(scene, 'reply', 'pass'),
          stopWithLineAt(scene, 'dot', 'reset'),
        ]);
        const { stalled, recipients } = await standStill(scene, withLine, 'after_gate');
        const [, cut, aboutToSend] = recipients;
        await takeOver(scene, { sent: MAILS - 3, held: 3 });
        expect(scene.farSide.copiesOf(aboutToSend!)).toBe(0);
        for (const { goOn } of stalled) goOn();
        await scene.untilStates({ sent: MAILS - 1, held: 1 });
        await sendMoreAndEnd(scene, stalled);
        const { dots, inDoubt, states } = await scene.clean(`stopped after the gate, ${name}`);
        const mails = scene.accepted.length;
        expect({ dots, states }).toEqual({ dots: mails, states: { sent: mails - 1, held: 1 } });
        expect(inDoubt.toSorted()).toEqual(recipients.toSorted());
        expect(await scene.stateOf(scene.accepted.find(({ to }) => to === cut)!)).toBe('held');
      }),
    );
  },
);

/** On a lane of its own, so that the line that stands at the phase is that of the worker that is stopped. */
async function stopWithLineAt(scene: SmtpScene, phase: Phase, conduct: Conduct): Promise<Stalling> {
  const lane = await scene.farSide.openLane();
  const stopped = lane.stopAt(phase);
  const worker = await scene.start({ ...OPTIONS, port: lane.port });
  return {
    worker,
    lane,
    arrived: async () => (await stopped.line()).to,
    goOn: () => {
      // First the line, so that what it brings lies there when the worker goes on.
      stopped.goOn(conduct);
      worker.goOn();
    },
  };
}

/** Stopped by itself on one side of the gate. */
async function stopInside(scene: SmtpScene, point: 'before_gate' | 'after_gate'): Promise<Stalling> {
  const lane = await scene.farSide.openLane();
  const faults = [{ point, action: 'stop' }] as const;
  const worker = await scene.start({ ...OPTIONS, port: lane.port, faults: [...faults] });
  return {
    worker,
    lane,
    arrived: async () => {
      const { id } = await worker.untilFault();
      return scene.accepted.find(({ number }) => number === id)!.to;
    },
    goOn: () => {
      worker.goOn();
    },
  };
}

/**
 * They stop together, so that none takes over from another. Those whose line stands keep their leases however long the
 * others take to come; whoever stops by itself comes last, because from then on its lease runs out.
 */
async function standStill(
  scene: SmtpScene,
  withLine: readonly Stalling[],
  point: 'before_gate' | 'after_gate',
): Promise<{ readonly stalled: readonly Stalling[]; readonly recipients: readonly string[] }> {
  await scene.enqueue(MAILS, LARGE);
  const recipients = await Promise.all(withLine.map(({ arrived }) => arrived()));
  const stalled = [...withLine, await stopInside(scene, point)];
  recipients.push(await stalled.at(-1)!.arrived());
  // Not the last one: stopped from here before it does so itself, it would do so after it was told to go on.
  for (const { worker } of withLine) await scene.standStill(worker);
  return { stalled, recipients: recipients.map((to = '') => to) };
}

/** Another one, and the leases that run out. */
async function takeOver(scene: SmtpScene, states: Readonly<Record<string, number>>): Promise<void> {
  await scene.start(SUCCESSOR);
  await scene.untilStates(states);
}

/** All send as if nothing had happened; what the stalled ones had still to do, they have done when they end. */
async function sendMoreAndEnd(scene: SmtpScene, stalled: readonly Stalling[]): Promise<void> {
  const { farSide } = scene;
  const others = await scene.enqueue(12);
  await farSide.until('mails after the stall', () => others.every(({ to }) => farSide.copiesOf(to) === 1));
  await scene.drained();
  const endings = await Promise.all(stalled.map(({ worker }) => worker.stop()));
  expect(endings.map(({ code }) => code)).toEqual(stalled.map(() => 0));
}
