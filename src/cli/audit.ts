import { anonymous, anonymousTarget } from '../core/audit-details.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { writeAudit } from '../store/scripts/audit.js';
import type { Store } from '../store/store.js';

/** Who acts here, as histories name him. */
export const COMMAND_LINE = 'command line';

/** The same for an action that names a person, or says something in words. */
export async function auditPersonal(
  { store, home, personHash }: Pillarbox,
  { action, target, body }: { readonly action: string; readonly target: string; readonly body?: object },
): Promise<void> {
  const hashOf = await personHash.tryMake();
  const details = body && { body: anonymous(body, hashOf) };
  await audit(store, {
    workspaceId: home.id,
    action,
    target: anonymousTarget(target, hashOf),
    ...(details && { details }),
  });
}

/** What is decided here stands in the audit log like anybody's actions. */
export async function audit(
  store: Store,
  action: {
    readonly workspaceId: number;
    readonly action: string;
    readonly target: string | null;
    readonly details?: unknown;
  },
): Promise<void> {
  const now = await store.now();
  await store.transaction(() => writeAudit(store, { actor: COMMAND_LINE, ...action }, now));
}
