import { Command } from 'commander';
import type { Caught, Inbox } from '../catcher/inbox.js';
import type { MailParts } from '../catcher/mail-parts.js';
import { presentCaught, presentCaughtMail } from '../presentation/caught.js';
import type { CaughtMail } from '../store/scripts/caught.js';
import { parseLimit } from './limit.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, relative, say, sayJson, table } from './terminal.js';
import { withStore } from './with-store.js';

interface Flags {
  readonly json?: boolean;
}

/** What the catcher took. */
export function inboxCommand(): Command {
  const inbox = new Command('inbox').description('look at what the catcher took');
  inbox.addCommand(listCommand());
  inbox.addCommand(showCommand());
  inbox.addCommand(clearCommand());
  return inbox;
}

const listCommand = (): Command =>
  new Command('ls')
    .description('list caught mails, newest first')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .option('--json', 'print one JSON document and nothing else')
    .action(({ json, ...page }: Flags & { limit: number; cursor?: string }) =>
      withInbox(async (inbox, now) => {
        const { items, nextCursor } = await inbox.list(page);
        if (json) {
          const of = { total: await inbox.count(), smtpUrl: inbox.smtpUrl ?? null };
          sayJson({ items: items.map(presentCaught), nextCursor, ...of });
        } else if (items.length === 0) say('The inbox is empty. Catch mail: pillarbox catcher');
        else {
          say(table(items, columns(now)));
          const older = nextCursor === null ? '' : `Older: --cursor ${nextCursor}   `;
          say(`${items.length} shown. ${older}Read one: pillarbox inbox show ID`);
        }
      }),
    );

const columns = (now: number): Column<Caught>[] => [
  {
    title: 'TO',
    text: ({ recipients }) => harmless(recipients.join(', ')),
    gives: { order: 2, least: 12 },
  },
  { title: 'SUBJECT', text: ({ subject }) => harmless(subject), gives: { order: 1, least: 12 } },
  { title: 'WHEN', text: ({ receivedAt }) => relative(receivedAt, now) },
  { title: 'ID', text: ({ id }) => id },
];

const showCommand = (): Command =>
  new Command('show')
    .description('show one caught mail')
    .argument('<id>', 'the id of the mail')
    .option('--raw', 'the bytes as they came, and nothing else')
    .option('--json', 'print one JSON document and nothing else')
    .action((id: string, { json, raw }: Flags & { raw?: boolean }) =>
      withInbox(async (inbox) => {
        const mail = await inbox.read(id);
        if (raw) surroundings().stdout.write(mail.raw);
        else if (json) {
          const { countRemoteImages } = await import('../presentation/remote-images.js');
          sayJson(presentCaughtMail(mail, countRemoteImages(mail.html)));
        } else sayMail(mail);
      }),
    );

const clearCommand = (): Command =>
  new Command('clear')
    .description('forget all caught mails')
    .option('--json', 'print one JSON document and nothing else')
    .action(({ json }: Flags) =>
      withInbox(async (inbox) => {
        const done = await inbox.clear();
        if (json) sayJson({ done });
        else say(`${amount(done, 'mail')} forgotten.`);
      }),
    );

function sayMail(mail: Caught<CaughtMail> & MailParts): void {
  const { sender, recipients, headers, text, html, calendar, attachments } = mail;
  say(harmless(`envelope  from ${sender || '<>'} to ${recipients.join(', ')}`));
  for (const { name, value } of headers) say(harmless(`${name}: ${value}`));
  const body = text ?? html;
  if (body !== undefined) say(`\n${body.split(/\r?\n/).map(harmless).join('\n').trimEnd()}`);
  if (calendar) say(`\ncalendar  ${harmless(calendar.method ?? '')}`);
  for (const { filename, contentType, size } of attachments) {
    say(harmless(`attached  ${filename ?? 'without a name'}  ${contentType}  ${amount(size, 'byte')}`));
  }
}

const withInbox = (work: (inbox: Inbox, now: number) => Promise<void>): Promise<void> =>
  withStore(async (store) => {
    const { Inbox } = await import('../catcher/inbox.js');
    await work(new Inbox(store), await store.now());
  });
