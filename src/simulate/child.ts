import { PillarboxError } from '../core/errors.js';
import { simulateHere } from './simulate.js';
import type { Said, Task } from './task.js';

/**
 * A process that simulates once and is gone: it may be ended at any moment, and takes nothing with it. It ends by itself
 * when nobody listens any more.
 */
const say = (said: Said): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(said, () => resolve());
    else resolve();
  });

process.once('disconnect', () => process.exit());
process.once('message', (task: Task) => {
  void simulateHere(task, (done, total) => void say({ done, total }))
    .then(
      (simulation) => say({ simulation }),
      (error: unknown) => say({ failed: failureOf(error) }),
    )
    .then(() => process.exit());
});

const failureOf = (error: unknown): Extract<Said, { failed: object }>['failed'] =>
  error instanceof PillarboxError
    ? { code: error.code, message: error.message }
    : { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
