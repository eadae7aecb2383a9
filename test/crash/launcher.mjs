// Launches a campaign several times at once, as one of many processes; ends when it is planned.
import { createPillarbox } from '../../dist/index.js';

const [databaseUrl, id, times] = process.argv.slice(2);
const box = await createPillarbox({
  databaseUrl,
  secret: 'a secret that signs the links of mails',
  leaseSeconds: 1,
});
// To the end: there is no worker that would finish what a slow machine has not done in the usual patience.
const launches = Array.from({ length: Number(times) }, () => box.campaigns.launch(id, { toTheEnd: true }));
const results = await Promise.all(launches);
const scheduled = results.reduce((sum, result) => sum + (result.done ? result.scheduled : 0), 0);
await box.stop();
process.stdout.write(JSON.stringify({ scheduled }));
