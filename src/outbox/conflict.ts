import { PillarboxError } from '../core/errors.js';
import type { Enqueued } from '../store/store.js';
import type { FrozenMail } from './freeze.js';

export const CONFLICT = 'idempotencyKey: was used before, for a mail with different content';

/** The key is known, and stands for another mail. */
export const conflicts = (enqueued: Enqueued, frozen: FrozenMail): boolean =>
  enqueued.duplicate && enqueued.bodyHash !== null && enqueued.bodyHash !== frozen.hash;

export function refuseConflict(enqueued: Enqueued, frozen: FrozenMail): void {
  if (conflicts(enqueued, frozen)) {
    throw new PillarboxError('idempotency_conflict', CONFLICT, { field: 'idempotencyKey' });
  }
}
