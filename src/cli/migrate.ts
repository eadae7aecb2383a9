import { Command } from 'commander';
import { readConfig } from '../service/config.js';
import { silent } from '../log/log.js';
import { surroundings } from './surroundings.js';
import { levelMark, say, sayJson } from './terminal.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database up to date')
    .option('--json', 'print one JSON document and nothing else')
    .action(async ({ json }: { json?: boolean }) => {
      const { databaseUrl, databaseDirectUrl, leaseSeconds } = readConfig(surroundings().env);
      const applied: string[] = [];
      const log = {
        ...silent,
        info: (facts: object) => applied.push(...((facts as { applied?: string[] }).applied ?? [])),
      };
      const { openStore } = await import('../store/open.js');
      const store = await openStore({ databaseUrl, databaseDirectUrl, leaseMs: leaseSeconds * 1_000, log });
      const { version } = await store.migrate();
      await store.close();
      if (json) sayJson({ version, applied });
      else if (applied.length === 0) say(levelMark('fine', `Schema ${version}, up to date.`));
      else say(levelMark('fine', `Schema ${version}; applied ${applied.join(', ')}.`));
    });
}
