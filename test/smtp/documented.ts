import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** What stands beside this, in the tables of docs/operations.md about servers that are far away. */
function beside(first: string): string {
  const row = TEXT.split('\n').find((line) => line.startsWith(`| ${first} `));
  if (row === undefined) throw new Error(`docs/operations.md has no row that begins with ${first}`);
  return row.split('|')[2] ?? '';
}

/** Turns of the line until the server has a first mail over such a connection. */
export const documentedTurns = (connection: string): number => Number(beside(connection).replace('−', '-'));

/** Behind those that a connection has in the air, so many mails may be in doubt if the worker is killed. */
export const documentedBehindEach = (server: 'near' | 'far'): number =>
  Number(
    /`maxConnections` × \(`mailsInFlight` \+ (\d)\)/.exec(
      beside(`a worker is killed, server ${server}`),
    )?.[1],
  );
