import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Caught } from '../catcher/inbox.js';
import { PillarboxError } from '../core/errors.js';
import { silent } from '../log/log.js';
import { toldToStop } from './signals.js';
import { amount, harmless, levelMark, say, sayAside, sayJson } from './terminal.js';
import { withStore } from './with-store.js';

const USUAL_PORT = 2525;

interface CatcherFlags {
  readonly port: number;
  readonly json?: boolean;
  readonly starttls: boolean;
  readonly certificate?: string;
}

export function catcherCommand(): Command {
  return new Command('catcher')
    .description('an SMTP server for development: takes every mail, shows it, delivers none')
    .option('--port <n>', 'where to listen on 127.0.0.1; 0 takes any free port', parsePort, USUAL_PORT)
    .option(
      '--no-starttls',
      'do not offer STARTTLS, for clients that take it and trust no certificate of ours',
    )
    .option(
      '--certificate <file>',
      'write the certificate there, for clients that verify; made at every start',
    )
    .option('--json', 'print one JSON document, when it stops, and nothing else')
    .addHelpText('after', TAGS)
    .action(({ port: wanted, json, starttls: startTls, certificate: file }: CatcherFlags) => {
      const tell = json ? sayAside : say;
      const stopped = toldToStop(silent);
      return withStore(async (store) => {
        const { startCatcher } = await import('../catcher/catcher.js');
        let caught = 0;
        const catcher = await startCatcher({
          store,
          port: wanted,
          startTls,
          log: { ...silent, error: (_facts, text) => sayAside(levelMark('act', text)) },
          onCaught: (mail) => {
            caught += 1;
            tell(lineOf(mail));
          },
        });
        const { port, url, certificate } = catcher;
        if (file !== undefined) await writeCertificate(file, certificate, () => catcher.close());
        tell(levelMark('fine', `Catching mail. SMTP_URL=${url}   Stop: Ctrl-C`));
        await stopped;
        await catcher.close();
        if (json) sayJson({ url, port, caught });
        else say(`${amount(caught, 'mail')} caught. See them: pillarbox inbox ls`);
      });
    });
}

async function writeCertificate(file: string, pem: string, undo: () => Promise<void>): Promise<void> {
  try {
    await writeFile(file, pem);
  } catch (error) {
    await undo();
    const { code = 'unknown' } = error as { code?: string };
    throw new PillarboxError('invalid_config', `--certificate: ${file} cannot be written (${code})`);
  }
}

const TAGS = `
A recipient can ask for trouble by what follows the + in its address:
  ada+550@…      this recipient is refused so; any code from 400 to 599
  ada+data554@…  the whole mail is refused so, after its last byte
  ada+drop@…     hangs up after the mail was taken, without an answer
  ada+cut@…      hangs up before it was taken
  ada+slow@…     takes 5 seconds to answer; +slow30 takes 30`;

function lineOf({ id, receivedAt, sender, recipients, subject, size }: Caught): string {
  const [first = '', ...others] = recipients;
  const to = others.length === 0 ? first : `${first} and ${others.length} more`;
  const time = new Date(receivedAt).toISOString().slice(11, 19);
  return harmless(`${time}  ${id}  ${sender || '<>'} to ${to}  ${amount(size, 'byte')}  ${subject}`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('give a port from 0 to 65535');
  return port;
}
