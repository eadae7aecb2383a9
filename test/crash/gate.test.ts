import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { PillarboxError } from '#pillarbox/core/errors';
import { databases } from '../databases.js';
import { readyDatabase } from '../postgres.js';
import { barrier, onScene, PATIENT, type Accepted } from './scene.js';

/** Nobody dies here: a lease that is lost because the machine is busy would be a doubt that nothing has made. */
const OPTIONS = { leaseSeconds: 20, concurrency: 10 };
const DAY_MS = 24 * 3_600_000;

describe.concurrent.each(databases)('the last moment before a mail leaves, on $name', PATIENT, (database) => {
  const { name } = database;

  test(
    'is not too late to suppress its recipient or to pause its account [D24] [F38]',
    onScene(database, async (scene) => {
      const go = barrier();
      scene.farSide.script = ({ nth }) => ({ beforeGo: nth === 1 ? go.wait : Promise.resolve() });
      await scene.start(OPTIONS);
      const [suppressed, paused] = await scene.enqueue(2);
      await scene.farSide.until('both offers', () => scene.farSide.offers.length === 2);
      await scene.box.suppress(suppressed!.to);
      await scene.box.pause('looking into it');
      go.open();
      await scene.untilState(suppressed!, 'skipped');
      await scene.untilState(paused!, 'scheduled');
      expect(scene.farSide.delivered).toEqual([]);
      await scene.box.resume();
      await scene.untilState(paused!, 'sent');
      const { dots, inDoubt } = await scene.clean(`suppressed and paused at the gate, ${name}`);
      expect({ dots, inDoubt }).toEqual({ dots: 1, inDoubt: [] });
    }),
  );

  test(
    'is not too late to cancel: what was answered "yes" never leaves [D24]',
    onScene(database, async (scene) => {
      let tooLate = 0;
      const cancel = async ({ id, to }: { id: string; to: string }) => {
        try {
          await scene.box.messages.cancel(id);
          scene.cancelled.push(to);
        } catch (error) {
          if (!(error instanceof PillarboxError) || error.code !== 'illegal_move') throw error;
          tooLate += 1;
        }
      };
      const [early, ...mails] = await scene.enqueue(300);
      await cancel(early!);
      const races: Promise<void>[] = [];
      scene.farSide.script = (offer) => {
        // With the mail in a worker's hands, and about as long as the way to the gate takes.
        if (offer.nth === 1) races.push(sleep(Math.random() * 12).then(() => cancel(offer)));
        return { beforeGo: sleep(6) };
      };
      await scene.start(OPTIONS);
      await scene.drained();
      await Promise.all(races);
      const sent = mails.find(({ to }) => scene.farSide.copiesOf(to) > 0);
      await cancel(sent!);
      await scene.clean(`cancelled while sending, ${name}`);
      expect(races).toHaveLength(mails.length);
      await scene.untilStates({ cancelled: scene.cancelled.length, sent: tooLate - 1 });
    }),
  );

  test(
    'is followed by doubt if the line breaks after it, and by another try if it breaks before [D3] [D4]',
    onScene(database, async (scene) => {
      const [before, held, resent] = [
        await scene.enqueueOne({ onDoubt: 'hold' }),
        await scene.enqueueOne({ onDoubt: 'hold' }),
        await scene.enqueueOne({ onDoubt: 'resend' }),
      ];
      scene.farSide.script = ({ to, nth }) =>
        nth === 1 ? { cut: to === before.to ? 'before_dot' : 'after_dot' } : undefined;
      // One at a time: a line that breaks takes along whatever else is on it.
      await scene.start({ ...OPTIONS, concurrency: 1 });
      await scene.drained();
      await scene.clean(`the line breaks, ${name}`);
      const attemptsOf = async (mail: Accepted) => (await scene.registered(mail)).attempts;
      expect(await attemptsOf(before)).toEqual(['failed', 'success']);
      expect(await attemptsOf(held)).toEqual(['in_doubt']);
      expect(await attemptsOf(resent)).toEqual(['in_doubt', 'success']);
      expect([before, held, resent].map(({ to }) => scene.farSide.copiesOf(to))).toEqual([1, 1, 2]);
    }),
  );

  test(
    'belongs to a worker that stops: it hands back or sees through what it holds, and ends with 0 [D20]',
    onScene(database, async (scene) => {
      scene.farSide.script = () => ({ beforeGo: sleep(10), beforeReply: sleep(40) });
      const mails = await scene.enqueue(600);
      for (const rounds of [1, 2]) {
        const worker = await scene.start({ ...OPTIONS, whole: rounds === 1 });
        await scene.farSide.until('traffic', () => scene.farSide.delivered.length > 100 * rounds);
        expect(await worker.stop()).toEqual({ code: 0, signal: null });
        expect((await scene.verdict()).states['lease']).toBeUndefined();
      }
      expect(scene.farSide.delivered.length).toBeLessThan(mails.length);
      scene.farSide.script = () => undefined;
      await scene.start(OPTIONS);
      await scene.drained();
      const { dots, inDoubt } = await scene.clean(`stopped under load, ${name}`);
      expect({ dots, inDoubt }).toEqual({ dots: mails.length, inDoubt: [] });
    }),
  );
});

describe.concurrent('on PostgreSQL', PATIENT, () => {
  test(
    'workers whose clocks are a day off send nothing early and keep their leases [D8]',
    onScene({ ready: readyDatabase }, async (scene) => {
      const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
      const later = await scene.enqueueOne({ sendAt: inAnHour });
      const leaseSeconds = 5;
      await Promise.all([
        scene.start({ leaseSeconds, clockSkewMs: DAY_MS }),
        scene.start({ leaseSeconds, clockSkewMs: -DAY_MS }),
      ]);
      // Some take longer than a lease: both workers must renew.
      let slow = 10;
      scene.farSide.script = () => ({ beforeReply: sleep((slow -= 1) >= 0 ? 7_000 : 0) });
      await scene.enqueue(60);
      await scene.drained();
      const { dots, inDoubt, states } = await scene.clean('clocks a day off');
      expect({ dots, inDoubt, states }).toEqual({ dots: 60, inDoubt: [], states: { due: 1, sent: 60 } });
      expect(await scene.stateOf(later)).toBe('scheduled');
      expect(await scene.leaseLosses()).toBe(0);
    }),
  );

  test(
    'a gate that opens after its worker gave up is not passed',
    onScene({ ready: readyDatabase }, async (scene) => {
      const go = barrier();
      scene.farSide.script = () => ({ beforeGo: go.wait });
      const worker = await scene.start({ leaseSeconds: 10, graceSeconds: 0.5 });
      const mail = await scene.enqueueOne();
      await scene.farSide.until('the offer', () => scene.farSide.wasOffered(mail.to));
      const client = new pg.Client({ connectionString: scene.url });
      await client.connect();
      await client.query('begin; lock table pillarbox.leases in exclusive mode');
      go.open();
      await waitedFor(client, 'pillarbox.leases');
      const ended = worker.stop();
      await sleep(1_000);
      await client.query('commit');
      await client.end();
      expect(await ended).toMatchObject({ code: 0 });
      scene.farSide.script = () => undefined;
      await scene.start(OPTIONS);
      await scene.drained();
      await scene.clean('gave up while asking the gate');
    }),
  );
});

/** Resolves once somebody waits for a lock on this table. */
async function waitedFor(client: pg.Client, table: string): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `select 1 from pg_locks where relation = '${table}'::regclass and not granted`,
    );
    if (rowCount) return;
    await sleep(10);
  }
}
