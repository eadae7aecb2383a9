import { Command } from 'commander';
import { hashToken } from '../access/token.js';
import { readConfig, type Config } from '../service/config.js';
import { messageInVariables } from '../service/variables.js';
import { PillarboxError } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { sendingMeans } from './accounts.js';
import { checkZones } from './check-zones.js';
import { EXIT } from './exit.js';
import type { Faults, Finding, Known } from './finding.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { endWith, surroundings } from './surroundings.js';
import { amount, harmless, levelMark, say, sayJson } from './terminal.js';

interface Flags extends CommonOptions {
  readonly verify: boolean;
}

/** Tries everything a worker needs, without sending a mail. */
export function doctorCommand(): Command {
  return withCommon(new Command('doctor'))
    .description(
      'check settings, database, broker, workers, accounts, secrets and time zones without sending anything',
    )
    .option('--no-verify', 'do not connect to mail servers')
    .action(async (flags: Flags) => {
      const findings = [...(await checkAll(flags))];
      const faults = findings.filter(({ level }) => level === 'act').length;
      const looks = findings.filter(({ level }) => level === 'look').length;
      if (flags.json) sayJson({ findings, faults, looks });
      else {
        for (const { what, level, text } of findings) {
          say(levelMark(level, `${what.padEnd(11)}${harmless(text)}`));
        }
        const exit = faults > 0 ? ` Exit ${EXIT.violations}.` : '';
        say(
          faults + looks === 0 ? 'All is well.' : `${amount(faults, 'fault')}, ${looks} to look at.${exit}`,
        );
      }
      if (faults > 0) endWith(EXIT.violations);
    });
}

async function checkAll(flags: Flags): Promise<readonly Finding[]> {
  const faulty = checkSettings();
  const faults: Faults = new Map(faulty.map(({ name, finding }) => [name, finding.text]));
  const findings = faulty.map(({ finding }) => finding);
  // The rest is tried as if they had not been set; what they are needed for says so.
  const env = Object.fromEntries(Object.entries(surroundings().env).filter(([name]) => !faults.has(name)));
  const config = readConfig(env);
  const broker = config.amqpUrl === undefined ? [] : await checkBrokerOf(config.amqpUrl);
  if (faults.has('DATABASE_URL')) return [...findings, ...broker];
  try {
    const check = (box: Pillarbox) => checkBox(box, { config, faults, verify: flags.verify });
    const ofBox = await withBox(flags, check, sendingMeans, env);
    const [database, ...rest] = ofBox;
    return [
      ...findings,
      ...(database ? [database] : []),
      ...broker,
      ...rest,
      await checkZones(env, process.versions.tz),
    ];
  } catch (error) {
    const text =
      error instanceof PillarboxError
        ? messageInVariables(error)
        : error instanceof Error
          ? error.message
          : String(error);
    return [...findings, { what: 'database', level: 'act', text }, ...broker];
  }
}

async function checkBox(box: Pillarbox, known: Known): Promise<readonly Finding[]> {
  const { checkAccounts, checkSecrets } = await import('./check-accounts.js');
  return [
    await checkDatabase(box),
    ...checkPooler(box, known),
    await checkWorkers(box),
    await checkQueue(box),
    await checkSecrets(box, known),
    await checkAccounts(box, known),
    ...(known.faults.has('PILLARBOX_API_KEY') ? [] : [await checkKey(box, known.config)]),
  ];
}

/** What the settings are not, each under the name of its variable. */
function checkSettings(): readonly { readonly name: string; readonly finding: Finding }[] {
  try {
    readConfig(surroundings().env);
    return [];
  } catch (error) {
    if (!(error instanceof PillarboxError)) throw error;
    return error.message.split('\n').map((text) => {
      const name = text.split(':')[0] ?? '';
      const finding = name === 'PILLARBOX_API_KEY' ? shortKey() : { what: 'settings', text };
      return { name, finding: { level: 'act', ...finding } };
    });
  }
}

