import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { onScene, PATIENT } from '../crash/scene.js';
import type { WorkerOptions } from '../crash/worker-process.js';
import { Race } from './race.js';
import { only } from './world.js';

/** Before anything is due; looks follow each other as fast as they ever do. */
const BEFORE = '2015-10-30T12:00:00Z*12.5';
/** Later than all that was reserved, by more than anything may be left over. */
const LATER = '2015-11-05T12:00:00Z*12.5';
const NOON = Date.parse('2015-10-31T14:00Z');
const LEASE_SECONDS = 0.6;
const MAILS = 2;

/** During an upgrade workers of two versions share a database. */
describe.concurrent.each(databases)(
  'a worker of the version before beside a new one on $name',
  PATIENT,
  (database) => {
    test.each(['before_gate', 'after_gate'] as const)(
      'sends no guarded mail, and what it recovers of a death at %s gives back its place and its turn',
      (point) =>
        onScene(database, async (scene) => {
          const race = await Race.prepare(scene, MAILS, only({ spacingMs: 10_000, maxSpacingMs: 10_000 }));
          await race.agreeOn(BEFORE);
          const faults: WorkerOptions['faults'] = [{ point, action: 'kill' }];
          const victim = race.launch({ clock: BEFORE, leaseSeconds: LEASE_SECONDS, faults });
          await victim.started();
          // From here on it may send, and its first mail is its last.
          await Promise.race([victim.setNow(NOON), victim.ended]);
          await victim.ended;
          expect(await race.places()).toEqual({ reserved: 1, turns: 1 });

          const older = race.launch({ clock: BEFORE, older: true, leaseSeconds: LEASE_SECONDS });
          await race.untilSettled();
          // It works, and its own mail leaves; what is guarded it does not see.
          await older.setNow(NOON);
          await race.putUnguarded('unguarded@example.org');
          await scene.farSide.until('unguarded mail', () => scene.farSide.delivered.length === 1);
          expect(scene.farSide.copiesOf('unguarded@example.org')).toBe(1);
          expect(await race.places()).toEqual({ reserved: 1, turns: 1 });
          await older.kill();

          race.workers.clear();
          await race.agreeOn(LATER);
          race.launch({ clock: LATER, leaseSeconds: 60 });
          await scene.farSide.until('the guarded mail', () => scene.farSide.delivered.length === 1 + MAILS);
          await race.untilPlaces({ reserved: 0, turns: 0 });
          await race.store.close();
        })(),
    );
  },
);
