import { Command, Option } from 'commander';
import { canonicalAddress } from '../core/address.js';
import { PillarboxError } from '../core/errors.js';
import { parseMailbox } from '../core/mailbox.js';
import { LANES, type Lane } from '../core/message.js';
import { SUPPRESSION_REASONS, type Suppression, type SuppressionReason } from '../core/suppression.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentAdded, presentListed, presentWillingness } from '../presentation/suppression.js';
import { auditPersonal } from './audit.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import type { Column } from './table.js';
import { harmless, levelMark, relative, say, sayJson, table } from './terminal.js';

interface ListFlags extends CommonOptions {
  readonly q?: string;
  readonly reason?: SuppressionReason;
  readonly limit: number;
  readonly cursor?: string;
}

export function suppressionsCommand(): Command {
  const suppressions = new Command('suppressions').description(
    'look at the addresses that are not written to, and decide about them',
  );
  for (const command of [listCommand(), addCommand(), removeCommand(), askCommand()])
    suppressions.addCommand(command);
  return suppressions;
}

interface AddFlags extends CommonOptions {
  readonly reason: SuppressionReason;
  readonly lane?: Lane[];
  readonly note?: string;
}

const COMMAND_LINE = 'command line';

type NewSuppression = Parameters<Pillarbox['suppressions']['add']>[0];

/** Nothing more goes there; what waits is cancelled, and it stands in the audit log. */
export async function addSuppression(box: Pillarbox, suppression: NewSuppression) {
  const { email } = parseMailbox('address', suppression.email);
  const added = await box.suppressions.add({ ...suppression, email }, COMMAND_LINE);
  await auditPersonal(box, { action: 'suppression.create', target: email });
  const waited =
    added.cancelled === 0
      ? ''
      : ` ${String(added.cancelled)} waiting ${added.cancelled === 1 ? 'mail was' : 'mails were'} cancelled.`;
  const text = `Nothing more goes to ${added.address}.${waited} Undo: pillarbox suppressions rm ${added.address}`;
  return { text, added };
}

/** Whatever the reason: whoever calls this has the database in his hands. False: it was not on the list. */
export async function removeSuppression(box: Pillarbox, address: string): Promise<boolean> {
  const removed = await box.unsuppress(address);
  if (removed) await auditPersonal(box, { action: 'suppression.delete', target: address });
  return removed;
}

const addCommand = (): Command =>
  withCommon(new Command('add'))
    .description('write to an address no more; what waits for it is cancelled')
    .argument('<address>')
    .addOption(
      new Option('--reason <reason>', 'why').choices([...SUPPRESSION_REASONS]).default('manual' as const),
    )
    .addOption(new Option('--lane <lane...>', 'only in these lanes').choices([...LANES]))
    .option('--note <text>', 'what was said, for the record')
    .action((address: string, { json, reason, lane, note, ...flags }: AddFlags) =>
      withBox(
        flags,
        async (box) => {
          const { text, added } = await addSuppression(box, { email: address, reason, lanes: lane, note });
          if (json) sayJson(presentAdded(added));
          else say(levelMark('fine', harmless(text)));
        },
        withSecrets,
      ),
    );

interface RemoveFlags extends CommonOptions {
  readonly confirm?: string;
}

const removeCommand = (): Command =>
  withCommon(new Command('rm'))
    .description('take an address off the list; who has complained only with the address once more')
    .argument('<address>')
    .option('--confirm <address>', 'the address once more, for one who has complained')
    .action((address: string, { json, confirm, ...flags }: RemoveFlags) =>
      withBox(
        flags,
        async (box) => {
          const known = await box.suppressions.ask(address);
          const isComplaint = known.lanes.some(({ reason }) => reason === 'complaint');
          if (isComplaint && (confirm === undefined || canonicalAddress(confirm) !== known.address))
            throw new PillarboxError(
              'conflict',
              `${known.address} has complained: give the address once more as --confirm`,
              { field: 'confirm' },
            );
          if (!(await removeSuppression(box, address)))
            throw new PillarboxError('not_found', `${known.address} is not on the suppression list`);
          if (json) sayJson({ email: known.address, removed: true });
          else say(levelMark('fine', harmless(`${known.address} may be written to again.`)));
        },
        withSecrets,
      ),
    );

const askCommand = (): Command =>
  withCommon(new Command('ask'))
    .description('whether we would write to an address, lane by lane, and if not, why not')
    .argument('<address>')
    .action((address: string, { json, ...flags }: CommonOptions) =>
      withBox(
        flags,
        async (box) => {
          const answer = presentWillingness(await box.suppressions.ask(address));
          if (json) {
            sayJson(answer);
            return;
          }
          say(harmless(answer.sentence));
          for (const { lane, writes, because } of answer.lanes)
            say(levelMark(writes ? 'fine' : 'look', `${lane}: ${writes ? 'yes' : 'no'}, ${because}`));
        },
        withSecrets,
      ),
    );

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
          sayJson({ items: items.map(presentListed), nextCursor });
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
        say(`${String(items.length)} shown.${more} Write to one again: pillarbox suppressions rm ADDRESS`);
      }),
    );

const columns = (now: number): Column<Suppression>[] => [
  { title: 'ADDRESS', text: ({ address }) => harmless(address), gives: { order: 1, least: 12 } },
  { title: 'WHY', text: ({ reason }) => reason },
  { title: 'LANES', text: ({ lanes }) => lanes?.join(', ') ?? 'all' },
  { title: 'SINCE', text: ({ createdAt }) => relative(createdAt, now) },
];
