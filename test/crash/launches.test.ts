import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases } from '../databases.js';
import { inFewFiles } from './in-few-files.js';

const LAUNCHER = await inFewFiles('launcher.mjs');
const SECRET = 'a secret that signs the links of mails';
const PEOPLE = 1_500;
const STEPS = 3;
/** Five launches each, ten at a time. */
const PROCESSES = 10;
const LAUNCHES_EACH = 5;
const KILLS = 4;

/** Longer than 20 s: a hundred processes open the library and a database anew, and each round of kills costs a lease. */
describe.each(databases)(
  'many launches of one campaign on $name, killed in the middle [D14] [F36]',
  ({ ready }) => {
    test('store every message once, within every day’s quota', async () => {
      const database = await ready();
      const box = await createPillarbox({ databaseUrl: database.url, secret: SECRET, leaseSeconds: 1 });
      try {
        const accounts = await box.home.accounts.list();
        const { ids } = await box.contacts.addMany(
          Array.from({ length: PEOPLE }, (_, n) => ({ email: `p${n}@example.org` })),
        );
        const { id: sequenceId } = await box.sequences.create({
          name: 'Hello',
          steps: Array.from({ length: STEPS }, (_, n) => ({
            ...{ order: n + 1, delayDays: n === 0 ? 0 : 3, subject: 'Hello', body: 'Hello there' },
          })),
        });
        const id = await box.campaigns.create({
          ...{ name: 'Autumn', sequenceId, accountIds: [accounts.items[0]!.id] },
        });
        await box.campaigns.enrol(id, ids);

        const running = new Set<ChildProcess>();
        const failed: unknown[] = [];
        let [killed, ended] = [0, 0];
        const launch = (): void => {
          const child = spawn(process.execPath, [LAUNCHER, database.url, id, String(LAUNCHES_EACH)], {
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          running.add(child);
          void once(child, 'exit').then(([code, signal]) => {
            running.delete(child);
            if (signal === 'SIGKILL') {
              launch();
              return;
            }
            ended += 1;
            if (code !== 0) failed.push({ code, signal });
          });
        };
        for (let n = 0; n < PROCESSES; n += 1) launch();
        let planned = 0;
        while (ended < PROCESSES) {
          const { progress } = await box.campaigns.get(id);
          // Whoever plans is among them; killed when something new is stored.
          if (progress.total > planned && killed < KILLS) {
            planned = progress.total;
            killed += running.size;
            for (const child of running) child.kill('SIGKILL');
          }
          await sleep(20);
        }
        expect(killed).toBeGreaterThan(0);
        expect(failed).toEqual([]);

        const count = async (sql: string): Promise<number> => {
          const [row] = await box.store.read(
            (function* () {
              return (yield { sql, parameters: [] }) as readonly { n: number }[];
            })(),
          );
          return row?.n ?? 0;
        };
        const { at } = box.store;
        expect(await count(`select count(*) as n from ${at('messages')} where campaign_id is not null`)).toBe(
          PEOPLE * STEPS,
        );
        expect(await count(`select count(*) as n from ${at('due')}`)).toBe(PEOPLE * STEPS);
        expect(await count(`select sum(launched) as n from ${at('campaign_days')}`)).toBe(PEOPLE * STEPS);
        // The usual limit of an account's day.
        expect(await count(`select max(launched) as n from ${at('campaign_days')}`)).toBe(20);
        expect(await box.guard.check()).toEqual([]);
        expect(await box.campaigns.launch(id, { toTheEnd: true })).toMatchObject({
          ...{ scheduled: 0, skipped: PEOPLE * STEPS },
        });
      } finally {
        await box.stop();
        await database.drop();
      }
    });
  },
);
