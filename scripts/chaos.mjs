// @ts-check
// A longer run of what the tests show in short, on SQLite and on PostgreSQL: workers are killed at random while they
// send, restarted one after the other, and live for an hour among others that die; guarded mail is raced for over many
// nights. Everything is counted. The product must be built. Sizes come from the environment; a seed that found something
// can be asked for again. With names of test files as arguments only these are run:
// `npm run chaos -- test/crash/soak.test.ts`.
import { fileURLToPath } from 'node:url';
import { runInForeground, watchInterrupts } from './services/foreground.mjs';

const DEFAULTS = {
  CHAOS_MESSAGES: '20000',
  CHAOS_WORKERS: '4',
  CHAOS_KILLS: '100',
  CHAOS_MINUTES: '15',
  CHAOS_RESTARTS: '50',
  CHAOS_SOAK_MINUTES: '60',
  CHAOS_GUARD_ROUNDS: '10',
  CHAOS_RELAYED: '20000',
  CHAOS_BROKER_ROUNDS: '10',
  CHAOS_SEED: String(Date.now() % 1_000_000),
};

const sizes = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, value]) => [name, process.env[name] ?? value]),
);
console.log(
  Object.entries(sizes)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
);
const test = fileURLToPath(new URL('test.mjs', import.meta.url));
const interrupts = watchInterrupts();
const asked = process.argv.slice(2);
const files =
  asked.length > 0
    ? asked
    : ['crash/random-kills', 'crash/rolling-restarts', 'crash/soak', 'crash/relay', 'guard-race/faults'].map(
        (name) => `test/${name}.test.ts`,
      );
const code = await runInForeground(process.execPath, [test, ...files], {
  env: { ...process.env, ...sizes, CHAOS_REPORT: '1' },
  signal: interrupts.signal,
});
process.exitCode = interrupts.exitCode() ?? code;
