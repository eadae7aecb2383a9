import { Command } from 'commander';
import { findSecrets } from '../access/secret.js';
import { readConfig, type Config } from '../config.js';
import { PillarboxError } from '../errors.js';
import type { Listening } from '../http/listen.js';
import type { Metrics } from '../metrics.js';
import type { Pillarbox } from '../pillarbox.js';
import { toldToStop } from './signals.js';
import { sayJson } from './terminal.js';

const STANDARD_ERROR = 2;

export function workCommand(): Command {
  return new Command('work')
    .description('send what is due, until told to stop; any number of these may run')
    .option('--workspace <name>', 'the workspace of the default account', 'default')
    .option('--json', 'log to standard error; print what was done as one JSON document when it stops')
    .action(async ({ workspace, json }: { workspace: string; json?: boolean }) => {
      const config = readConfig(process.env);
      const { databaseUrl, clock, mailFrom: from, smtpUrl, logLevel } = config;
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
      const secret = findSecrets(config, log);
      const { createPillarbox } = await import('../pillarbox.js');
      const { Metrics } = await import('../metrics.js');
      const metrics = new Metrics();
      const { leaseSeconds, concurrency, graceSeconds, allowPrivateHosts } = config;
      const box = await createPillarbox({
        ...{ databaseUrl, clock, from, smtpUrl, workspace, secret, allowPrivateHosts },
        ...{ leaseSeconds, concurrency, graceSeconds },
        ...{ log, observer: metrics },
      });
      const probes = await serveProbes(config, box, metrics);
      await box.start();
      log.info({ concurrency, ...(probes && { url: probes.url }) }, 'working');
      const signal = await stopped;
      log.info({ signal }, 'stopping; what has been handed over is waited for');
      await box.stop();
      await probes?.close();
      log.info({ ...box.tally }, 'stopped');
      if (json) sayJson(box.tally);
    });
}

/** Only where somebody said a port: several workers on one machine are usual. */
async function serveProbes(
  { port, host, amqpUrl }: Config,
  box: Pillarbox,
  metrics: Metrics,
): Promise<Listening | undefined> {
  if (port === undefined) return undefined;
  const { buildProbeServer } = await import('../http/probe-server.js');
  const { listen } = await import('../http/listen.js');
  const app = buildProbeServer({ box, metrics, brokerWanted: amqpUrl !== undefined });
  try {
    return await listen(app, host, port);
  } catch (error) {
    await box.stop();
    throw error;
  }
}
