// @ts-check
import { instant } from './figures.mjs';

const REPORT_EVERY_MS = 10;

/** @typedef {{ start: () => Promise<void>, stop: () => Promise<void> }} Consumer */

/**
 * The consuming side of a child process: says how many mails it has handled so far, and when the first one was.
 *
 * @param {(handled: () => void) => Promise<Consumer>} open
 * @param {import('./child.mjs').Parent} parent
 */
export async function consume(open, parent) {
  let handled = 0;
  let firstAt = 0;
  const consumer = await open(() => {
    if (handled === 0) firstAt = instant();
    handled += 1;
  });
  parent.tell({ kind: 'ready' });
  await parent.heard('go');
  const cpu = process.cpuUsage();
  let told = 0;
  const report = setInterval(() => {
    if (handled === told) return;
    told = handled;
    parent.tell({ kind: 'handled', handled, firstAt });
  }, REPORT_EVERY_MS);
  void consumer.start();
  await parent.heard('stop');
  clearInterval(report);
  const { user, system } = process.cpuUsage(cpu);
  await consumer.stop();
  parent.tell({ kind: 'result', handled, cpuMicroseconds: user + system });
}
