import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Command } from 'commander';
import { parseMailbox } from '../core/mailbox.js';
import { invalidInput } from '../core/errors.js';
import type { MailInput } from '../outbox/mail-input.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentMessage } from '../presentation/message.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { surroundings } from './surroundings.js';
import { mark, say, sayJson } from './terminal.js';

interface SendFlags extends CommonOptions {
  readonly to: string;
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attach: readonly string[];
  readonly key?: string;
  readonly at?: string;
  readonly expires?: string;
}

export function sendCommand(): Command {
  return withCommon(new Command('send'))
    .description('put a mail into the queue; a worker sends it')
    .requiredOption('--to <address>', 'the recipient: an address, or "Name <address>"')
    .option('--cc <address>', 'also to; may be given several times', collect, [])
    .option('--bcc <address>', 'also to, unseen by the others; may be given several times', collect, [])
    .option('--reply-to <address>', 'where answers go')
    .requiredOption('--subject <text>', 'the subject')
    .option('--text <text>', 'the body as text; @file reads it from a file, @- from standard input')
    .option('--html <html>', 'the body as HTML; @file and @- as above')
    .option('--attach <file>', 'attach a file; may be given several times', collect, [])
    .option('--key <key>', 'idempotency key: the same key never sends twice')
    .option('--at <instant>', 'not before this time, such as 2026-11-16T14:00:00Z')
    .option('--expires <instant>', 'not after this time')
    .action(async (flags: SendFlags) => {
      const mail = await toMail(flags);
      const work = async (box: Pillarbox) => {
        const { id, duplicate } = await box.outbox.enqueue(mail);
        const { state, nextAttemptAt } = presentMessage(await box.messages.get(id));
        if (!flags.json) {
          say(`${mark(state)}  ${id}${duplicate ? '  (this key was known; nothing new was stored)' : ''}`);
        } else if (duplicate) sayJson({ duplicate, id, state });
        else sayJson({ delivered: false, id, state, nextAttemptAt });
      };
      await withBox(flags, work, withSecrets);
    });
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

async function toMail(flags: SendFlags): Promise<MailInput> {
  const { to, cc, bcc, replyTo, subject, text, html, attach, key, at, expires } = flags;
  return {
    to: parseMailbox('to', to),
    ...(cc.length > 0 && { cc: cc.map((each) => parseMailbox('cc', each)) }),
    ...(bcc.length > 0 && { bcc: bcc.map((each) => parseMailbox('bcc', each)) }),
    ...(replyTo !== undefined && { replyTo: parseMailbox('reply-to', replyTo) }),
    subject,
    ...(text !== undefined && { text: await contentOf('text', text) }),
    ...(html !== undefined && { html: await contentOf('html', html) }),
    ...(attach.length > 0 && { attachments: await Promise.all(attach.map(attachmentOf)) }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(at !== undefined && { sendAt: at }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
}

async function contentOf(field: string, value: string): Promise<string> {
  if (!value.startsWith('@')) return value;
  const read = value === '@-' ? readStandardInput : () => readFile(value.slice(1));
  return (await orRefuse(field, read)).toString('utf8');
}

async function readStandardInput(): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of surroundings().stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.zip': 'application/zip',
};

const attachmentOf = async (path: string): Promise<NonNullable<MailInput['attachments']>[number]> => ({
  filename: basename(path),
  contentType: CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
  contentBase64: (await orRefuse('attach', () => readFile(path))).toString('base64'),
});

async function orRefuse(field: string, read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    throw invalidInput(field, `the file cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
}
