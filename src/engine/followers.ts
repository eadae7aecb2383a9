import { setImmediate as othersFirst } from 'node:timers/promises';
import { finalState } from '../core/lifecycle.js';
import { BAD_ENDS } from '../core/plan/follow.js';
import type { Logger } from '../log/log.js';
import type { Script } from '../store/script.js';
import { resumeHeld } from '../store/scripts/enrolments.js';
import { advance, endFollowers, followWork } from '../store/scripts/follow-ups.js';
import { renewOwnWindows } from '../store/scripts/own-windows.js';
import type { Store } from '../store/store.js';
import type { Result } from './result.js';

const AT_ONCE = 500;
const ROUNDS = 20;
/** How far ahead followers are looked for: a minute, or what passes between two looks if the clock runs fast. */
const AHEAD_MS = 60_000;
const LOOKS_APART_MS = 3_000;

/**
 * What campaigns need of a worker beside its deliveries: followers leave when the step before them has, pauses of people end
 * when their time is over, and what has missed its recipient's window gets the next one. Any number may do it at once.
 */
export async function letFollow(
  store: Store,
  ahead = Math.max(AHEAD_MS, LOOKS_APART_MS * store.speed),
): Promise<void> {
  // Nearly always there is nothing to do, and looking costs less than a transaction.
  const work = await store.read(followWork(store, await store.now(), ahead));
  const { resume, renew, follow } = work;
  if (resume) await rounds(store, (now) => resumeHeld(store, now, AT_ONCE));
  if (renew) await rounds(store, (now) => renewOwnWindows(store, now, AT_ONCE));
  if (follow) await rounds(store, (now) => advance(store, now, ahead, AT_ONCE));
}

async function rounds(store: Store, script: (now: number) => Script<number>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await store.now();
    if ((await store.transaction(() => script(now))) < AT_ONCE) return;
    await othersFirst();
  }
}

/**
 * A step of a sequence has ended badly, and that is written: those behind it end at once. If that fails, they find out
 * themselves when their time comes (`advance`).
 */
export async function endThoseBehind(store: Store, { message, outcome }: Result, log: Logger): Promise<void> {
  const { workspaceId, contactId, sequenceId, stepNumber: step, action } = message;
  const state = finalState(outcome.event);
  if (contactId === null || sequenceId === null || step === null) return;
  if (state === undefined || !BAD_ENDS.includes(state)) return;
  try {
    const now = await store.now();
    const ended = { contactId, sequenceId, step, action, state };
    await store.transaction(() => endFollowers(store, workspaceId, ended, now));
  } catch (error) {
    log.warn({ err: error, message: message.id }, 'those behind it could not be ended; they will be');
  }
}
