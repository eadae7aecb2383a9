import { constants } from 'node:os';

/** `npm start` passes on a Ctrl-C that the terminal has sent already; nobody presses twice that fast. */
const SAME_KEY_PRESS_MS = 300;

/** Resolves at the first signal, which stops in order; a second one ends the process at once. */
export function toldToStop(log: { warn(facts: object, text: string): void }): Promise<string> {
  return new Promise((resolve) => {
    let toldTick: number | undefined;
    const hear = (signal: NodeJS.Signals) => {
      const tick = performance.now();
      if (toldTick === undefined) {
        toldTick = tick;
        resolve(signal);
        return;
      }
      if (signal === 'SIGINT' && tick - toldTick < SAME_KEY_PRESS_MS) return;
      log.warn({ signal }, 'told twice; leases run out by themselves');
      process.exit(128 + constants.signals[signal]);
    };
    // SIGHUP: the terminal or the session is gone. The mail in hand does not care.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, hear);
  });
}
