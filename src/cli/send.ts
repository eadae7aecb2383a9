import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { MailInput } from '../outbox/mail-input.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { mark, say, sayJson } from './terminal.js';

interface SendFlags extends CommonOptions {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly key?: string;
  readonly at?: string;
}

export function sendCommand(): Command {
  return withCommon(new Command('send'))
    .description('put a mail into the queue; a worker sends it')
    .requiredOption('--to <address>', 'the recipient')
    .requiredOption('--subject <text>', 'the subject')
    .option('--text <text>', 'the body as text; @file reads it from a file, @- from standard input')
    .option('--html <html>', 'the body as HTML; @file reads it from a file')
    .option('--key <key>', 'idempotency key: the same key never sends twice')
    .option('--at <instant>', 'not before this time, such as 2026-11-16T14:00:00Z')
    .action((flags: SendFlags) =>
      withBox(flags, async (box) => {
        const mail: MailInput = {
          to: flags.to,
          subject: flags.subject,
          ...(flags.text !== undefined && { text: contentOf(flags.text) }),
          ...(flags.html !== undefined && { html: contentOf(flags.html) }),
          ...(flags.key !== undefined && { idempotencyKey: flags.key }),
          ...(flags.at !== undefined && { sendAt: flags.at }),
        };
        const { id, duplicate } = await box.outbox.enqueue(mail);
        const { state } = await box.messages.get(id);
        if (flags.json) sayJson({ id, duplicate, state });
        else say(`${mark(state)}  ${id}${duplicate ? '  (this key was known; nothing new was stored)' : ''}`);
      }),
    );
}

const STANDARD_INPUT = 0;

const contentOf = (value: string): string =>
  value.startsWith('@') ? readFileSync(value === '@-' ? STANDARD_INPUT : value.slice(1), 'utf8') : value;
