import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { violationsOf } from '../crash/checker.js';
import { PATIENT } from '../crash/scene.js';
import { onSmtpScene } from './smtp-far-side.js';

/** Of who neither stands still nor dies: however busy the machine, its lease is not lost. */
const LASTING = { leaseSeconds: 20 };

/** If a planted bug were not found, finding none in the real thing would mean nothing. */
describe.concurrent.each(databases)('a planted bug is found over SMTP on $name:', PATIENT, (database) => {
  test(
    'a dot that leaves without asking the gate doubles what a successor has sent',
    onSmtpScene(database, async (scene) => {
      const lane = await scene.farSide.openLane();
      const stopped = lane.stopAt('go');
      const stalled = await scene.start({ port: lane.port, smtp: { careless: 'ungated' } });
      const mail = await scene.enqueueOne();
      await stopped.line();
      await scene.standStill(stalled);
      await scene.start(LASTING);
      await scene.untilState(mail, 'sent');
      stopped.goOn('pass');
      stalled.goOn();
      await scene.farSide.until('the second copy', () => scene.farSide.copiesOf(mail.to) === 2);
      expect(violationsOf(await scene.verdict())).toContain('duplicated');
    }),
  );

  test(
    'a line that is cut after the dot and taken for a mail that did not leave doubles it',
    onSmtpScene(database, async (scene) => {
      scene.farSide.lane.once('reply', 'reset');
      await scene.start({ ...LASTING, smtp: { careless: 'undoubting' } });
      await scene.enqueue(5);
      await scene.farSide.until('the second copy', () => scene.farSide.delivered.length === 6);
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toEqual(['duplicated']);
    }),
  );

  test(
    'a gate that leaves no mark doubles what a worker had sent that was killed after its dot',
    onSmtpScene(database, async (scene) => {
      const lane = await scene.farSide.openLane();
      const stopped = lane.stopAt('dot');
      const killed = await scene.start({ port: lane.port, mutant: 'gateWithoutMark' });
      await scene.enqueueOne();
      await stopped.line();
      await killed.kill();
      await scene.start(LASTING);
      await scene.farSide.until('the second copy', () => scene.farSide.delivered.length === 2);
      await scene.drained();
      expect(violationsOf(await scene.verdict())).toEqual(['duplicated']);
    }),
  );

  test(
    'a line that is cut before the dot and taken for a doubt is in doubt without cause',
    onSmtpScene(database, async (scene) => {
      scene.farSide.lane.once('go', 'reset');
      await scene.start({ ...LASTING, smtp: { careless: 'fearful' } });
      await scene.enqueue(5);
      await scene.drained();
      const { inDoubt } = await scene.clean(`fearful, ${database.name}`);
      expect(inDoubt.filter((to) => !scene.farSide.wasInvited(to))).toHaveLength(1);
    }),
  );
});
