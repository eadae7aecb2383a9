import type { Lane } from '../../core/message.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** One lane of one account: what is claimed and counted by. */
export interface Channel {
  readonly id: number;
  readonly accountId: number;
  readonly lane: Lane;
}

export function* listChannels({ db }: Store, workspaceId: number): Script<readonly Channel[]> {
  return yield* ask(
    db
      .selectFrom('channels')
      .select(['id', 'account_id as accountId', 'lane'])
      .where('workspace_id', '=', workspaceId),
  );
}

/** What a worker must know of a channel to give it its turn. */
export interface WorkedChannel extends Channel {
  readonly workspaceId: number;
}

/** Those of these that are there, of whatever workspace. */
export function* readChannels(
  store: Store,
  ids: readonly number[],
): Script<ReadonlyMap<number, WorkedChannel>> {
  const rows = yield* ask(
    store.db
      .selectFrom('channels')
      .select(['id', 'account_id as accountId', 'workspace_id as workspaceId', 'lane'])
      .where((eb) => among(store, eb.ref('id'), ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
