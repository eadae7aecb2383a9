import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FrozenLine } from '../frozen-line.js';
import { readyDatabase } from '../postgres.js';
import { Carrier } from './carrier.js';
import { Posts } from './posts.js';
import { barrier } from './signal.js';

/** Far less than anybody's patience with the database, and far more than the gate takes. */
const A_WHILE_MS = 1_500;

test('a database that stands still before the gate answers lets no mail leave, and when it goes on each leaves once [F21]', async () => {
  const database = await readyDatabase();
  const line = await FrozenLine.to(database.url);
  const posts = new Posts({ databaseUrl: line.url });
  const MAILS = 5;
  const asking = barrier();
  const carrier: Carrier = new Carrier(async () => {
    if (carrier.inFlight === MAILS) {
      line.freeze();
      asking.open();
    }
    await asking.wait;
    return undefined;
  });
  const post = await posts.start(carrier);
  const ids = await post.putMany(MAILS, { onDoubt: 'hold' });
  await asking.wait;
  await sleep(A_WHILE_MS);
  expect(carrier.left).toEqual([]);
  expect(carrier.inFlight).toBe(MAILS);
  line.thaw();
  await post.allSettled(ids);
  for (const id of ids) {
    expect(await post.get(id)).toMatchObject({ state: 'sent', attempts: 1, leaseLosses: 0 });
    expect(carrier.copiesOf(id)).toBe(1);
  }
  await posts.close();
  await line.close();
  await database.drop();
});
