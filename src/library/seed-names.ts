import { PillarboxError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import type { Action } from '../core/message.js';
import type { Guard } from '../guard/guard.js';
import type { Pillarbox } from './pillarbox.js';

/*
 * Questions about what may leave, under the names that schedulers have given them for years. They are answered by what
 * decides when mail leaves, from what has been counted there.
 */

/** How much guarded mail of a workspace has left on the local day of this instant, is under way or in doubt. */
export async function getDailySentCount(box: Pillarbox, workspaceId: string, date: Date): Promise<number> {
  const guard = await guardOf(box, workspaceId);
  return (await guard.quota({ date: await guard.dateOf(date.getTime()) })).sent;
}

/** How much more may leave on that day, over all accounts of the workspace. */
export async function getRemainingQuota(box: Pillarbox, workspaceId: string, date: Date): Promise<number> {
  const guard = await guardOf(box, workspaceId);
  return (await guard.quota({ date: await guard.dateOf(date.getTime()) })).remaining;
}

/**
 * The first instant from there on at which an account of the workspace may send one more mail, with all that waits as
 * taken. Throws `invalid_input` where there is none in the next years.
 */
export async function getNextAvailableSlot(
  box: Pillarbox,
  workspaceId: string,
  afterDate: Date,
): Promise<Date> {
  const slot = await (await guardOf(box, workspaceId)).nextSlot(afterDate.getTime());
  if (slot === undefined) {
    throw new PillarboxError('invalid_input', 'no account of this workspace has a slot in the next years');
  }
  return new Date(slot);
}

export type DailyCap =
  | { readonly canSend: true }
  /** `nextTime`: null if there is none in the next years. */
  | { readonly canSend: false; readonly reason: string; readonly nextTime: Date | null };

/** Whether an account may do one more of an action today, and if not, when. */
export async function checkDailyCapForAccount(
  box: Pillarbox,
  accountId: string,
  actionType: Action = 'email',
): Promise<DailyCap> {
  const { limit, used } = await box.guard.capacity(accountId, { action: actionType });
  if (used < limit) return { canSend: true };
  const next = await box.guard.nextSlot(0, actionType, accountId);
  return {
    canSend: false,
    reason: `Daily cap reached (${String(used)}/${String(limit)})`,
    nextTime: next === undefined ? null : new Date(next),
  };
}

async function guardOf(box: Pillarbox, workspaceId: string): Promise<Guard> {
  const id = parseId('workspace', workspaceId);
  if (id === undefined)
    throw new PillarboxError('not_found', `there is no workspace ${workspaceId.slice(0, 40)}`);
  return (await box.workspace(id)).guard;
}
