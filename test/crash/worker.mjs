// @ts-check
// One worker of the crash tests, in a process of its own: it is forked with its options as JSON, sends to the
// far side, and ends in every way in which a process can end. What it says goes to its standard output, one JSON
// document a line, written at once: it may be dead before anything that waits could leave.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { altered } from './altered.mjs';

/**
 * Something that happens inside the worker when a message comes to a point of its way.
 *
 * @typedef {object} Fault
 * @property {import('#pillarbox/engine/fault-points').FaultPoint | import('#pillarbox/relay/fault-points').RelayFaultPoint} point
 * @property {'kill' | 'stop' | 'block'} action Die; stand still until SIGCONT; keep only the event loop from going on.
 * @property {number} [id] Only this message.
 * @property {number | 'every'} [visit] At which visit, counted from 1; the first if nothing is said.
 * @property {number} [blockMs]
 */

/**
 * @typedef {object} WorkerOptions
 * @property {string} databaseUrl
 * @property {number} port Of the far side.
 * @property {import('../smtp-crash/connections.mjs').SmtpOptions} [smtp] The far side speaks SMTP.
 * @property {number} leaseSeconds
 * @property {number} concurrency
 * @property {number} [graceSeconds]
 * @property {boolean} [canLookUp] Whether the far side can be asked about mails in doubt.
 * @property {boolean} [whole] Through the front door of the library, which takes twice as long to load.
 * @property {number} [lookTakesMs] How long a look at the queue takes at least. The more it takes, the rarer it is.
 * @property {BrokerOptions} [broker] It is told what to send by a broker, or tells it.
 * @property {Fault[]} [faults]
 * @property {ClockError} [clockSkewMs] How far this process's wall clock is off. It can be set anew while it works.
 * @property {import('./mutants.mjs').MutantName} [mutant] A planted bug.
 * @property {string} [clock] Virtual time, as in PILLARBOX_CLOCK. It can be set anew while it works.
 * @property {number} [loops] So many workers in this process, each with a store of its own.
 * @property {boolean} [waits] It loads, and begins when it is told to.
 * @property {boolean} [older] It knows nothing of the guard, as the version before.
 */

/**
 * @typedef {object} BrokerOptions
 * @property {string} url
 * @property {'relay' | 'sender'} role
 * @property {import('#pillarbox/core/dispatch-message').QueueType} [queueType]
 * @property {number} [directAfterMs] Of a sender. 0: never.
 * @property {number} [confirmMs] Of a relay.
 */

/** @typedef {number | 'frozen'} ClockError In ms, or it stands still. */
/** @typedef {{ over: string, failures: number, seconds: number }} Over */
/** @typedef {{ clock: ClockError } | { now: number } | { begin: true }} Told What a worker is told from outside. */
/** @typedef {{ ready: true } | { loaded: true } | Told | { wentOn: true } | { point: string, id: number } | { warned: string, why: string } | Over} Said */
/** @typedef {{ start(): Promise<void>, stop(): Promise<void> }} Worker */

const warn = (/** @type {{ err?: Error }} */ { err }, /** @type {string} */ warned) =>
  say({ warned, why: err?.message ?? '' });
const info = (
  /** @type {{ failures?: number, seconds?: number }} */ { failures, seconds },
  /** @type {string} */ over,
) => {
  if (failures !== undefined && seconds !== undefined) say({ over, failures, seconds });
};
const log = { debug: () => {}, info, warn, error: warn };

/** @type {WorkerOptions} */
const options = JSON.parse(process.argv[2] ?? '');
// Before the product is loaded, so that no part of it can have kept the right one.
const setClock = options.clockSkewMs === undefined ? () => {} : skewClock(options.clockSkewMs);
/** @type {import('#pillarbox/store/store').Store[]} */
const stores = [];
let begin = () => {};
const begun = options.waits
  ? new Promise((/** @type {(value?: void) => void} */ resolve) => (begin = resolve))
  : undefined;
process.on('message', async (/** @type {Told} */ told) => {
  if ('begin' in told) begin();
  else if ('clock' in told) setClock(told.clock);
  else await Promise.all(stores.map((store) => store.setClock(told.now)));
  say(told);
});

