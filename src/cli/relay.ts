import { Command } from 'commander';
import { brokerOptionsOf, readConfig } from '../service/config.js';
import { PillarboxError } from '../core/errors.js';
import { openLog, STANDARD_ERROR, STANDARD_OUTPUT } from './open-log.js';
import { systemdNotifier } from './sd-notify.js';
import { serveProbes } from './serve-probes.js';
import { toldToStop } from './signals.js';
import { surroundings } from './surroundings.js';
import { sayJson } from './terminal.js';

export function relayCommand(): Command {
  return new Command('relay')
    .description('pass due mail on to RabbitMQ, until told to stop; any number of these may run')
    .option('--json', 'log to standard error; print what was done as one JSON document when it stops')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(surroundings().env);
      const { databaseUrl, databaseDirectUrl, clock, amqpUrl, logLevel } = config;
      if (amqpUrl === undefined)
        throw new PillarboxError(
          'invalid_config',
          'AMQP_URL: is needed to pass mail on; should be amqp://user:password@host:port',
        );
      const log = await openLog(logLevel, json ? STANDARD_ERROR : STANDARD_OUTPUT);
      const stopped = toldToStop(log);
      const { createPillarbox } = await import('../library/pillarbox.js');
      const { Metrics } = await import('../overview/metrics.js');
      const metrics = new Metrics();
      const { leaseSeconds, concurrency } = config;
      const box = await createPillarbox({
        ...{ databaseUrl, databaseDirectUrl, clock, leaseSeconds, concurrency },
        ...{ log, observer: metrics },
        ...brokerOptionsOf(config),
      });
      const probes = await serveProbes(config, box, metrics);
      await box.startRelay();
      log.info({ ...(probes && { url: probes.url }) }, 'passing mail on');
      const systemd = systemdNotifier(log);
      systemd.ready(() => box.condition?.renewal !== false);
      const signal = await stopped;
      systemd.stopping();
      log.info({ signal }, 'stopping; what the broker has not taken goes back');
      await box.stop();
      await probes?.close();
      await systemd.end();
      log.info({ ...metrics.passed }, 'stopped');
      if (json) sayJson(metrics.passed);
    });
}
