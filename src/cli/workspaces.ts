import { Command } from 'commander';
import { formatId, parseId } from '../core/ids.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { presentWorkspace } from '../presentation/workspace.js';
import { addWorkspace, listWorkspaces } from '../store/scripts/workspaces.js';
import { audit } from './audit.js';
import { parseLimit } from './limit.js';
import { parseName } from './name.js';
import { amount, harmless, levelMark, relative, say, sayJson, table } from './terminal.js';
import { withStore } from './with-store.js';

export function workspacesCommand(): Command {
  const workspaces = new Command('workspaces').description(
    'look at the workspaces of this installation, make one',
  );
  workspaces.addCommand(listCommand());
  workspaces.addCommand(createCommand());
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

const createCommand = (): Command =>
  new Command('create')
    .description('make a workspace; what belongs to it is invisible to all others')
    .argument('<name>', 'what to call it', parseName)
    .option('--json', 'print one JSON document and nothing else')
    .action((name: string, { json }: { json?: boolean }) =>
      withStore(async (store) => {
        const now = await store.now();
        const made = await store.transaction(() => addWorkspace(store, name, now));
        if (!made) throw new PillarboxError('conflict', `there is a workspace ${name} already`);
        const target = formatId('workspace', made.id);
        await audit(store, { workspaceId: made.id, action: 'workspace.create', target });
        if (json) sayJson(presentWorkspace(made));
        else {
          const next = `pillarbox keys create --workspace '${name}' --scopes send,read`;
          say(levelMark('fine', harmless(`Made ${name} (${target}). A key for it: ${next}`)));
        }
      }),
    );

function parseCursor(cursor: string | undefined): number {
  const after = cursor === undefined ? 0 : parseId('workspace', cursor);
  if (after === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
  return after;
}
