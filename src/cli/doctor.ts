import { Command } from 'commander';
import { readConfig } from '../config.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { harmless, levelMark, say, sayJson, type Level } from './terminal.js';
import { verifySmtp } from '../transport/smtp/transport.js';

interface Finding {
  readonly what: string;
  readonly level: Level;
  readonly text: string;
}

const EXIT_VIOLATIONS = 3;

/** Tries everything a worker needs, without sending a mail. */
export function doctorCommand(): Command {
  return withCommon(new Command('doctor'))
    .description('check database and mail server without sending anything')
    .action(async (flags: CommonOptions) => {
      const findings = [await checkDatabase(flags), await checkMailServer()];
      const faults = findings.filter(({ level }) => level === 'act').length;
      const looks = findings.filter(({ level }) => level === 'look').length;
      if (flags.json) sayJson({ findings, faults });
      else {
        for (const { what, level, text } of findings)
          say(levelMark(level, `${what.padEnd(12)}${harmless(text)}`));
        say(
          faults + looks === 0
            ? 'All is well.'
            : `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${looks} to look at.`,
        );
      }
      if (faults > 0) process.exitCode = EXIT_VIOLATIONS;
    });
}

async function checkDatabase(flags: CommonOptions): Promise<Finding> {
  const what = 'database';
  try {
    return await withBox(flags, async (box) => {
      const { product, roundTripMs } = await box.ping();
      return { what, level: 'fine', text: `${product}, round trip ${roundTripMs.toFixed(1)} ms` };
    });
  } catch (error) {
    return { what, level: 'act', text: error instanceof Error ? error.message : String(error) };
  }
}

async function checkMailServer(): Promise<Finding> {
  const what = 'mail server';
  const { smtpUrl } = readConfig(process.env);
  if (smtpUrl === undefined) return { what, level: 'look', text: 'SMTP_URL is not set; nothing can be sent' };
  const started = performance.now();
  const error = await verifySmtp({ url: smtpUrl, hosts: { allowPrivate: true } });
  if (error) return { what, level: 'act', text: `${error.code} ${error.message}` };
  return {
    what,
    level: 'fine',
    text: `connects and logs in, ${(performance.now() - started).toFixed(0)} ms`,
  };
}
