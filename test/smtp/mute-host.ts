import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, and then sleeps for ever: the kernel takes what fits into the queue, and nothing after that. */
const SLEEPER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
createServer().listen({ ...workerData, backlog: 1 }, () => {
  parentPort.postMessage('listening');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
`;
/** What fits into such a queue, and two that wait outside. */
const FITTING = 2;
const WAITING = 2;

/** An address that answers no attempt to connect, neither with yes nor with no. */
export async function listenAndSleep(host: string, port: number): Promise<{ end: () => Promise<void> }> {
  const sleeper = new Worker(SLEEPER, { eval: true, workerData: { host, port } });
  await once(sleeper, 'message');
  const callers: Socket[] = [];
  const call = (): Socket => {
    const caller = connect({ host, port }).on('error', () => undefined);
    callers.push(caller);
    return caller;
  };
  for (let calls = 0; calls < FITTING; calls += 1) await once(call(), 'connect');
  for (let calls = 0; calls < WAITING; calls += 1) call();
  return {
    end: async () => {
      for (const caller of callers) caller.destroy();
      await sleeper.terminate();
    },
  };
}
