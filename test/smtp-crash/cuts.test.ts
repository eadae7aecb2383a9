import { describe, expect, test, vi } from 'vitest';
import { databases } from '../databases.js';
import { dice } from '../crash/dice.js';
import { PATIENT, type Accepted } from '../crash/scene.js';
import { PATIENCE_MS } from '../patience.js';
import { AFTER_THE_DOT_LEFT, CUTS, PHASES, TAKEN, WITHOUT_MAIL, type Cut, type Phase } from './phases.js';
import { enqueueFor, IMPATIENT, onSmtpScene, type SmtpScene } from './smtp-far-side.js';

const MAILS = 250;
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
/** Of the phases that lines come to. About nine of them lie on a mail's way. */
const SHARE_CUT = 0.02;
/** Nobody dies here: a lease that is lost because the machine is busy would be a doubt that no cut has made. */
const OPTIONS = { leaseSeconds: 20, smtp: IMPATIENT };

describe.concurrent.each(databases)('a line to the server that is cut on $name', PATIENT, (database) => {
  const { name } = database;

  test(
    'once at each phase: before the dot the mail leaves on the next try, after it a person decides [D3] [D4] [F09]',
    onSmtpScene(database, async (scene) => {
      // Each alone on its line: whoever is written behind another mail would take that one's answer along.
      const alone = { ...OPTIONS, smtp: { ...IMPATIENT, alone: true } };
      await Promise.all([scene.start(alone), scene.start(alone)]);
      for (const cut of CUTS) for (const phase of WITHOUT_MAIL) await cutWithoutMail(scene, phase, cut);
      const cutMails = await cutEachMail(scene);

      const verdict = await scene.clean(`cut at each phase, ${name}`);
      for (const { phase, cut, mail } of cutMails) {
        expect({ phase, cut, ...(await endOf(scene, mail)) }).toEqual({ phase, cut, ...expectedEnd(phase) });
      }
      const doubtful = cutMails.filter(({ phase }) => AFTER_THE_DOT_LEFT.includes(phase));
      expect(verdict.inDoubt.toSorted()).toEqual(doubtful.map(({ mail }) => mail.to).toSorted());
      expect(verdict.states).toEqual({ sent: verdict.accepted - doubtful.length, held: doubtful.length });
    }),
  );

  test(
    'in the middle of a mail that is poured out before its gate is asked leaves no doubt',
    onSmtpScene(database, async (scene) => {
      scene.farSide.lane.once('content', 'reset');
      await scene.start({ leaseSeconds: 20 });
      // More than the kernel takes while nobody reads: the worker has not come to the end when it is cut off.
      const mail = await scene.enqueueOne({ text: 'All of this goes before the gate.\n'.repeat(300_000) });
      await scene.drained();
      const { states, inDoubt } = await scene.clean(`cut before the gate, ${name}`);
      expect({ states, inDoubt }).toEqual({ states: { sent: 1 }, inDoubt: [] });
      expect((await scene.registered(mail)).attempts).toEqual(['failed', 'success']);
    }),
  );

  test(
    `at random, with 3 workers and ${MAILS} mails: exactly those are in doubt whose dot left without an answer`,
    onSmtpScene(database, async (scene) => {
      const random = dice(SEED);
      const cuts = new Map<Phase, number>();
      scene.farSide.lane.script = ({ phase }) => {
        if (random(1) >= SHARE_CUT) return 'pass';
        cuts.set(phase, (cuts.get(phase) ?? 0) + 1);
        // Silence takes its time.
        return CUTS[random(1) < 0.1 ? 2 : Math.floor(random(2))]!;
      };
      await Promise.all([scene.start(OPTIONS), scene.start(OPTIONS), scene.start(OPTIONS)]);
      await scene.enqueue(MAILS);
      // A mail whose gate was asked behind one that never got its answer goes back untried, and comes again a little later.
      await vi.waitUntil(
        async () => {
          await scene.drained();
          return (await scene.verdict()).states['due'] === undefined;
        },
        { timeout: 3 * PATIENCE_MS, interval: 100 },
      );

      const verdict = await scene.clean(`cut at random, seed ${SEED}, ${name}`);
      const unanswered = unansweredOn(scene);
      expect(verdict.inDoubt.toSorted()).toEqual(unanswered);
      expect(verdict.states).toEqual({ sent: MAILS - unanswered.length, held: unanswered.length });
      expect(cuts.size).toBeGreaterThan(5);
    }),
  );
});

/** Whose dot left, and whose line brought no answer to it. */
const unansweredOn = ({ farSide }: SmtpScene): readonly string[] =>
  farSide.passages
    .filter(({ dotLeft, answered }) => dotLeft && !answered)
    .map(({ to }) => to)
    .toSorted();

/** A mail for each phase and cut, to be cut there the first time. */
async function cutEachMail(
  scene: SmtpScene,
): Promise<readonly { readonly phase: Phase; readonly cut: Cut; readonly mail: Accepted }[]> {
  const phases = PHASES.filter((phase) => !WITHOUT_MAIL.includes(phase));
  const wanted = CUTS.flatMap((cut) => phases.map((phase) => ({ phase, cut })));
  const planned = new Map<string, Phase>();
  const cutOf = new Map<string, Cut>();
  scene.farSide.lane.plan(planned, (to) => cutOf.get(to)!);
  const mails = await enqueueFor(scene, wanted, (to, { phase, cut }) => {
    planned.set(to, phase);
    cutOf.set(to, cut);
  });
  await scene.drained();
  expect([...planned.values()]).toEqual([]);
  return [...mails].map(([mail, each]) => ({ ...each, mail }));
}

/** The next line that comes to the phase is cut there, whichever mail it was made for. All of them are sent. */
async function cutWithoutMail(scene: SmtpScene, phase: Phase, cut: Cut): Promise<void> {
  const { lane } = scene.farSide;
  lane.resetAll();
  const struck = lane.once(phase, cut);
  // The refusal that makes a line begin with RSET is at one of the workers, and which of them sends next is open.
  for (let mails = 0; mails < 50; mails += 1) {
    lane.refusals = phase === 'rset' ? 1 : 0;
    await scene.untilState(await scene.enqueueOne(), 'sent');
    if (phase === 'quit' || struck.happened()) break;
  }
  await struck.line();
  lane.refusals = 0;
}

interface End {
  readonly state: string;
  readonly taken: readonly { readonly answered: boolean }[];
}

async function endOf(scene: SmtpScene, mail: Accepted): Promise<End> {
  const taken = scene.farSide.delivered.filter(({ to }) => to === mail.to);
  return { state: await scene.stateOf(mail), taken: taken.map(({ answered }) => ({ answered })) };
}

function expectedEnd(phase: Phase): End {
  if (!AFTER_THE_DOT_LEFT.includes(phase)) return { state: 'sent', taken: [{ answered: true }] };
  return { state: 'held', taken: TAKEN.includes(phase) ? [{ answered: phase === 'reply' }] : [] };
}
