// @ts-check
// A worker that writes mail into a directory and is killed when a message comes to a point of its way:
// `node file-worker.mjs <database> <directory> <point>`.
import { createPillarbox, fileTransport } from 'pillarbox';

const [databaseUrl = '', directory = '', point] = process.argv.slice(2);
const box = await createPillarbox({
  databaseUrl,
  transport: fileTransport({ directory }),
  leaseSeconds: 1,
  probe: (reached) => {
    if (reached === point) process.kill(process.pid, 'SIGKILL');
  },
});
await box.start();
