// @ts-check
// One worker of the crash tests, in a process of its own: it is forked with its options as JSON, sends to the
// far side, and ends in every way in which a process can end. What it says goes to its standard output, one JSON
// document a line, written at once: it may be dead before anything that waits could leave.
import { writeSync } from 'node:fs';

/**
 * Something that happens inside the worker when a message comes to a point of its way.
 *
 * @typedef {object} Fault
 * @property {import('#pillarbox/engine/fault-points').FaultPoint} point
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
 * @property {Fault[]} [faults]
 * @property {number} [clockSkewMs] How far this process's wall clock is off.
 * @property {import('./mutants.mjs').MutantName} [mutant] A planted bug.
 */

/** @typedef {{ ready: true } | { wentOn: true } | { point: string, id: number } | { warned: string, why: string }} Said */
/** @typedef {{ start(): Promise<void>, stop(): Promise<void> }} Worker */

const warn = (/** @type {{ err?: Error }} */ { err }, /** @type {string} */ warned) =>
  say({ warned, why: err?.message ?? '' });
const log = { debug: () => {}, info: () => {}, warn, error: warn };

/** @type {WorkerOptions} */
const options = JSON.parse(process.argv[2] ?? '');
// Before the product is loaded, so that no part of it can have kept the right one.
if (options.clockSkewMs) skewClock(options.clockSkewMs);

let ending = false;
process.on('disconnect', () => {
  // The test's process is gone: nobody counts any more.
  if (!ending) process.exit(1);
});
const worker = await (options.whole ? openWhole : openParts)(options);
process.on('SIGTERM', () => {
  if (ending) return;
  ending = true;
  // Not `exit`: a worker that has stopped has nothing left that keeps its process alive.
  void worker.stop().then(() => process.disconnect());
});
await worker.start();
say({ ready: true });

/**
 * The parts that Pillarbox is made of, put together as it does.
 *
 * @param {WorkerOptions} options
 * @returns {Promise<Worker>}
 */
async function openParts({ databaseUrl, leaseSeconds, concurrency, graceSeconds = 30, mutant }) {
  const [{ openStore }, { Dispatch }, { Engine }, { mutants }] = await Promise.all([
    import('#pillarbox/store/open'),
    import('#pillarbox/engine/dispatch'),
    import('#pillarbox/engine/engine'),
    import('./mutants.mjs'),
  ]);
  const leaseMs = leaseSeconds * 1_000;
  const real = await openStore({ databaseUrl, leaseMs, log });
  const store = mutant ? mutants[mutant](real) : real;
  const transport = await openTransport();
  const dispatch = new Dispatch({
    ...{ store, transports: () => transport, leaseMs, log, probe: probe() },
    graceMs: graceSeconds * 1_000,
  });
  const engine = new Engine({
    ...{ store, dispatch, concurrency, leaseMs, log },
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

/** @returns {import('pillarbox/testing').Probe} */
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

/** @param {number} skewMs */
function skewClock(skewMs) {
  const RightDate = Date;
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends RightDate {
      /** @param {[]} parts A date of given parts is what it is; only "now" is off. */
      constructor(...parts) {
        if (parts.length > 0) super(...parts);
        else super(RightDate.now() + skewMs);
      }
      /** @override */
      static now() {
        return RightDate.now() + skewMs;
      }
    }
  );
}

/** @param {Said} said */
function say(said) {
  writeSync(1, `${JSON.stringify(said)}\n`);
}
