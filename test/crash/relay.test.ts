import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUEUE_TYPES, QUEUES, type QueueType } from '#pillarbox/core/dispatch-message';
import { FAULT_POINTS } from '#pillarbox/engine/fault-points';
import { RELAY_FAULT_POINTS } from '#pillarbox/relay/fault-points';
import { startServices } from '../../scripts/services/index.mjs';
import { controlRabbitmq, type RabbitmqControl } from '../../scripts/services/rabbitmq-control.mjs';
import { CutLine } from '../cut-line.js';
import { databases } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { Stranger } from '../relay/broker.js';
import { onScene, PATIENT, type Accepted, type Scene } from './scene.js';
import type { WorkerProcess } from './worker-process.js';
import { dice } from './dice.js';

const MESSAGES = Number(process.env['CHAOS_RELAYED'] ?? 400);
/** `npm run chaos` does everything to both kinds of queues, again and again. */
const ROUNDS = Number(process.env['CHAOS_BROKER_ROUNDS'] ?? 0);
const SEED = Number(process.env['CHAOS_SEED'] ?? 7);
/** What is marked or leased by who died is free again after this. */
const LEASE_SECONDS = 3;
const [SQLITE, POSTGRES] = databases as [(typeof databases)[number], (typeof databases)[number]];

const PERMANENT = { class: 'permanent', scope: 'message', code: '550', message: 'no' } as const;
const RETRYABLE = { class: 'retryable', scope: 'message', code: '451', message: 'busy' } as const;

/**
 * Longer than 20 s: a broker of its own is started, killed and commanded, which takes seconds each time, and processes
 * die whose marks and leases have to run out.
 */