let ending = false;
process.on('disconnect', () => {
  // The test's process is gone: nobody counts any more.
  if (!ending) process.exit(1);
});
const worker = await (options.broker?.role === 'relay' ? openRelay : options.whole ? openWhole : openLoops)(
  options,
);
process.on('SIGTERM', () => {
  if (ending) return;
  ending = true;
  // Not `exit`: a worker that has stopped has nothing left that keeps its process alive.
  void worker.stop().then(() => process.disconnect());
});
await worker.start();
say({ ready: true });

/**
 * @param {WorkerOptions} options
 * @returns {Promise<Worker>}
 */
async function openLoops({ loops = 1, ...options }) {
  if (begun) {
    await loadParts();
    say({ loaded: true });
    await begun;
  }
  const workers = await Promise.all(Array.from({ length: loops }, () => openParts(options)));
  return {
    start: async () => void (await Promise.all(workers.map((each) => each.start()))),
    stop: async () => void (await Promise.all(workers.map((each) => each.stop()))),
  };
}

function loadParts() {
  return Promise.all([
    import('#pillarbox/store/open'),
    import('#pillarbox/engine/dispatch'),
    import('#pillarbox/engine/engine'),
    import('./mutants.mjs'),
  ]);
}

/**
 * The parts that Pillarbox is made of, put together as it does.
 *
 * @param {Omit<WorkerOptions, 'loops'>} options
 * @returns {Promise<Worker>}
 */
async function openParts({ databaseUrl, leaseSeconds, concurrency, graceSeconds = 30, ...options }) {
  const { mutant, lookTakesMs, clock, older = false } = options;
  const [{ openStore }, { Dispatch }, { Engine }, { mutants }] = await loadParts();
  const leaseMs = leaseSeconds * 1_000;
  const real = await openStore({ databaseUrl, leaseMs, log, clock });
  stores.push(real);
  const slow = lookTakesMs === undefined ? real : slowToLook(real, lookTakesMs);
  const aged = older ? asBefore(slow) : slow;
  const store = mutant ? mutants[mutant](aged) : aged;
  const transport = await openTransport();
  const dispatch = new Dispatch({
    ...{ store, transports: () => transport, leaseMs, log, probe: probe() },
    graceMs: graceSeconds * 1_000,
  });
  const engine = new Engine({
    ...{ store, dispatch, concurrency, leaseMs, log, ...(await brokerParts(store, concurrency)) },
    retentionMs: 30 * 24 * 3_600_000,
  });
  return {
    start: () => engine.start(),
    stop: async () => {
      await engine.stop();
      await store.close();
    },
  };
}

/**
 * @param {import('#pillarbox/store/store').Store} store
 * @param {number} concurrency
 */
async function brokerParts(store, concurrency) {
  if (!options.broker) return {};
  const { url, queueType, directAfterMs = 60_000 } = options.broker;
  const [{ Link }, { BrokerDeliveries }, { prefetchFor }] = await Promise.all([
    import('#pillarbox/broker/link'),
    import('#pillarbox/broker/deliveries'),
    import('#pillarbox/core/relay-window'),
  ]);
  const link = new Link({ url, queueType, name: 'sender', log });
  const deliveries = new BrokerDeliveries(link, prefetchFor(concurrency), log);
  return { dispatcher: { deliveries, directAfterMs }, heartbeat: await heartbeatOf(store, 'worker') };
}

/**
 * @param {import('#pillarbox/store/store').Store} store
 * @param {'worker' | 'relay'} kind
 */
async function heartbeatOf(store, kind) {
  const { Heartbeat } = await import('#pillarbox/engine/heartbeat');
  return new Heartbeat(store, { name: `${kind} ${process.pid}`, kind, host: 'here', version: '0' }, log);
}

/**
 * A relay: what it marks is marked for as long as a lease lasts.
 *
 * @param {WorkerOptions} options
 * @returns {Promise<Worker>}
 */
