import { Command, InvalidArgumentError } from 'commander';
import { Keyring, type ListedKey } from '../access/keyring.js';
import { SCOPES, type Scope } from '../core/access.js';
import { formatId, parseId } from '../core/ids.js';
import { parseInstant } from '../core/instant.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { presentKey } from '../presentation/key.js';
import { parseLimit } from './limit.js';
import { parseName } from './name.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, relative, say, sayAside, sayJson, table } from './terminal.js';
import { withStore } from './with-store.js';

interface Flags {
  readonly json?: boolean;
}

/** Keys of the whole installation: whoever can open its database runs it. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('make, revoke and list API keys');
  keys.addCommand(createCommand());
  keys.addCommand(revokeCommand());
  keys.addCommand(listCommand());
  return keys;
}

const createCommand = (): Command =>
  new Command('create')
    .description('make a key and print it; nobody can read it again')
    .requiredOption('--workspace <name>', 'whose it is; made if there is none of that name', parseName)
    .requiredOption(
      '--scopes <scopes>',
      `what it may do, separated by commas: ${SCOPES.join(', ')}`,
      parseScopes,
    )
    .option('--name <name>', 'what to call it in lists', parseName, 'command line')
    .option('--expires <when>', 'from when on it is refused: 90d, 12h, 30m, or an ISO instant', parseExpiry)
    .option('--json', 'print one JSON document and nothing else')
    .action((flags: Flags & { workspace: string; scopes: Scope[]; name: string; expires?: Expiry }) =>
      withStore(async (store) => {
        const { key, ...issued } = await new Keyring(store).issue(flags);
        if (flags.json) {
          sayJson({ ...presentKey(issued), key });
          return;
        }
        say(key);
        // Beside the data, so that a script can take the key as it is.
        const { expiresAt } = issued;
        const until = expiresAt === null ? '' : `, until ${new Date(expiresAt).toISOString()},`;
        const may = `It may ${flags.scopes.join(', ')} in ${flags.workspace}${until} and is shown only now.`;
        sayAside(harmless(`${may} End it: pillarbox keys revoke ${idOf(issued)}`));
      }),
    );

const revokeCommand = (): Command =>
  new Command('revoke')
    .description('end a key at once, everywhere')
    .argument('<id>', 'the id of the key, see "keys ls"')
    .option('--json', 'print one JSON document and nothing else')
    .action((given: string, { json }: Flags) =>
      withStore(async (store) => {
        const id = parseId('key', given);
        const revoked = id === undefined ? undefined : await new Keyring(store).revoke(id);
        if (!revoked) {
          throw new PillarboxError('not_found', `there is no key ${given.slice(0, 40)}, or it was revoked`);
        }
        if (json) sayJson(presentKey(revoked));
        else
          say(levelMark('fine', harmless(`Revoked ${revoked.name}: the next request with it is refused.`)));
      }),
    );

const listCommand = (): Command =>
  new Command('ls')
    .description('list keys that are not revoked, newest first')
    .option('--workspace <name>', 'only of this workspace')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .option('--json', 'print one JSON document and nothing else')
    .action(
      ({ json, workspace, limit, cursor }: Flags & { workspace?: string; limit: number; cursor?: string }) =>
        withStore(async (store) => {
          const items = await new Keyring(store).list(workspace, parseCursor(cursor), limit);
          const last = items.length === limit ? items.at(-1) : undefined;
          if (json) {
            sayJson({ items: items.map(presentKey), nextCursor: last ? idOf(last) : null });
          } else if (items.length === 0) {
            say('There are no keys. Make one: pillarbox keys create --workspace default --scopes send,read');
          } else {
            say(table(items, columns(items, await store.now())));
            const older = last ? `Older: --cursor ${idOf(last)}   ` : '';
            say(`${amount(items.length, 'key')} shown. ${older}End one: pillarbox keys revoke ID`);
          }
        }),
    );

const columns = (items: readonly ListedKey[], now: number): Column<ListedKey>[] => [
  { title: 'NAME', text: ({ name }) => harmless(name), gives: { order: 2, least: 12 } },
  {
    title: 'WORKSPACE',
    text: ({ workspaceName }) => harmless(workspaceName),
    gives: { order: 1, least: 12 },
  },
  { title: 'MAY', text: ({ scopes }) => scopes.join(', ') },
  { title: 'KEY', text: ({ hint }) => harmless(hint), gives: { order: 3, least: 0 } },
  { title: 'USED', text: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : relative(lastUsedAt, now)) },
  ...(items.some(({ expiresAt }) => expiresAt !== null) ? [expiry(now)] : []),
  { title: 'ID', text: idOf },
];

const expiry = (now: number): Column<ListedKey> => ({
  title: 'EXPIRES',
  text: ({ expiresAt }) => (expiresAt === null ? 'never' : relative(expiresAt, now)),
});

function idOf({ id }: { readonly id: number }): string {
  return formatId('key', id);
}

function parseCursor(cursor: string | undefined): number {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : parseId('key', cursor);
  if (before === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
  return before;
}

type Expiry = (now: number) => number;

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

function parseExpiry(text: string): Expiry {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([dhm])$/.exec(text) ?? [];
  if (count !== undefined) return (now) => now + Number(count) * (UNIT_MS[unit] ?? 0);
  const parsed = parseInstant(text);
  if ('fault' in parsed) throw new InvalidArgumentError('Give 90d, 12h, 30m, or 2026-11-16T14:00:00Z.');
  return () => parsed.instant;
}

function parseScopes(text: string): Scope[] {
  const scopes = text.split(',').map((word) => {
    const scope = SCOPES.find((each) => each === word.trim());
    if (!scope) throw new InvalidArgumentError(`There are ${SCOPES.join(', ')}.`);
    return scope;
  });
  return [...new Set(scopes)];
}
