import { Command } from 'commander';
import { formatId, parseId } from '../core/ids.js';
import { invalidInput } from '../errors.js';
import { presentWorkspace } from '../presentation.js';
import { listWorkspaces } from '../store/scripts/workspaces.js';
import { parseLimit } from './limit.js';
import { amount, harmless, relative, say, sayJson, table } from './terminal.js';
import { withStore } from './with-store.js';

export function workspacesCommand(): Command {
  const workspaces = new Command('workspaces').description('look at the workspaces of this installation');
  workspaces.addCommand(listCommand());
  return workspaces;
}

const listCommand = (): Command =>
  new Command('ls')
    .description('list workspaces, oldest first')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .option('--json', 'print one JSON document and nothing else')
    .action(({ json, limit, cursor }: { json?: boolean; limit: number; cursor?: string }) =>
      withStore(async (store) => {
        const items = await store.read(listWorkspaces(store, { after: parseCursor(cursor), limit }));
        const last = items.length === limit ? items.at(-1) : undefined;
        const nextCursor = last ? formatId('workspace', last.id) : null;
        if (json) {
          sayJson({ items: items.map(presentWorkspace), nextCursor });
          return;
        }
        if (items.length === 0) {
          say('There is no workspace yet; the first start makes one: pillarbox serve');
          return;
        }
        const now = await store.now();
        say(
          table(items, [
            { title: 'NAME', text: ({ name }) => harmless(name), gives: { order: 1, least: 12 } },
            { title: 'MADE', text: ({ createdAt }) => relative(createdAt, now) },
            { title: 'ID', text: ({ id }) => formatId('workspace', id) },
          ]),
        );
        const more = nextCursor === null ? '' : `More: --cursor ${nextCursor}   `;
        say(
          `${amount(items.length, 'workspace')} shown. ${more}Its keys: pillarbox keys ls --workspace NAME`,
        );
      }),
    );

function parseCursor(cursor: string | undefined): number {
  const after = cursor === undefined ? 0 : parseId('workspace', cursor);
  if (after === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
  return after;
}