function shortKey(): Omit<Finding, 'level'> {
  const characters = surroundings().env['PILLARBOX_API_KEY']?.length ?? 0;
  const fault =
    characters < 24
      ? `has ${characters} characters and needs at least 24`
      : 'holds a blank or a character beyond ASCII';
  return { what: 'api key', text: `PILLARBOX_API_KEY ${fault}. Make one: openssl rand -hex 16` };
}

async function checkBrokerOf(amqpUrl: string): Promise<readonly Finding[]> {
  const { checkBroker } = await import('./check-broker.js');
  return checkBroker(amqpUrl);
}

/** A skew does no harm to the queue, whose clock is the database's; but something is wrong with one of the two. */
const SKEW_MS = 60_000;

async function checkDatabase(box: Pillarbox): Promise<Finding> {
  const { SCHEMA_VERSION } = await import('../store/migrations/index.js');
  const { product, roundTripMs, skewMs } = await box.ping();
  const skew = skewMs === undefined ? '' : `, clock skew ${Math.round(Math.abs(skewMs))} ms`;
  return {
    what: 'database',
    level: Math.abs(skewMs ?? 0) > SKEW_MS ? 'look' : 'fine',
    text: `${product}, schema ${SCHEMA_VERSION}, round trip ${roundTripMs.toFixed(1)} ms${skew}`,
  };
}

/** Nothing is said where there is none. */
function checkPooler({ store: { pooler } }: Pillarbox, { faults }: Known): readonly Finding[] {
  const what = 'pooler';
  const found = 'stands before PostgreSQL: no statement is prepared, no session is relied on';
  if (pooler === 'none') return [];
  if (pooler === 'passed')
    return [{ what, level: 'fine', text: `${found}; LISTEN and migrations go by DATABASE_DIRECT_URL` }];
  const without = 'workers look every 250 ms instead of being woken, and migrations are refused';
  const remedy = faults.get('DATABASE_DIRECT_URL') ?? 'Set DATABASE_DIRECT_URL to PostgreSQL itself';
  return [{ what, level: 'look', text: `${found}; ${without}. ${remedy}` }];
}

async function checkWorkers({ store, home }: Pillarbox): Promise<Finding> {
  const { readWorkers } = await import('../store/scripts/workers.js');
  const { oldestDue } = await import('../store/scripts/recent.js');
  const { alive, senders, oldestSeenMs } = await store.read(readWorkers(store));
  const now = await store.now();
  const oldest = await store.read(oldestDue(store, home.id, now));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const due = oldest === undefined ? 'nothing is due' : `oldest due message ${seconds(now - oldest)}`;
  const who =
    oldestSeenMs === null ? 'none alive' : `${alive} alive, oldest heartbeat ${seconds(oldestSeenMs)}`;
  const idle = oldest === undefined ? 'look' : 'act';
  const start = senders === 0 ? '. Start one: pillarbox work' : '';
  return { what: 'workers', level: senders === 0 ? idle : 'fine', text: `${who}; ${due}${start}` };
}

async function checkQueue(box: Pillarbox): Promise<Finding> {
  const what = 'queue';
  const { dead, held } = await box.messages.countByState();
  if (dead + held === 0) return { what, level: 'fine', text: 'no message waits for a person' };
  const number = (n: number) => n.toLocaleString('en-US');
  const text = `${number(held)} held, ${number(dead)} dead. See: pillarbox queue ls --state held,dead`;
  return { what, level: 'look', text };
}

async function checkKey({ store }: Pillarbox, { apiKey }: Config): Promise<Finding> {
  const { findApiKey, listApiKeys } = await import('../store/scripts/api-keys.js');
  const what = 'api key';
  if (apiKey !== undefined) {
    const known = await store.read(findApiKey(store, hashToken(apiKey)));
    return known
      ? { what, level: 'fine', text: 'PILLARBOX_API_KEY is in use' }
      : {
          what,
          level: 'look',
          text: 'PILLARBOX_API_KEY is not in use yet: the next start of serve takes it up',
        };
  }
  const [some] = await store.read(listApiKeys(store, undefined, Number.MAX_SAFE_INTEGER, 1));
  return some
    ? { what, level: 'fine', text: 'there is one. All of them: pillarbox keys ls' }
    : { what, level: 'look', text: 'there is none yet; the first start of serve makes one' };
}
