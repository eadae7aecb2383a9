import { chromium, type Browser } from 'playwright-core';
import { required } from '../postgres.js';
import { Trap } from './trap.js';

/** A real browser, and the world that it lives in: nothing beyond our own services but a trap. */
export interface World {
  readonly browser: Browser;
  readonly trap: Trap;
}

let world: Promise<World> | undefined;

/** One for all files that a process tests, as starting it takes longer than most tests; it ends with the process. */
export const theWorld = (): Promise<World> => (world ??= begin());

async function begin(): Promise<World> {
  const trap = await Trap.set();
  const browser = await chromium.launch({
    executablePath: required('PILLARBOX_TEST_CHROMIUM'),
    args: [
      `--host-resolver-rules=${trap.resolverRules}`,
      // Nobody looks: without a card it would be emulated, for nothing.
      '--disable-gpu',
      // Chromium refuses to run as root with its sandbox; the pages here are our own.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  return { browser, trap };
}
