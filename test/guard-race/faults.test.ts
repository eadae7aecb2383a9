import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SendReport } from '#pillarbox/core/report';
import { databases } from '../databases.js';
import { dice } from '../crash/dice.js';
import type { Conduct } from '../crash/far-side.js';
import { onScene, PATIENT } from '../crash/scene.js';
import { judge } from './judge.js';
import { Race, type Crew } from './race.js';

/** `npm run chaos` asks for more. */
const ROUNDS = Number(process.env['CHAOS_GUARD_ROUNDS'] ?? 1);
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
const LEASE_SECONDS = 1;
const MAILS = 20;

/** Clocks go forward in Fiji; a month ends, and they go back in Havana and New York; a week ends. */
const NIGHTS = [
  { from: Date.parse('2015-10-31T13:40:00Z'), minutes: 40, speed: 600 },
  { from: Date.parse('2015-11-01T03:50:00Z'), minutes: 150, speed: 1_200 },
  { from: Date.parse('2015-11-01T22:50:00Z'), minutes: 80, speed: 1_200 },
];
const WEEK_MS = 7 * 86_400_000;
/** When everybody may send what he likes. */
const AFTERWARDS = '2016-11-09T00:00:00Z*600';

const BUSY: SendReport = {
  status: 'retryable',
  provider: 'scripted',
  error: { class: 'retryable', scope: 'message', code: '451', message: 'busy' },
};

/** Longer than 20 s: three nights, each with workers that have to be loaded anew. */
describe.concurrent.each(databases)('many workers on $name', PATIENT, (database) => {
  test(
    'that die, stand still and meet servers that fail never send over, outside or too close [F35] [F34]',
    { timeout: PATIENT.timeout * ROUNDS },
    onScene(database, async (scene) => {
      const random = dice(SEED);
      const race = await Race.prepare(scene, MAILS * ROUNDS);
      const crew = race.crewOf({ leaseSeconds: LEASE_SECONDS, concurrency: 5 });
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { from, minutes, speed } of NIGHTS) {
          // On a slow machine nights are longer: as much happens in them.
          const pace = Math.ceil(speed / crew.slowness);
          const clock = `${new Date(from + round * WEEK_MS).toISOString()}*${String(pace)}`;
          scene.farSide.script = () => moody(random);
          await crew.start(clock);
          await harm(race, crew, { clock, ms: (minutes * 60_000) / pace, random });
          await race.killAll();
        }
      }
      const evidence = await race.evidence();
      expect(judge(evidence)).toEqual({ outside: [], over: [], close: [], unvouched: [] });

      scene.farSide.script = () => undefined;
      await race.lift();
      await crew.start(AFTERWARDS);
      await scene.drained();
      await scene.clean(`guarded mail, ${String(ROUNDS)} rounds, seed ${String(SEED)}, ${database.name}`);
      await race.checkBooks();
      if (process.env['CHAOS_REPORT']) console.log(database.name, await race.account(evidence));
      await race.store.close();
    }),
  );
});

function moody(random: (below: number) => number): Conduct {
  const mood = random(100);
  const slow = { beforeGo: sleep(random(20)), beforeReply: sleep(random(20)) };
  if (mood < 8) return { ...slow, refuse: BUSY };
  if (mood < 10) return { ...slow, cut: 'before_dot' };
  return mood < 12 ? { ...slow, cut: 'after_dot' } : slow;
}

/**
 * Each time that some mails were offered somebody is hit, so that there is always something to lose. Every third of them
 * stands still for more than a lease and then goes on; the others die.
 */
async function harm(
  { scene: { farSide } }: Race,
  crew: Crew,
  { clock, ms, random }: { clock: string; ms: number; random: (below: number) => number },
): Promise<void> {
  const until = performance.now() + ms;
  const stalls: Promise<void>[] = [];
  let next = 10;
  while (performance.now() < until) {
    await sleep(20);
    if (farSide.offers.length < next) continue;
    next = farSide.offers.length + 5 + random(15);
    const victim = crew.anyone(random);
    if (!victim) continue;
    if (random(3) < 1) stalls.push(crew.stall(victim, (1 + random(1)) * LEASE_SECONDS * 1_000));
    else await crew.replace(victim, clock);
  }
  await Promise.all(stalls);
}
