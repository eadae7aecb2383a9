import type { MadeAccess } from '../access/first-run.js';
import type { Config } from '../service/config.js';
import type { Serving } from '../service/serve.js';
import { levelMark } from './terminal.js';

/** Where it is for people: PUBLIC_URL, which a proxy may stand at, and where it listens only if that is elsewhere. */
export function bannerOf(
  { url, catcherUrl, demo }: Pick<Serving, 'url' | 'catcherUrl' | 'demo'>,
  made: MadeAccess | undefined,
  config: Pick<Config, 'publicUrl' | 'adminPassword'>,
  worker: boolean,
): readonly string[] {
  const reached = config.publicUrl?.replace(/\/$/, '') ?? url;
  return [
    levelMark('fine', `Pillarbox runs at ${reached}${worker ? '' : ', without a worker'}`),
    ...(reached === url ? [] : [line('listens', url)]),
    ...(made ? madeLines(made, config) : []),
    ...(catcherUrl === undefined ? [] : [line('inbox', `${reached}/inbox`)]),
    line('docs', `${reached}/docs`),
    ...mailLines(demo, catcherUrl),
    line(
      'send',
      `${programFor(import.meta.url)} send --to ada@example.org --subject Hello --text 'It works.'`,
    ),
    line('stop', 'Ctrl-C'),
  ];
}

/** What was made on the first start, and is in no log. */
export function madeLines(
  { adminEmail, adminPassword, apiKey }: MadeAccess,
  config: Pick<Config, 'adminPassword'>,
): readonly string[] {
  const known =
    config.adminPassword === undefined ? 'the password of the first start' : 'PILLARBOX_ADMIN_PASSWORD';
  const once = apiKey !== undefined || adminPassword !== undefined;
  return [
    line('log in', `${adminEmail} with ${adminPassword ?? known}`),
    ...(apiKey === undefined ? [] : [line('API key', apiKey)]),
    ...(once ? [line('', 'shown only this once; keep it')] : []),
  ];
}

function mailLines(demo: boolean, catcherUrl: string | undefined): readonly string[] {
  if (demo)
    return [
      line('demo', 'these are demo mails: made up, going on by themselves, and never leaving this machine'),
      line('', 'real mail: set SMTP_URL, and DATABASE_URL to a new file'),
    ];
  if (catcherUrl === undefined) return [line('mail', 'goes out by SMTP_URL')];
  return [
    line('mail', `goes to the built-in catcher and no further, because SMTP_URL is not set (${catcherUrl})`),
  ];
}

/** How people call it: installed by somebody else's package, or from its own folder. */
export const programFor = (moduleUrl: string): string =>
  moduleUrl.includes('/node_modules/') ? 'npx pillarbox' : 'node bin/pillarbox.js';

const line = (what: string, text: string): string => `  ${what.padEnd(9)} ${text}`;