async function openRelay({ databaseUrl, leaseSeconds, concurrency, broker }) {
  const [{ openStore }, { Link }, { Relay }] = await Promise.all([
    import('#pillarbox/store/open'),
    import('#pillarbox/broker/link'),
    import('#pillarbox/relay/relay'),
  ]);
  const store = await openStore({ databaseUrl, leaseMs: leaseSeconds * 1_000, log });
  const link = new Link({ url: broker?.url ?? '', queueType: broker?.queueType, name: 'relay', log });
  const heartbeat = await heartbeatOf(store, 'relay');
  const relay = new Relay({
    ...{ store, link, concurrency, log, probe: probe(), confirmMs: broker?.confirmMs },
    ...{ markMs: leaseSeconds * 1_000, holdMs: 2_000, intervalMs: 60_000 },
    heartbeat: () => heartbeat,
  });
  return {
    start: () => relay.start(),
    stop: async () => {
      await relay.stop();
      await store.close();
    },
  };
}

/**
 * A worker looks by itself the more rarely, the longer it takes to look.
 *
 * @param {import('#pillarbox/store/store').Store} store
 * @param {number} ms
 */
function slowToLook(store, ms) {
  return altered(store, {
    openChannels: async () => {
      await sleep(ms);
      return store.openChannels();
    },
  });
}

/**
 * Of the version before: guarded mail is mail, its channels are blocked, and nobody has told it when they open.
 *
 * @param {import('#pillarbox/store/store').Store} store
 */
function asBefore(store) {
  return altered(store, {
    openGuarded: () => Promise.resolve([]),
    takeOver: async (owner, limit) =>
      (await store.takeOver(owner, limit)).map((claim) => ({
        ...claim,
        messages: claim.messages.map((message) => ({ ...message, guarded: false })),
      })),
  });
}

/**
 * @param {WorkerOptions} options
 * @returns {Promise<Worker>}
 */
async function openWhole({ databaseUrl, leaseSeconds, concurrency, graceSeconds }) {
  const { createPillarbox } = await import('pillarbox');
  return createPillarbox({
    ...{ databaseUrl, leaseSeconds, concurrency, graceSeconds, log, probe: probe() },
    transport: await openTransport(),
  });
}

/** @returns {Promise<import('#pillarbox/transport/transport').Transport>} */
async function openTransport() {
  if (options.smtp) {
    const { smtpTransport } = await import('../smtp-crash/connections.mjs');
    return smtpTransport(options.port, options.smtp);
  }
  const { scriptedTransport } = await import('pillarbox/testing');
  return scriptedTransport({ port: options.port, canLookUp: options.canLookUp ?? false });
}

/** @returns {(point: string, id: number) => void} */
function probe() {
  const faults = (options.faults ?? []).map((fault) => ({ visit: 1, ...fault, visits: 0 }));
  return (point, id) => {
    for (const fault of faults) {
      if (fault.point !== point || (fault.id !== undefined && fault.id !== id)) continue;
      fault.visits += 1;
      if (fault.visit !== 'every' && fault.visit !== fault.visits) continue;
      say({ point, id });
      happen(fault);
    }
  };
}

/** @param {Fault} fault */
function happen({ action, blockMs = 0 }) {
  if (action === 'block') return block(blockMs);
  process.kill(process.pid, action === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  // A signal to oneself may arrive an instant later: nothing may happen in between.
  block(action === 'kill' ? Infinity : 50);
  say({ wentOn: true });
}

/** @param {number} ms */
function block(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Answers what sets it anew.
 *
 * @param {ClockError} error
 * @returns {(error: ClockError) => void}
 */
function skewClock(error) {
  const RightDate = Date;
  let now = clockWith(error);
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends RightDate {
      /** @param {[]} parts A date of given parts is what it is; only "now" is off. */
      constructor(...parts) {
        if (parts.length > 0) super(...parts);
        else super(now());
      }
      /** @override */
      static now() {
        return now();
      }
    }
  );
  return (changed) => {
    now = clockWith(changed);
  };

  /** @param {ClockError} error */
  function clockWith(error) {
    const setAt = RightDate.now();
    return () => (error === 'frozen' ? setAt : RightDate.now() + error);
  }
}

/** @param {Said} said */
function say(said) {
  writeSync(1, `${JSON.stringify(said)}\n`);
}
