// @ts-check
import { launch } from '../../scripts/services/processes.mjs';

/**
 * Keeps a server that is not ours, and takes it along: the server ends with this process, and this process ends with
 * its parent, whatever became of that.
 *
 * @param {{ command: string, args: string[], logFile: string, cwd: string, uid?: number, gid?: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ command, args, ...options }, parent) {
  const { pid, ended } = await launch(command, args, options);
  let [alive, wanted] = [true, true];
  process.on('exit', () => {
    if (alive) process.kill(pid, 'SIGTERM');
  });
  void ended.then((how) => {
    alive = false;
    if (!wanted) return parent.tell({ kind: 'stopped' });
    console.error(`${command} ${how}; see ${options.logFile}`);
    process.exit(1);
  });
  parent.tell({ kind: 'launched' });
  await parent.heard('stop');
  wanted = false;
  process.kill(pid, 'SIGTERM');
}
