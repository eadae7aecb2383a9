import { Command } from 'commander';
import { readConfig } from '../config.js';
import { PillarboxError } from '../errors.js';
import { toldToStop } from './signals.js';
import { sayJson } from './terminal.js';

const STANDARD_ERROR = 2;

export function workCommand(): Command {
  return new Command('work')
    .description('send what is due, until told to stop; any number of these may run')
    .option('--workspace <name>', 'the workspace of the default account', 'default')
    .option('--json', 'log to standard error; print what was done as one JSON document when it stops')
    .action(async ({ workspace, json }: { workspace: string; json?: boolean }) => {
      const { databaseUrl, clock, mailFrom: from, smtpUrl, logLevel, ...limits } = readConfig(process.env);
      if (smtpUrl === undefined) {
        throw new PillarboxError(
          'invalid_config',
          'SMTP_URL: is needed to send; should be smtp://user:password@host:port',
        );
      }
      const { destination, pino } = await import('pino');
      const log = json ? pino({ level: logLevel }, destination(STANDARD_ERROR)) : pino({ level: logLevel });
      // Before anything is claimed: a signal that comes early stops in order too.
      const stopped = toldToStop(log);
      const { createPillarbox } = await import('../pillarbox.js');
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
      await box.start();
      log.info({ concurrency }, 'working');
      const signal = await stopped;
      log.info({ signal }, 'stopping; what has been handed over is waited for');
      await box.stop();
      log.info({ ...box.tally }, 'stopped');
      if (json) sayJson(box.tally);
    });
}
