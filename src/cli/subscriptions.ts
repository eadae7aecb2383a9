import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { invalidInput } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../core/subscription.js';
import { presentSubscription } from '../presentation/subscription.js';
import type { Subscription } from '../store/scripts/subscriptions.js';
import { audit } from './audit.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, relative, say, sayAside, sayJson, table } from './terminal.js';

const SHOWN_LINES = 10;

export function subscriptionsCommand(): Command {
  const subscriptions = new Command('subscriptions').description(
    'look at who wants to be told of what, and import them',
  );
  subscriptions.addCommand(importCommand());
  subscriptions.addCommand(listCommand());
  return subscriptions;
}

interface ImportFlags extends CommonOptions {
  readonly topic?: string;
}

const importCommand = (): Command =>
  withCommon(new Command('import'))
    .description('import a CSV file; known ones are updated, bad lines are left out and told')
    .argument('<file>', 'the file, or - for standard input')
    .option('--topic <topic>', 'of lines that name none')
    .addHelpText(
      'after',
      `
The first line names the columns: topic, email (or contactType and contactValue), name, locale, timezone, status, notifyOn
(with | between values), maxNotifications, startMinutes, endMinutes, snoozeUntil. Whoever has ended a subscription stays so
until he confirms. Exit 2: the file can't be read as it is.`,
    )
    .action((file: string, { json, topic, ...flags }: ImportFlags) =>
      withBox(
        flags,
        async (box) => {
          if (file !== '-') await refuseUnreadable(file);
          const source = file === '-' ? surroundings().stdin : createReadStream(file);
          const report = await box.subscriptions.import(source, { topic }, 'command line');
          await audit(box.store, { workspaceId: box.home.id, action: 'subscriptions.import', target: null });
          if (json) {
            sayJson(report);
            return;
          }
          const { imported, updated, rejected, rejectedTotal } = report;
          const figures = [imported, updated, rejectedTotal].map((n) => n.toLocaleString('en-US'));
          const words = `Imported ${String(figures[0])}, updated ${String(figures[1])}, left out ${String(figures[2])}.`;
          say(levelMark(rejectedTotal > 0 ? 'look' : 'fine', words));
          for (const { line, reason } of rejected.slice(0, SHOWN_LINES))
            sayAside(harmless(`line ${line.toLocaleString('en-US')}: ${reason}`));
        },
        withSecrets,
      ),
    );

async function refuseUnreadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch (error) {
    throw invalidInput('file', `${file} cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
}

interface ListFlags extends CommonOptions {
  readonly topic?: string;
  readonly status?: SubscriptionStatus;
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list subscriptions, newest first')
    .option('--topic <topic>', 'only of this topic')
    .addOption(new Option('--status <status>', 'only with this status').choices([...SUBSCRIPTION_STATUSES]))
    .option('--q <text>', 'only those whose address begins so')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, topic, status, q, limit, cursor, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { items, nextCursor } = await box.subscriptions.list({ topic, status, q, limit, cursor });
        if (json) {
          sayJson({ items: (await box.subscriptions.views(items)).map(presentSubscription), nextCursor });
          return;
        }
        if (items.length === 0) {
          say('No such subscription. Import some: pillarbox subscriptions import FILE');
          return;
        }
        say(table(items, columns(await box.now())));
        say(
          `${amount(items.length, 'subscription')} shown.${nextCursor === null ? '' : ` More: --cursor ${nextCursor}`}`,
        );
      }),
    );

const columns = (now: number): Column<Subscription>[] => [
  {
    title: 'CONTACT',
    text: ({ contact, contactGiven }) => harmless(contactGiven ?? contact),
    gives: { order: 2, least: 12 },
  },
  { title: 'TOPIC', text: ({ topic }) => harmless(topic), gives: { order: 1, least: 8 } },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'SINCE', text: ({ createdAt }) => relative(createdAt, now) },
  { title: 'ID', text: ({ id }) => formatId('subscription', id) },
];
