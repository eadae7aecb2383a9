import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { onScene, PATIENT } from '../crash/scene.js';
import { unused } from './judge.js';
import { Race } from './race.js';
import { NIGHT } from './world.js';

/** Steps that are this close are one: so many accounts have a turn at once. */
const TOGETHER_MS = 180_000;
/** A day before anything is due. At that speed looks follow each other as fast as they ever do. */
const CLOCK = '2015-10-30T12:00:00Z*12.5';

/** Longer than 20 s: a day and a half goes by step by step, and in each all that can leave must have left. */
describe.concurrent.each(databases)('many workers on $name', PATIENT, (database) => {
  test(
    'use every opening in full when nothing fails, over both nights on which clocks change [F34] [D17]',
    onScene(database, async (scene) => {
      const race = await Race.prepare(scene, 20);
      await race.crewOf({ leaseSeconds: 60, concurrency: 10 }).start(CLOCK);
      for (
        let now = NIGHT.from;
        now < NIGHT.until;
        now = Math.max(now, await race.nextEvent()) + TOGETHER_MS
      ) {
        await race.setNow(now);
        await race.untilQuiet();
      }
      expect(await race.findings()).toEqual({ outside: [], over: [], close: [], unvouched: [] });
      expect(unused(await race.evidence(), NIGHT)).toEqual([]);
      await race.checkBooks();
      await race.store.close();
    }),
  );
});
