import { noteDeed } from '../store/scripts/audit.js';
import type { Store } from '../store/store.js';

const COMMAND_LINE = 'command line';

/** What is decided here stands in the audit log like anybody's deeds. */
export async function noteDone(
  store: Store,
  deed: {
    readonly workspaceId: number;
    readonly action: string;
    readonly target: string | null;
    readonly details?: unknown;
  },
): Promise<void> {
  await store.transaction(noteDeed(store, { actor: COMMAND_LINE, ...deed }, await store.now()));
}
