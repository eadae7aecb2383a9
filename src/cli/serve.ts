import { Command } from 'commander';
import type { MadeAccess } from '../access/first-run.js';
import { readConfig, type Config } from '../service/config.js';
import type { Serving } from '../service/serve.js';
import { openLog, STANDARD_ERROR } from './open-log.js';
import { toldToStop } from './signals.js';
import { surroundings } from './surroundings.js';
import { levelMark, say, sayJson } from './terminal.js';

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
        else if (made) sayMade(made, config);
        throw error;
      });
      if (json) {
        const { url, demo, catcherUrl = null } = serving;
        sayJson({ url, catcherUrl, worker, demo, ...made });
      } else sayWhere(serving, made, config, worker);
      log.info({ url: serving.url, worker }, 'serving');
      const signal = await told;
      log.info({ signal }, 'stopping; requests and mails under way are waited for');
      await serving.stop();
      log.info({}, 'stopped');
    });
}

function sayWhere(
  { url, catcherUrl, demo }: Serving,
  made: MadeAccess | undefined,
  config: Config,
  worker: boolean,
): void {
  say(levelMark('fine', `Pillarbox runs at ${url}${worker ? '' : ', without a worker'}`));
  if (made) sayMade(made, config);
  if (catcherUrl !== undefined) line('inbox', `${url}/inbox`);
  line('docs', `${url}/docs`);
  if (demo) {
    line('demo', 'these are demo mails: made up, going on by themselves, and never leaving this machine');
    line('', 'real mail: set SMTP_URL, and DATABASE_URL to a new file');
  } else if (catcherUrl === undefined) line('mail', 'goes out by SMTP_URL');
  else {
    line('mail', `goes to the built-in catcher and no further, because SMTP_URL is not set (${catcherUrl})`);
  }
  line('send', "node bin/pillarbox.js send --to ada@example.org --subject Hello --text 'It works.'");
  line('stop', 'Ctrl-C');
}

function sayMade({ adminEmail, adminPassword, apiKey }: MadeAccess, config: Config): void {
  const known =
    config.adminPassword === undefined ? 'the password of the first start' : 'PILLARBOX_ADMIN_PASSWORD';
  line('log in', `${adminEmail} with ${adminPassword ?? known}`);
  if (apiKey !== undefined) line('API key', apiKey);
  if (apiKey !== undefined || adminPassword !== undefined) line('', 'shown only this once; keep it');
}

const line = (what: string, text: string): void => say(`  ${what.padEnd(9)} ${text}`);
