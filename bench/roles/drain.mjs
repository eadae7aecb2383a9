// @ts-check
import { CONTENDERS } from '../contenders/index.mjs';
import { instant } from '../figures.mjs';

const REPORT_EVERY_MS = 10;

/**
 * One consuming process. Says how many mails it has handled so far, and when the first one was.
 *
 * @param {{ contender: import('../contenders/index.mjs').ContenderName, url: string }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ contender, url }, parent) {
  let handled = 0;
  let firstAt = 0;
  const consumer = await CONTENDERS[contender].consumer(url, () => {
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