describe('relays, senders and a broker that die', PATIENT, () => {
  let services: Awaited<ReturnType<typeof startServices>>;
  let control: RabbitmqControl;

  beforeAll(async () => {
    services = await startServices({ want: ['rabbitmq'] });
    const { rabbitmq } = services;
    if (!rabbitmq || 'unavailable' in rabbitmq) throw new Error(rabbitmq?.unavailable);
    control = await controlRabbitmq(rabbitmq.descriptorFile!);
  }, 3 * PATIENCE_MS);
  afterAll(() => services.stop());

  const launch = (scene: Scene, role: 'relay' | 'sender', url: string, over: object = {}): WorkerProcess =>
    scene.launch({
      leaseSeconds: LEASE_SECONDS,
      broker: { url, role, directAfterMs: 4_000, confirmMs: 2_000, ...over },
    });

  test.concurrent.each([SQLITE, POSTGRES])(
    'a relay that dies at any step leaves nothing behind that another does not find, on $name [D12] [F04]',
    (database) =>
      onScene(database, async (scene) => {
        const url = await control.virtualHost();
        const stranger = await Stranger.connect(url);
        scene.farSide.script = ({ to }) =>
          to.startsWith('dead')
            ? { refuse: { status: 'failed', provider: 'x', error: PERMANENT } }
            : undefined;
        // Never by itself: otherwise it would take what the relay is to die with.
        await launch(scene, 'sender', url, { directAfterMs: 0 }).started();
        const doomed: Accepted[] = [];
        for (const [n, point] of RELAY_FAULT_POINTS.entries()) {
          const relay = scene.launch({
            leaseSeconds: LEASE_SECONDS,
            broker: { url, role: 'relay' },
            faults: [{ point, action: 'kill' }],
          });
          await scene.enqueue(3);
          doomed.push(await scene.enqueueOne({ to: `dead${n}@example.org` }));
          await relay.untilFault();
          await relay.ended;
        }
        await launch(scene, 'relay', url).started();
        await finished(scene);
        const verdict = await scene.clean(`relays killed at every step, ${database.name}`);
        expect(verdict.inDoubt).toEqual([]);
        expect(verdict.states).toEqual({ sent: 15, dead: 5 });
        await announced(stranger, doomed);
        await stranger.close();
      })(),
  );

  test.concurrent(
    'a sender that dies at any step loses and doubles nothing of what was delivered to it [D11]',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      await launch(scene, 'relay', url).started();
      const doubtful: number[] = [];
      for (const point of FAULT_POINTS) {
        const sender = scene.launch({
          leaseSeconds: LEASE_SECONDS,
          broker: { url, role: 'sender', directAfterMs: 0 },
          faults: [{ point, action: 'kill' }],
        });
        await scene.enqueueOne({ onDoubt: 'hold' });
        // Perhaps with one that another has left behind.
        const { id } = await sender.untilFault();
        await sender.ended;
        if (point === 'after_gate' || point === 'after_send') doubtful.push(id);
      }
      await launch(scene, 'sender', url, { directAfterMs: 0 }).started();
      await finished(scene);
      const { inDoubt, states } = await scene.clean('senders killed at every step');
      const addresses = scene.accepted.filter(({ number }) => doubtful.includes(number)).map(({ to }) => to);
      expect(inDoubt).toEqual(expect.arrayContaining(addresses));
      expect(states).toEqual({ sent: FAULT_POINTS.length - inDoubt.length, held: inDoubt.length });
    }),
  );

  test.concurrent(
    'a quorum queue that is deleted under load: the link that failed a publish is given up, another takes its place',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      const stranger = await Stranger.connect(url);
      const quorum = { arguments: { 'x-queue-type': 'quorum' } };
      await stranger.declare(quorum);
      scene.farSide.script = ({ to }) =>
        to.startsWith('dead') ? { refuse: { status: 'failed', provider: 'x', error: PERMANENT } } : undefined;
      const relay = await launch(scene, 'relay', url, { queueType: 'quorum' }).started();
      await scene.enqueue(60);
      await relay.until('a relay that publishes', () => relay.alive);
      while ((await stranger.count(QUEUES.send)) === 0) await sleep(10);
      // Nobody makes it anew but the relay itself, which finds out by what comes back.
      await stranger.channel.deleteQueue(QUEUES.send);
      await scene.enqueue(60);
      const doomed = await scene.enqueueOne({ to: 'dead@example.org' });
      const failed = 'a publish failed: ';
      await relay.until('a publish that failed', () => relay.warnings.some((each) => each.includes(failed)));
      await relay.until('another link', () => relay.recoveries.has('the broker can be used again'));
      // Deleted and made anew while more is on its way: those that knew the former one learn of it or not.
      await launch(scene, 'sender', url, { directAfterMs: 0, queueType: 'quorum' }).started();
      for (let n = 0; n < 5; n += 1) {
        const feeding = scene.enqueue(20);
        await stranger.channel.deleteQueue(QUEUES.send);
        await stranger.declareOne(QUEUES.send, quorum).catch(() => undefined);
        await feeding;
      }
      await finished(scene);
      const { states } = await scene.clean('quorum queue deleted under load');
      expect(states).toEqual({ sent: scene.accepted.length - 1, dead: 1 });
      await announced(stranger, [doomed]);
      expect(relay.alive).toBe(true);
      await stranger.close();
    }),
  );

  test.concurrent(
    'a delivery limit drops copies, and their rows come again',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      const name = url.split('/').at(-1)!;
      const stranger = await Stranger.connect(url);
      await stranger.declare({ arguments: { 'x-queue-type': 'quorum' } });
      const policy = ['limit', `^email`, '{"delivery-limit":3}', '--apply-to', 'queues'];
      await control.command('set_policy', '-p', name, ...policy);
      await launch(scene, 'relay', url).started();
      const [mail] = [await scene.enqueueOne()];
      // Taken and not acknowledged, again and again, until the broker has had enough of it.
      for (let n = 0; n < 6; n += 1) {
        const consumer = await Stranger.connect(url);
        await consumer.channel.get(QUEUES.send, { noAck: false });
        await consumer.close();
      }
      await launch(scene, 'sender', url, { directAfterMs: 0 }).started();
      await scene.untilState(mail, 'sent');
      await scene.clean('delivery limit');
      await stranger.close();
    }),
  );

  test.each(QUEUE_TYPES.map((type) => ({ type })))(
    'whatever happens to them and to a broker with $type queues: lost 0, doubled 0 [D11] [D13] [F25] [F26] [F27]',
    ({ type }) =>
      onScene(POSTGRES, async (scene) => {
        const url = await control.virtualHost();
        const stranger = await Stranger.connect(url);
        await stranger.declare(type === 'quorum' ? { arguments: { 'x-queue-type': 'quorum' } } : {});
        await stranger.close();
        const draw = dice(SEED);
        const doomed: Accepted[] = [];
        const trouble = new Set<string>();
        scene.farSide.script = ({ to, nth }) => {
          if (to.startsWith('dead')) return { refuse: { status: 'failed', provider: 'x', error: PERMANENT } };
          if (nth > 1 || trouble.has(to) || draw(12) >= 1) return undefined;
          trouble.add(to);
          return { refuse: { status: 'retryable', provider: 'x', error: RETRYABLE } };
        };
        const running = new Map<string, WorkerProcess>();
        const crew = ['relay 1', 'relay 2', 'relay 3', 'sender 1', 'sender 2', 'sender 3', 'sender 4'];
        const start = (name: string) => {
          const role = name.startsWith('relay') ? 'relay' : 'sender';
          running.set(name, launch(scene, role, url, { queueType: type }));
        };
        crew.forEach(start);
        await Promise.all([...running.values()].map((each) => each.started()));

        const faults = [...brokerFaults(control, url, type, scene.accepted)];
        let over = false;
        const killing = (async () => {
          while (!over) {
            await sleep(700 + draw(900));
            const name = crew[Math.floor(draw(crew.length))]!;
            if (!running.get(name)!.ready) continue;
            await running.get(name)!.kill();
            start(name);
          }
        })();
        const feeding = (async () => {
          for (let fed = 0; fed < MESSAGES; fed += 20) {
            await scene.enqueue(19);
            doomed.push(await scene.enqueueOne({ to: `dead${fed}@example.org` }));
            await sleep(100);
          }
        })();
        for (let round = 0; round < Math.max(1, ROUNDS); round += 1)
          for (const fault of faults) await fault();
        await feeding;
        over = true;
        await killing;
        await finished(scene);
        const verdict = await scene.clean(`broker with ${type} queues`);
        expect(verdict.states['dead']).toBe(doomed.length);
        const reader = await Stranger.connect(url);
        await announced(reader, doomed);
        await reader.close();
      })(),
  );

  test(
    'one single message waits through an outage of the broker, and leaves with no later traffic',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      const never = { directAfterMs: 0 };
      await Promise.all([
        launch(scene, 'relay', url).started(),
        launch(scene, 'sender', url, never).started(),
      ]);
      const first = await scene.enqueueOne();
      await scene.untilState(first, 'sent');
      await control.kill();
      const lonely = await scene.enqueueOne();
      await sleep(1_000);
      expect(await scene.stateOf(lonely)).not.toBe('sent');
      await control.start();
      await scene.untilState(lonely, 'sent');
      await scene.clean('one message through an outage');
    }),
  );

  test(
    'what a broker loses when it is started anew is passed on at once, and no mark is waited for [F25]',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      const line = await CutLine.to(url);
      // Nobody would look at them again for an hour.
      const patient = (role: 'relay' | 'sender', over: string) =>
        scene.launch({ leaseSeconds: 3_600, broker: { url: over, role, directAfterMs: 0 } });
      const relays = [patient('relay', line.url), patient('relay', line.url)];
      await Promise.all(relays.map((relay) => relay.started()));
      await scene.enqueue(20);
      const lying = async () => {
        const stranger = await Stranger.connect(url);
        const count = await stranger.count(QUEUES.send);
        await stranger.close();
        return count;
      };
      await expect.poll(lying, { timeout: PATIENCE_MS }).toBe(20);
      // However quick the broker is, and however slow they are: one of them has come in vain.
      line.die();
      await control.kill();
      await expect.poll(() => line.refused, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
      await control.start();
      await expect.poll(lying, { timeout: PATIENCE_MS }).toBe(0);
      line.revive();
      await expect.poll(lying, { timeout: PATIENCE_MS }).toBe(20);
      await patient('sender', url).started();
      await finished(scene);
      const { states } = await scene.clean('a broker started anew');
      expect(states).toEqual({ sent: 20 });
      await line.close();
    }),
  );

  test(
    'a broker that is short of memory takes nothing from publishers: mail is accepted, and sent without it [F27]',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      const relay = await launch(scene, 'relay', url).started();
      const sender = await launch(scene, 'sender', url, { directAfterMs: 1_000 }).started();
      await scene.untilState(await scene.enqueueOne(), 'sent');
      await control.evaluate('vm_memory_monitor:set_vm_memory_high_watermark(0.00001).');
      try {
        await scene.untilState(await scene.enqueueOne(), 'sent');
      } finally {
        await control.evaluate('vm_memory_monitor:set_vm_memory_high_watermark(0.4).');
      }
      await sender.kill();
      // By the broker alone: it can be used again.
      await launch(scene, 'sender', url, { directAfterMs: 0 }).started();
      await scene.untilState(await scene.enqueueOne(), 'sent');
      await finished(scene);
      await scene.clean('memory alarm');
      expect(relay.alive).toBe(true);
    }),
  );

  test(
    'a send that outlasts the broker’s patience with consumers is not repeated',
    onScene(POSTGRES, async (scene) => {
      const url = await control.virtualHost();
      await control.evaluate(
        'application:set_env(rabbit, consumer_timeout, 1000), application:set_env(rabbit, channel_tick_interval, 500).',
      );
      try {
        let answer: () => void = () => undefined;
        const beforeReply = new Promise<void>((resolve) => (answer = resolve));
        scene.farSide.script = () => ({ beforeReply });
        await launch(scene, 'relay', url).started();
        const sender = await launch(scene, 'sender', url).started();
        const mail = await scene.enqueueOne();
        await sender.until('a channel that was closed', () =>
          sender.warnings.some((warning) => warning.includes('the broker cannot be used')),
        );
        answer();
        await scene.untilState(mail, 'sent');
        await scene.clean('consumer timeout');
        expect(scene.farSide.delivered).toHaveLength(1);
      } finally {
        await control.evaluate(
          'application:set_env(rabbit, consumer_timeout, 1800000), application:set_env(rabbit, channel_tick_interval, 60000).',
        );
      }
    }),
  );
});

