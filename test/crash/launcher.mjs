// Launches a campaign several times at once, as one of many processes; ends when it is planned.
import { createPillarbox } from '../../dist/index.js';

const [databaseUrl, id, times] = process.argv.slice(2);
const box = await createPillarbox({
  databaseUrl,
  secret: 'a secret that signs the links of mails',
  leaseSeconds: 1,
});
const results = await Promise.all(Array.from({ length: Number(times) }, () => box.campaigns.launch(id)));
const scheduled = results.reduce((sum, result) => sum + (result.done ? result.scheduled : 0), 0);
await box.stop();
process.stdout.write(JSON.stringify({ scheduled }));
