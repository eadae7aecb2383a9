import { Command } from 'commander';
import { readConfig } from '../service/config.js';
import { PillarboxError } from '../core/errors.js';
import { silent } from '../log/log.js';
import { surroundings } from './surroundings.js';
import { amount, levelMark, say, sayAside, sayJson } from './terminal.js';

export function demoCommand(): Command {
  return new Command('demo')
    .description('load demo data into an empty database; it lives on in whatever serves it')
    .option('--json', 'print one JSON document and nothing else')
    .action(async ({ json }: { json?: boolean }) => {
      const { databaseUrl, databaseDirectUrl, clock, leaseSeconds, smtpUrl } = readConfig(surroundings().env);
      if (smtpUrl !== undefined) {
        throw new PillarboxError(
          'conflict',
          'SMTP_URL: is set, and demo mails never leave this machine; unset it for the demo',
        );
      }
      if (surroundings().stderr.isTTY) sayAside('Going through a week of mail…');
      const { loadDemo } = await import('../demo/load.js');
      const loaded = await loadDemo({
        databaseUrl,
        databaseDirectUrl,
        clock,
        leaseSeconds,
        alone: false,
        log: silent,
      });
      if (json) {
        sayJson(loaded);
        return;
      }
      const { messages, sent, dead, held, pending } = loaded;
      say(
        levelMark(
          'fine',
          `${amount(messages, 'message')}: ${sent} sent, ${pending} waiting, ${dead} dead, ${held} held.`,
        ),
      );
      say('None of it leaves this machine. See it: pillarbox serve');
    });
}
