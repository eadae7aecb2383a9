import { Command } from 'commander';
import type { MadeAccess } from '../access/first-run.js';
import { readConfig } from '../service/config.js';
import { openLog, STANDARD_ERROR } from './open-log.js';
import { systemdNotifier } from './sd-notify.js';
import { bannerOf, madeLines } from './serve-banner.js';
import { toldToStop } from './signals.js';
import { surroundings } from './surroundings.js';
import { say, sayJson } from './terminal.js';

interface Flags {
  readonly worker: boolean;
  readonly json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the HTTP API and send what is due, until told to stop')
    .option('--no-worker', 'send only what callers wait for; leave what is due to others')
    .option('--json', 'print one JSON document when it listens, and nothing else')
    .action(async ({ worker, json }: Flags) => {
      const config = readConfig(surroundings().env);
      // What is printed is for people, and may hold what no log must hold.
      const log = await openLog(config.logLevel, STANDARD_ERROR);
      const told = toldToStop(log);
      const { startService } = await import('../service/serve.js');
      let made: MadeAccess | undefined;
      const onMade = (access: MadeAccess) => {
        made = access;
      };
      const starting = startService({ config, worker, log, onMade });
      const serving = await starting.catch((error: unknown) => {
        // It was made, and nobody could ever read it again.
        if (made && json) sayJson(made);
        else if (made) madeLines(made, config).forEach(say);
        throw error;
      });
      if (json) {
        const { url, demo, catcherUrl = null } = serving;
        sayJson({ url, catcherUrl, worker, demo, ...made });
      } else bannerOf(serving, made, config, worker).forEach(say);
      log.info({ url: serving.url, worker }, 'serving');
      const systemd = systemdNotifier(log);
      systemd.ready(() => serving.renews());
      const signal = await told;
      systemd.stopping();
      log.info({ signal }, 'stopping; requests and mails under way are waited for');
      await serving.stop();
      await systemd.end();
      log.info({}, 'stopped');
    });
}
