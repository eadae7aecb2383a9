import { Command } from 'commander';
import { findSecrets } from '../access/secret.js';
import { brokerOptionsOf, publicUrlOf, readConfig } from '../service/config.js';
import { PillarboxError } from '../core/errors.js';
import { openLog, STANDARD_ERROR, STANDARD_OUTPUT } from './open-log.js';
import { systemdNotifier } from './sd-notify.js';
import { serveProbes } from './serve-probes.js';
import { toldToStop } from './signals.js';
import { surroundings } from './surroundings.js';
import { sayJson } from './terminal.js';

export function workCommand(): Command {
  return new Command('work')
    .description('send what is due, until told to stop; any number of these may run')
    .option('--workspace <name>', 'the workspace of the default account', 'default')
    .option('--json', 'log to standard error; print what was done as one JSON document when it stops')
    .action(async ({ workspace, json }: { workspace: string; json?: boolean }) => {
      const config = readConfig(surroundings().env);
      const { databaseUrl, databaseDirectUrl, clock, mailFrom: from, smtpUrl, logLevel } = config;
      if (smtpUrl === undefined) {
        throw new PillarboxError(
          'invalid_config',
          'SMTP_URL: is needed to send; should be smtp://user:password@host:port',
        );
      }
      const log = await openLog(logLevel, json ? STANDARD_ERROR : STANDARD_OUTPUT);
      // Before anything is claimed: a signal that comes early stops in order too.
      const stopped = toldToStop(log);
      const secret = findSecrets(config, log);
      const { createPillarbox } = await import('../library/pillarbox.js');
      const { Metrics } = await import('../overview/metrics.js');
      const metrics = new Metrics();
      const { leaseSeconds, concurrency, graceSeconds, allowPrivateHosts } = config;
      const box = await createPillarbox({
        ...{ databaseUrl, databaseDirectUrl, clock, from, smtpUrl, workspace, secret, allowPrivateHosts },
        ...{ leaseSeconds, concurrency, graceSeconds, publicUrl: publicUrlOf(config) },
        ...{ log, observer: metrics },
        ...brokerOptionsOf(config),
      });
      const probes = await serveProbes(config, box, metrics);
      await box.start();
      log.info({ concurrency, ...(probes && { url: probes.url }) }, 'working');
      const systemd = systemdNotifier(log);
      systemd.ready(() => box.condition?.renewal !== false);
      const signal = await stopped;
      systemd.stopping();
      log.info({ signal }, 'stopping; what has been handed over is waited for');
      await box.stop();
      await probes?.close();
      await systemd.end();
      log.info({ ...box.totals }, 'stopped');
      if (json) sayJson(box.totals);
    });
}
