import { isOfProcess } from '../access/sealed-transport.js';
import { PillarboxError } from '../core/errors.js';
import { listAccounts } from '../store/scripts/account-edits.js';
import { hasMessages } from '../store/scripts/messages.js';
import { readSettings, writeSettings } from '../store/scripts/settings.js';
import { listWorkspaces, lockWorkspace } from '../store/scripts/workspaces.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { SenderName } from './letters/house.js';

/** That a database was made by the demo, and what has to be known to go on with it. */
export interface DemoMark {
  /** Epoch ms; everything that happens is counted from here. */
  readonly bornAt: number;
  /** Where its accounts send to. */
  readonly providerUrl: string;
  /** Account ids. Null: whoever loaded it did not come to an end. */
  readonly accounts: Readonly<Record<SenderName, string>> | null;
  /** These are there, or somebody is about to make them. */
  readonly campaigns?: true;
  readonly notices?: true;
}

const NAME = 'demo';

export function* readMark(store: Store, workspaceId: number): Script<DemoMark | undefined> {
  return (yield* readSettings(store, workspaceId, NAME)) as DemoMark | undefined;
}

export function* writeMark(store: Store, workspaceId: number, mark: DemoMark): Script<void> {
  yield* writeSettings(store, workspaceId, NAME, mark);
}

/** Why there can be no demo here; undefined: the database is as empty as a first start leaves it. */
export function* whyNotEmpty(store: Store, workspaceId: number): Script<string | undefined> {
  if (yield* readMark(store, workspaceId)) return 'the demo data is here already';
  if (yield* hasMessages(store)) return 'there are messages in it';
  if ((yield* listWorkspaces(store, { after: 0, limit: 2 })).length > 1)
    return 'there is more than one workspace in it';
  const accounts = yield* listAccounts(store, workspaceId, 0, 2);
  // Somebody's own account would be kept from sending for as long as the demo is in use.
  return accounts.every(isOfProcess) ? undefined : 'there is an account in it that somebody has set up';
}

/** The first to mark an empty database loads it; throws `conflict` for everybody else. */
export function* claimEmpty(store: Store, workspaceId: number, mark: DemoMark): Script<void> {
  yield* lockWorkspace(store, workspaceId);
  const why = yield* whyNotEmpty(store, workspaceId);
  if (why !== undefined) {
    throw new PillarboxError('conflict', `demo data goes only into an empty database: ${why}`);
  }
  yield* writeMark(store, workspaceId, mark);
}

/** Where its accounts send to from now on. */
export function* moveTo(store: Store, workspaceId: number, providerUrl: string): Script<void> {
  yield* lockWorkspace(store, workspaceId);
  const mark = yield* readMark(store, workspaceId);
  if (mark) yield* writeMark(store, workspaceId, { ...mark, providerUrl });
}

/** True for the first who asks, in whatever process: he makes them. */
export function* claimPart(
  store: Store,
  workspaceId: number,
  part: 'campaigns' | 'notices',
): Script<boolean> {
  yield* lockWorkspace(store, workspaceId);
  const mark = yield* readMark(store, workspaceId);
  if (!mark || mark[part]) return false;
  yield* writeMark(store, workspaceId, { ...mark, [part]: true });
  return true;
}
