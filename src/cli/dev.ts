import { Command } from 'commander';
import { readConfig } from '../config.js';
import { toldToStop } from './signals.js';
import { harmless, levelMark, say } from './terminal.js';

/** Everything on one machine, to try things out: nothing leaves it, because the only server is the catcher. */
export function devCommand(): Command {
  return new Command('dev')
    .description('a worker and a mail catcher in one process; nothing leaves this machine')
    .action(async () => {
      const {
        databaseUrl,
        clock,
        mailFrom: from,
        leaseSeconds,
        concurrency,
        graceSeconds,
      } = readConfig(process.env);
      const { pino } = await import('pino');
      const { startCatcher } = await import('../catcher/catcher.js');
      const { createPillarbox } = await import('../pillarbox.js');
      const { openStore } = await import('../store/open.js');
      const log = pino({ level: 'warn' });
      const store = await openStore({ databaseUrl, clock, leaseMs: leaseSeconds * 1_000, log });
      const onCaught = ({ recipients, subject }: { recipients: readonly string[]; subject: string }) =>
        say(levelMark('fine', harmless(`${recipients.join(', ')}  ${subject}`)));
      const catcher = await startCatcher({ store, port: 0, log, onCaught });
      const limits = { leaseSeconds, concurrency, graceSeconds };
      const box = await createPillarbox({ databaseUrl, clock, from, smtpUrl: catcher.url, log, ...limits });
      const told = toldToStop(log);
      await box.start();
      say(
        `Pillarbox works on ${databaseUrl.replace(/\/\/[^@/]*@/, '//')}. Mail goes to a catcher and no further.`,
      );
      say(`  catcher   ${catcher.url}`);
      say("  send      node bin/pillarbox.js send --to ada@example.org --subject Hello --text 'It works.'");
      say('  look      node bin/pillarbox.js queue ls');
      say('  stop      Ctrl-C');
      await told;
      await box.stop();
      await catcher.close();
      await store.close();
    });
}