/** What happens to brokers, in turn. */
function* brokerFaults(
  control: RabbitmqControl,
  url: string,
  type: QueueType,
  accepted: readonly Accepted[],
): Generator<() => Promise<unknown>> {
  const asStranger = (act: (stranger: Stranger) => Promise<unknown>) => async () => {
    const stranger = await Stranger.connect(url);
    await act(stranger);
    await stranger.close();
  };
  yield asStranger(({ channel }) => channel.purgeQueue(QUEUES.send));
  yield asStranger(async ({ channel }) => {
    await channel.deleteQueue(QUEUES.send);
    await channel.deleteQueue(QUEUES.rejected);
  });
  yield asStranger(async (stranger) => {
    await stranger
      .declare(type === 'quorum' ? { arguments: { 'x-queue-type': 'quorum' } } : {})
      .catch(() => 0);
    for (const garbage of ['{', '[]', 'x'.repeat(100_000), '{"emailId":"msg_1","attempt":99}'])
      for (let n = 0; n < 5; n += 1) stranger.put(garbage);
  });
  // Of everything so far three copies, in any order: what waits, what is in hand and what has left.
  yield asStranger((stranger) => {
    const now = [...accepted];
    for (const { id } of [...now, ...now.toReversed(), ...now])
      stranger.put({ emailId: id, messageKey: id, attempt: 1 });
    return stranger.count(QUEUES.send);
  });
  // Of what concerns the whole broker each kind of queue has its part in a short run: every command takes seconds.
  const all = ROUNDS > 0;
  if (all || type === 'quorum')
    yield async () => {
      await control.kill();
      await control.start();
    };
  if (all || type === 'classic') {
    yield () => control.evaluate('rabbit:stop(), timer:sleep(500), rabbit:start().');
    // An alarm: nothing is taken from publishers until it is over.
    yield () =>
      control.evaluate(
        'vm_memory_monitor:set_vm_memory_high_watermark(0.00001), timer:sleep(2000), vm_memory_monitor:set_vm_memory_high_watermark(0.4).',
      );
  }
  yield asStranger(async (stranger) => {
    await stranger.channel.deleteQueue(QUEUES.send);
  });
}

/** Every message is where it ends; none waits, in the broker or elsewhere. */
async function finished(scene: Scene): Promise<void> {
  const deadline = performance.now() + 3 * PATIENCE_MS;
  for (;;) {
    const { states } = await scene.verdict();
    const ended = ['sent', 'dead', 'held', 'cancelled'].reduce((sum, state) => sum + (states[state] ?? 0), 0);
    if (ended === scene.accepted.length) return;
    if (performance.now() > deadline) throw new Error(`not finished: ${JSON.stringify(states)}`);
    await sleep(100);
  }
}

/** Exactly those that died were announced; one perhaps twice, under the same id. */
async function announced(stranger: Stranger, dead: readonly Accepted[]): Promise<void> {
  const told = new Set<string>();
  const wanted = new Set(dead.map(({ id }) => `dead:${id}`));
  while (told.size < wanted.size) told.add((await stranger.takeNext(QUEUES.dead)).messageId);
  expect(told).toEqual(wanted);
}
