import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { barrier, PATIENT, type Accepted } from '../crash/scene.js';
import { AFTER_THE_DOT_LEFT, TAKEN, type Cut, type Phase } from './phases.js';
import { onSmtpScene, type SmtpScene } from './smtp-far-side.js';

/** One connection for two mails: the second is written behind the first as soon as that one's dot is. */
const OPTIONS = { leaseSeconds: 20, smtp: { maxConnections: 1, atOnce: 2 } };

/** Where a line is cut, and on whose way. */
interface Blow {
  readonly to: 'first' | 'second';
  readonly phase: Phase;
  readonly cut: Cut;
}

/** The second one has been written, and the first has not been answered. */
const BEHIND: readonly Phase[] = ['rset', 'mail', 'rcpt', 'data'];
const blowsOf = (cut: Cut): readonly Blow[] => [
  ...AFTER_THE_DOT_LEFT.map((phase) => ({ to: 'first', phase, cut }) as const),
  ...[...BEHIND, 'go' as const, ...AFTER_THE_DOT_LEFT].map(
    (phase) => ({ to: 'second', phase, cut }) as const,
  ),
];
const BLOWS = [...blowsOf('reset'), ...blowsOf('end')];
/** It takes long to notice: all of them at the same time, each on a line of its own. */
const SILENCES = blowsOf('silence');
/** Longer than a busy machine takes from a dot to what comes behind it. */
const PATIENCE_OF_WORKER_MS = 15_000;
const LISTENING = {
  ...{ leaseSeconds: 20, concurrency: 2 * SILENCES.length },
  smtp: {
    ...{ maxConnections: SILENCES.length, atOnce: 2 * SILENCES.length },
    limits: { envelopeMs: PATIENCE_OF_WORKER_MS, replyMs: PATIENCE_OF_WORKER_MS },
  },
};
/** So that the gates of those that are written behind others are asked ahead. */
const TO_KNOW_THE_SERVER = 30;

interface End {
  readonly state: string;
  /** Whether the server has the mail, and whether it has said so. */
  readonly taken: readonly { readonly answered: boolean }[];
  readonly attempts: readonly string[];
}

const SENT: End = { state: 'sent', taken: [{ answered: true }], attempts: ['success'] };
const doubtAt = (phase: Phase): End => ({
  state: 'held',
  taken: TAKEN.includes(phase) ? [{ answered: phase === 'reply' }] : [],
  attempts: ['in_doubt'],
});

/** Each has an end of its own. Nobody is charged with a try that ended because of another's mail. */
function expectedEnds({ to, phase }: Blow): readonly [End, End] {
  if (to === 'first') return [doubtAt(phase), SENT];
  // The server has the first, and can't say so any more.
  if (BEHIND.includes(phase)) return [doubtAt('dot'), SENT];
  return [SENT, phase === 'go' ? SENT : doubtAt(phase)];
}

describe.concurrent.each(databases)('a line with two mails on it on $name', PATIENT, (database) => {
  test(
    'is cut at each phase of each: both have an end of their own, and it is true [D3] [D4] [F09]',
    onSmtpScene(database, async (scene) => {
      await scene.start(OPTIONS);
      let doubts = 0;
      for (const blow of BLOWS) {
        const pair = await strike(scene, blow);
        const expected = expectedEnds(blow);
        for (const [index, mail] of pair.entries()) await scene.untilState(mail, expected[index]!.state);
        const ends = await Promise.all(pair.map((mail) => endOf(scene, mail)));
        expect({ blow, ends }).toEqual({ blow, ends: expected });
        doubts += expected.filter(({ state }) => state === 'held').length;
      }
      const { states } = await scene.clean(`two mails on a line, ${database.name}`);
      expect(states).toEqual({ sent: 2 * BLOWS.length - doubts, held: doubts });
    }),
  );

  test(
    'falls silent at each phase of each: the same, once the worker has waited long enough [D3] [D4] [F09]',
    onSmtpScene(database, async (scene) => {
      await scene.start(LISTENING);
      await scene.enqueue(TO_KNOW_THE_SERVER);
      await scene.drained();
      for (const { blow, pair } of await silence(scene)) {
        const expected = expectedEnds(blow);
        for (const [index, mail] of pair.entries()) await scene.untilState(mail, expected[index]!.state);
        const ends = await Promise.all(pair.map((mail) => endOf(scene, mail)));
        expect({ blow, ends }).toEqual({ blow, ends: expected });
      }
      await scene.clean(`two mails on a silent line, ${database.name}`);
    }),
  );
});

interface Silenced {
  readonly blow: Blow;
  /** To whom, in the order in which they came. */
  readonly begun: string[];
  readonly firstArrived: ReturnType<typeof barrier<void>>;
  readonly struck: ReturnType<typeof barrier<void>>;
  isStruck: boolean;
}

