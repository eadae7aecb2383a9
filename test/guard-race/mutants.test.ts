import { describe, expect, test } from 'vitest';
import type { SendReport } from '#pillarbox/core/report';
import { databases } from '../databases.js';
import type { MutantName } from '../crash/mutants.mjs';
import { barrier, onScene, PATIENT, type Scene } from '../crash/scene.js';
import type { WorkerOptions } from '../crash/worker-process.js';
import { unused } from './judge.js';
import { Race } from './race.js';
import { only, type Account } from './world.js';

/** Before anything is due; looks follow each other as fast as they ever do. */
const CLOCK = '2015-10-30T12:00:00Z*12.5';
const at = (instant: string): number => Date.parse(instant);
const SATURDAY = { from: at('2015-10-31T00:00Z'), until: at('2015-11-01T00:00Z') };
const HOUR_MS = 3_600_000;
/** The day of the first mails; all are due before noon. */
const NOON = SATURDAY.from + 14 * HOUR_MS;
const IN_NEW_YORK: Partial<Account> = {
  zone: 'America/New_York',
  window: { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 9, endHour: 18 },
};

const BUSY: SendReport = {
  status: 'retryable',
  provider: 'scripted',
  error: { class: 'retryable', scope: 'message', code: '451', message: 'busy' },
};

/** One account and one worker, who may have a planted bug. */
async function set(
  scene: Scene,
  account: Partial<Account>,
  mutant: MutantName | undefined,
  { mails = 10, ...over }: Partial<WorkerOptions> & { readonly mails?: number } = {},
) {
  const race = await Race.prepare(scene, mails, only(account));
  const worker = race.launch({ clock: CLOCK, leaseSeconds: 60, ...(mutant && { mutant }), ...over });
  await race.agreeOn(CLOCK);
  await worker.started();
  return { race, worker };
}

const onDays = async (race: Race, instants: readonly number[]): Promise<void> => {
  for (const instant of instants) {
    await race.setNow(instant);
    await race.untilQuiet();
  }
};

/** If a planted bug were not found, finding none in the real guard would mean nothing. */
describe.concurrent.each(databases)('a planted bug of the guard is found on $name:', PATIENT, (database) => {
  const found = (
    title: string,
    mutants: readonly (MutantName | undefined)[],
    act: (scene: Scene, mutant: MutantName | undefined) => Promise<Race>,
  ) => {
    test.each(mutants)(`${title}: %s`, (mutant) =>
      onScene(database, async (scene) => {
        const race = await act(scene, mutant);
        await race.store.close();
      })(),
    );
  };

  found('a claim that reserves nothing', ['noReservation'], async (scene, mutant) => {
    const go = barrier();
    scene.farSide.script = () => ({ beforeGo: go.wait });
    const { race } = await set(scene, { limits: { day: 3 } }, mutant);
    await race.setNow(NOON);
    await scene.farSide.until('more than the day allows', () => scene.farSide.offers.length > 3);
    go.open();
    await race.untilQuiet();
    expect((await race.findings()).over).toHaveLength(1);
    return race;
  });

  found(
    'a failed try that gives nothing back',
    [undefined, 'reservationNotGivenBack'],
    async (scene, mutant) => {
      scene.farSide.script = ({ nth }) => (nth === 1 ? { refuse: BUSY } : undefined);
      const { race } = await set(scene, { limits: { day: 3 } }, mutant);
      await onDays(race, [NOON]);
      expect(unused(await race.evidence(), SATURDAY)).toHaveLength(mutant ? 1 : 0);
      if (mutant) await expect(race.checkBooks()).rejects.toThrow();
      else await race.checkBooks();
      return race;
    },
  );

  found('spacing that is counted from the gate', [undefined, 'spacingFromGate'], async (scene, mutant) => {
    const account = { spacingMs: HOUR_MS, maxSpacingMs: HOUR_MS };
    const { race, worker } = await set(scene, account, mutant, {
      faults: [{ point: 'after_gate', action: 'stop' }],
    });
    await race.setNow(NOON);
    await worker.untilFault();
    await worker.untilItStands();
    // It stands still between gate and dot while an hour passes, and keeps its lease.
    const set_ = race.setNow(NOON + HOUR_MS, { standing: true });
    worker.goOn();
    await set_;
    if (mutant) await scene.farSide.until('the second mail', () => scene.farSide.delivered.length === 2);
    else await race.untilQuiet();
    expect((await race.findings()).close).toHaveLength(mutant ? 1 : 0);
    return race;
  });

  found('a day that is not opened again', [undefined, 'dayNotReopened'], async (scene, mutant) => {
    const { race } = await set(scene, { limits: { day: 2 } }, mutant);
    await race.setNow(NOON);
    await race.untilQuiet();
    await race.setNow(NOON + 24 * HOUR_MS);
    if (!mutant) await race.untilQuiet();
    else await scene.farSide.until('the first day', () => scene.farSide.delivered.length === 2);
    const sunday = { from: SATURDAY.until, until: SATURDAY.until + 24 * HOUR_MS };
    expect(unused(await race.evidence(), sunday)).toHaveLength(mutant ? 1 : 0);
    return race;
  });

  found('days of 24 hours', [undefined, 'daysOf24Hours'], async (scene, mutant) => {
    const { race } = await set(scene, { ...IN_NEW_YORK, limits: { day: 2 } }, mutant);
    // On Sunday it is half past eight there; by 24 hours it would be half past nine.
    await onDays(race, [at('2015-10-31T13:00Z'), at('2015-11-01T13:30Z')]);
    const { outside } = await race.findings();
    expect(outside).toHaveLength(mutant ? 2 : 0);
    return race;
  });

  found('a gate that does not ask for the end', [undefined, 'gateWithoutEnd'], async (scene, mutant) => {
    const go = barrier();
    scene.farSide.script = () => ({ beforeGo: go.wait });
    // Nothing waits behind it: nobody looks for the next opening before it comes to its gate.
    const { race } = await set(scene, IN_NEW_YORK, mutant, { mails: 1 });
    await race.setNow(at('2015-10-31T21:59Z'));
    await scene.farSide.until('an offer', () => scene.farSide.offers.length === 1);
    await race.setNow(at('2015-10-31T22:30Z'));
    go.open();
    if (mutant) await scene.farSide.until('a mail', () => scene.farSide.delivered.length === 1);
    await race.untilQuiet();
    expect((await race.findings()).outside).toHaveLength(mutant ? 1 : 0);
    expect(scene.farSide.delivered).toHaveLength(mutant ? 1 : 0);
    return race;
  });
});
