import { Command } from 'commander';
import { readConfig } from '../config.js';
import { PillarboxError } from '../errors.js';
import type { Pillarbox } from '../pillarbox.js';
import { EXIT } from './exit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { amount, harmless, levelMark, say, sayJson, type Level } from './terminal.js';

interface Finding {
  readonly what: string;
  readonly level: Level;
  readonly text: string;
}

/** Tries everything a worker needs, without sending a mail. */
export function doctorCommand(): Command {
  return withCommon(new Command('doctor'))
    .description('check settings, database, queue and mail server without sending anything')
    .action(async (flags: CommonOptions) => {
      const faulty = checkSettings();
      const findings = faulty.length > 0 ? faulty : await checkAll(flags);
      const faults = findings.filter(({ level }) => level === 'act').length;
      const looks = findings.filter(({ level }) => level === 'look').length;
      if (flags.json) sayJson({ findings, faults, looks });
      else {
        for (const { what, level, text } of findings) {
          say(levelMark(level, `${what.padEnd(12)}${harmless(text)}`));
        }
        say(faults + looks === 0 ? 'All is well.' : `${amount(faults, 'fault')}, ${looks} to look at.`);
      }
      if (faults > 0) process.exitCode = EXIT.violations;
    });
}

/** With settings that can't be read nothing else can be tried. */
function checkSettings(): Finding[] {
  try {
    readConfig(process.env);
    return [];
  } catch (error) {
    if (!(error instanceof PillarboxError)) throw error;
    return error.message.split('\n').map((text) => ({ what: 'settings', level: 'act', text }));
  }
}

async function checkAll(flags: CommonOptions): Promise<Finding[]> {
  const mailServer = checkMailServer();
  try {
    const findings = await withBox(flags, async (box) => [await checkDatabase(box), await checkQueue(box)]);
    return [...findings, await mailServer];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [{ what: 'database', level: 'act', text }, await mailServer];
  }
}

async function checkDatabase(box: Pillarbox): Promise<Finding> {
  const { product, roundTripMs } = await box.ping();
  return { what: 'database', level: 'fine', text: `${product}, round trip ${roundTripMs.toFixed(1)} ms` };
}

const COUNTED = 200;

async function checkQueue(box: Pillarbox): Promise<Finding> {
  const what = 'queue';
  const dead = (await box.messages.deadGroups()).reduce((sum, { count }) => sum + count, 0);
  const held = (await box.messages.list({ state: 'held', limit: COUNTED })).items.length;
  if (dead + held === 0) return { what, level: 'fine', text: 'no message waits for a person' };
  const heldText = `${held === COUNTED ? 'at least ' : ''}${held} held`;
  const text = `${heldText}, ${dead} dead. See: pillarbox queue ls --state held,dead`;
  return { what, level: 'look', text };
}

async function checkMailServer(): Promise<Finding> {
  const what = 'mail server';
  const { smtpUrl } = readConfig(process.env);
  if (smtpUrl === undefined) return { what, level: 'look', text: 'SMTP_URL is not set; nothing can be sent' };
  const { verifySmtp } = await import('../transport/smtp/transport.js');
  const started = performance.now();
  const error = await verifySmtp({ url: smtpUrl, hosts: { allowPrivate: true } });
  if (error) return { what, level: 'act', text: `${error.code} ${error.message}`.trim() };
  const text = `connects and logs in, ${(performance.now() - started).toFixed(0)} ms`;
  return { what, level: 'fine', text };
}