/** Sends two mails over each of as many lines as there are blows, all of which fall silent. Answers with them. */
async function silence(
  scene: SmtpScene,
): Promise<readonly { readonly blow: Blow; readonly pair: readonly Accepted[] }[]> {
  const { lane } = scene.farSide;
  const silenced = new Map<object, Silenced>();
  const [allOpen, allPaired] = [barrier(), barrier()];
  const paired = new Set<Silenced>();
  /** Whose second mail is not read any more when the first one meets its blow. */
  const unpaired = SILENCES.filter(({ to, phase }) => to === 'first' && !TAKEN.includes(phase)).length;
  lane.resetAll();
  lane.script = async ({ line, phase, to }) => {
    if (phase === 'ehlo' && silenced.size < SILENCES.length) {
      const [firstArrived, struck] = [barrier(), barrier()];
      const blow = SILENCES[silenced.size]!;
      silenced.set(line, { blow, begun: [], firstArrived, struck, isStruck: false });
      if (silenced.size === SILENCES.length) allOpen.open();
      await allOpen.wait;
    }
    const here = silenced.get(line);
    if (!here || here.isStruck) return 'pass';
    const { blow, begun, firstArrived, struck } = here;
    if (phase === 'mail' && to !== undefined) begun.push(to);
    const owner = phase === 'rset' ? begun.length : begun.indexOf(to ?? '');
    const isBehind = owner === 1 && BEHIND.includes(phase);
    if (isBehind) {
      await firstArrived.wait;
      paired.add(here);
      // Until each line has its second mail none goes on: who is done with his first would take that of another.
      if (paired.size === SILENCES.length - unpaired) allPaired.open();
      await allPaired.wait;
    }
    if (owner === 0 && phase === 'dot') {
      firstArrived.open();
      await allPaired.wait;
      if (blow.to === 'second' && BEHIND.includes(blow.phase)) {
        await struck.wait;
        return blow.cut;
      }
    }
    if (phase !== blow.phase || owner !== (blow.to === 'first' ? 0 : 1)) return 'pass';
    here.isStruck = true;
    struck.open();
    return blow.cut;
  };
  const mails = await scene.enqueue(2 * SILENCES.length);
  const all = () =>
    silenced.size === SILENCES.length && [...silenced.values()].every(({ isStruck }) => isStruck);
  await scene.farSide.until('lines that have all fallen silent', all);
  const rest = new Set(mails);
  const named = [...silenced.values()].map(({ blow, begun }) => {
    const pair = begun.map((recipient) => mails.find((mail) => mail.to === recipient)!);
    for (const mail of pair) rest.delete(mail);
    return { blow, pair };
  });
  // Of those that were never read, nobody knows which was on which line; all of them have the same end.
  return named.map(({ blow, pair }) =>
    pair.length === 2 ? { blow, pair } : { blow, pair: [...pair, take(rest)] },
  );
}

function take<T>(from: Set<T>): T {
  const [first] = from;
  from.delete(first!);
  return first!;
}

/** Sends two mails, and cuts their line once. Answers with them in the order in which they came. */
async function strike(scene: SmtpScene, { to, phase: where, cut }: Blow): Promise<readonly Accepted[]> {
  const begun: string[] = [];
  const [firstArrived, secondWritten] = [barrier(), barrier()];
  let struck = false;
  scene.farSide.lane.script = async ({ phase, to: recipient }) => {
    if (phase === 'mail' && recipient !== undefined && !begun.includes(recipient)) begun.push(recipient);
    if (struck) return 'pass';
    // RSET is for nobody; that of the second comes behind the first.
    const owner = phase === 'rset' ? begun.length : begun.indexOf(recipient ?? '');
    if (owner === 0 && phase === 'dot') {
      firstArrived.open();
      await secondWritten.wait;
    }
    if (owner === 1 && BEHIND.includes(phase)) await firstArrived.wait;
    const blow = owner === (to === 'first' ? 0 : 1) && phase === where;
    if (blow) struck = true;
    // Behind a mail that has no answer it is; now that one may have its answer, unless it is cut off from it.
    if (blow || (owner === 1 && phase === 'data')) secondWritten.open();
    return blow ? cut : 'pass';
  };
  const mails = await scene.enqueue(2);
  await scene.farSide.until(`a line that is cut at ${where}`, () => struck && begun.length === 2);
  return begun.map((recipient) => mails.find((mail) => mail.to === recipient)!);
}

async function endOf(scene: SmtpScene, mail: Accepted): Promise<End> {
  const { attempts } = await scene.registered(mail);
  const taken = scene.farSide.delivered.filter(({ to }) => to === mail.to);
  return {
    state: await scene.stateOf(mail),
    taken: taken.map(({ answered }) => ({ answered })),
    attempts,
  };
}
