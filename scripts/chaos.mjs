// @ts-check
// A longer run of what the tests show in short: workers are killed at random while they send, on SQLite and on
// PostgreSQL, and everything is counted. The product must be built. Sizes come from the environment; a seed that
// found something can be asked for again.
import { fileURLToPath } from 'node:url';
import { runInForeground, watchInterrupts } from './services/foreground.mjs';

const DEFAULTS = {
  CHAOS_MESSAGES: '20000',
  CHAOS_WORKERS: '4',
  CHAOS_KILLS: '100',
  CHAOS_MINUTES: '15',
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
const code = await runInForeground(process.execPath, [test, 'test/crash/random-kills.test.ts'], {
  env: { ...process.env, ...sizes, CHAOS_REPORT: '1' },
  signal: interrupts.signal,
});
process.exitCode = interrupts.exitCode() ?? code;
