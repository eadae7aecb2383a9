import { Command, Option } from 'commander';
import { SUPPRESSION_REASONS, type Suppression, type SuppressionReason } from '../core/suppression.js';
import { presentSuppression } from '../presentation/suppression.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import type { Column } from './table.js';
import { harmless, relative, say, sayJson, table } from './terminal.js';

interface ListFlags extends CommonOptions {
  readonly q?: string;
  readonly reason?: SuppressionReason;
  readonly limit: number;
  readonly cursor?: string;
}

export function suppressionsCommand(): Command {
  const suppressions = new Command('suppressions').description(
    'look at the addresses that are not written to',
  );
  suppressions.addCommand(listCommand());
  return suppressions;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list addresses that are not written to, in the order of the addresses')
    .option('--q <text>', 'only those that begin so')
    .addOption(new Option('--reason <reason>', 'only for this reason').choices([...SUPPRESSION_REASONS]))
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { q, reason, limit, cursor } = flags;
        const { items, nextCursor } = await box.suppressions.list({ q, reason, limit, cursor });
        if (json) {
          sayJson({ items: items.map(presentSuppression), nextCursor });
          return;
        }
        if (items.length === 0 && nextCursor === null) {
          say(
            q === undefined && reason === undefined
              ? 'Nobody is suppressed.'
              : 'No such address is suppressed.',
          );
          return;
        }
        if (items.length > 0) say(table(items, columns(await box.now())));
        const more = nextCursor === null ? '' : ` More: --cursor ${harmless(nextCursor)}  `;
        say(`${String(items.length)} shown.${more} Write to one again: pillarbox unsuppress ADDRESS`);
      }),
    );

const columns = (now: number): Column<Suppression>[] => [
  { title: 'ADDRESS', text: ({ address }) => harmless(address), gives: { order: 1, least: 12 } },
  { title: 'WHY', text: ({ reason }) => reason },
  { title: 'LANES', text: ({ lanes }) => lanes?.join(', ') ?? 'all' },
  { title: 'SINCE', text: ({ createdAt }) => relative(createdAt, now) },
];
