import { Command } from 'commander';
import { pino } from 'pino';
import { readConfig } from '../config.js';
import { PillarboxError } from '../errors.js';
import { createPillarbox } from '../pillarbox.js';

export function workCommand(): Command {
  return new Command('work')
    .description('send what is due, until told to stop; any number of these may run')
    .option('--workspace <name>', 'the workspace of the default account', 'default')
    .action(async ({ workspace }: { workspace: string }) => {
      const { databaseUrl, clock, mailFrom: from, smtpUrl, logLevel, ...limits } = readConfig(process.env);
      if (smtpUrl === undefined) {
        throw new PillarboxError(
          'invalid_config',
          'SMTP_URL: is needed to send; should be smtp://user:password@host:port',
        );
      }
      const log = pino({ level: logLevel });
      const { leaseSeconds, concurrency, graceSeconds } = limits;
      const box = await createPillarbox({
        databaseUrl,
        clock,
        from,
        smtpUrl,
        workspace,
        leaseSeconds,
        concurrency,
        graceSeconds,
        log,
      });
      const stopped = untilToldToStop(log);
      await box.start();
      log.info({ concurrency }, 'working');
      const signal = await stopped;
      log.info({ signal }, 'stopping; what has been handed over is waited for');
      await box.stop();
      log.info({ ...box.tally }, 'stopped');
    });
}

/** The first signal stops in order, a second one at once. */
function untilToldToStop(log: { warn(facts: object, text: string): void }): Promise<string> {
  return new Promise((resolve) => {
    let told = false;
    const hear = (signal: NodeJS.Signals) => {
      if (told) {
        log.warn({ signal }, 'told twice; leases run out by themselves');
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
      told = true;
      resolve(signal);
    };
    process.on('SIGTERM', hear);
    process.on('SIGINT', hear);
  });
}
