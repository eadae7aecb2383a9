import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { dice } from './dice.js';
import { onScene, type Scene } from './scene.js';
import type { WorkerProcess } from './worker-process.js';

/** `npm run chaos` asks for an hour. */
const MINUTES = Number(process.env['CHAOS_SOAK_MINUTES'] ?? 0.1);
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);

const MORTALS = 2;
const BATCH = 25;
const OPTIONS = { leaseSeconds: 2, concurrency: 10 };
/** What a process may have more of at the end than in the middle: a leak of an hour is far beyond it. */
const SLACK_BYTES = 48 * 1024 * 1024;
const SLACK_FILES = 10;

interface Sample {
  readonly bytes: number;
  readonly files: number;
}

describe.each(databases)('a long run at a steady rate on $name', (database) => {
  test(
    'with deaths and stalls all the time stays clean, and who lives through it grows no larger [F60]',
    { timeout: MINUTES * 60_000 + 3 * PATIENCE_MS },
    onScene(database, async (scene) => {
      const survivor = await scene.start(OPTIONS);
      const until = performance.now() + MINUTES * 60_000;
      const samples: Sample[] = [];
      await Promise.all([feed(scene, until), harm(scene, until), watch(survivor, samples, until)]);
      await scene.drained(PATIENCE_MS);
      const { accepted } = await scene.clean(`a soak of ${MINUTES} minutes, seed ${SEED}, ${database.name}`);
      expect(accepted).toBeGreaterThan(BATCH);
      expect(survivor.alive).toBe(true);
      const [, middle, end] = thirds(samples);
      if (process.env['CHAOS_REPORT']) console.log({ middle, end, samples: samples.length });
      expect(end.bytes).toBeLessThan(middle.bytes + SLACK_BYTES);
      expect(end.files).toBeLessThanOrEqual(middle.files + SLACK_FILES);
    }),
  );
});

/** As fast as the machine sends it, and no faster: what waits would be a growth of our own making. */
async function feed(scene: Scene, until: number): Promise<void> {
  while (performance.now() < until) {
    await scene.enqueue(BATCH, { onDoubt: scene.accepted.length % (2 * BATCH) === 0 ? 'hold' : 'resend' });
    while (scene.accepted.length - scene.farSide.delivered.length > 8 * BATCH && performance.now() < until) {
      await sleep(50);
    }
    await sleep(200);
  }
}

async function harm(scene: Scene, until: number): Promise<void> {
  const random = dice(SEED);
  scene.farSide.script = () => ({ beforeGo: sleep(random(30)), beforeReply: sleep(random(30)) });
  const mortals = Array.from({ length: MORTALS }, () => scene.launch(OPTIONS));
  while (performance.now() < until) {
    await sleep(500 + random(2_000));
    const [victim] = mortals;
    if (!victim?.ready) continue;
    mortals.shift();
    if (random(3) < 1) {
      victim.standStill();
      await sleep(2 * OPTIONS.leaseSeconds * 1_000);
      victim.goOn();
      mortals.push(victim);
      continue;
    }
    await victim.kill();
    scene.workers.splice(scene.workers.indexOf(victim), 1);
    mortals.push(scene.launch(OPTIONS));
  }
}

async function watch({ pid }: WorkerProcess, samples: Sample[], until: number): Promise<void> {
  while (performance.now() < until) {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    samples.push({ bytes: Number(resident) * 1_024, files: readdirSync(`/proc/${pid}/fd`).length });
    await sleep(Math.max(250, MINUTES * 100));
  }
}

/** The median of each third of a run. */
function thirds(samples: readonly Sample[]): [Sample, Sample, Sample] {
  const size = Math.ceil(samples.length / 3);
  const [first, second, third] = [0, 1, 2].map((n) => {
    const part = samples.slice(n * size, (n + 1) * size);
    return { bytes: median(part.map(({ bytes }) => bytes)), files: median(part.map(({ files }) => files)) };
  }) as [Sample, Sample, Sample];
  return [first, second, third];
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
