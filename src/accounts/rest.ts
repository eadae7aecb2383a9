import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import type { Script } from '../store/script.js';
import {
  endWaiting,
  hasUndecided,
  leaveCampaigns,
  MOST_COUNTED,
  reassignWaiting,
} from '../store/scripts/account-rest.js';
import { hasUnfinished, lockOwnAccount } from '../store/scripts/account-edits.js';
import { pauseAccount, type Account } from '../store/scripts/accounts.js';
import type { Store } from '../store/store.js';

/** What becomes of what waits for an account that is removed: it ends, or goes on from another one. */
export type Rest = 'end' | { readonly reassign: string };

/** `end`, or `reassign:acc_1`. */
export function readRest(text: string): Rest {
  if (text === 'end') return 'end';
  const [, reassign] = /^reassign:(.+)$/.exec(text) ?? [];
  if (reassign === undefined || parseId('account', reassign) === undefined)
    throw invalidInput('rest', 'should be end, or reassign: with the id of another account');
  return { reassign };
}

const AT_ONCE = 200;
/** What is leaving has so long to come to its end. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

/**
 * Stops an account and deals with everything that waits for it, in short transactions. Refused as a whole, before anything
 * changes, while somebody has to decide about a message of it.
 */
export async function dealWithRest(
  store: Store,
  account: Account,
  rest: Rest,
  heir: Account | undefined,
): Promise<void> {
  const began = await store.now();
  await store.transaction(() => begin(store, account, heir?.id, began));
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = await store.now();
    const moved = await store.transaction(() =>
      heir && rest !== 'end'
        ? reassignWaiting(store, account, heir, AT_ONCE)
        : endWaiting(store, account, AT_ONCE, now),
    );
    await othersFirst();
    if (moved > 0) continue;
    // What a worker has in hand comes to its end, or back into the line.
    const open = await store.read(hasUnfinished(store, account));
    if (!open || performance.now() > until) return;
    await sleep(LOOK_MS);
  }
}

function* begin(
  store: Store,
  { id, workspaceId }: Account,
  to: number | undefined,
  now: number,
): Script<void> {
  const account = yield* lockOwnAccount(store, workspaceId, id);
  if (!account) return;
  if (yield* hasUndecided(store, account)) throw undecided(account.name);
  if (account.pausedAt === null) yield* pauseAccount(store, id, 'the account is being removed', now);
  yield* leaveCampaigns(store, account, to, now);
}

export const undecided = (name: string): PillarboxError =>
  new PillarboxError(
    'conflict',
    `${name} has messages that are leaving, held or dead: decide about them, or ask again when they have left`,
  );

export const stillWaiting = (name: string, waiting: number): PillarboxError =>
  new PillarboxError(
    'conflict',
    `${waiting > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString('en-US')}` : waiting.toLocaleString('en-US')} ${waiting === 1 ? 'message waits' : 'messages wait'} for ${name}: say rest=reassign:<account>, and they go on from there, or rest=end`,
    { field: 'rest', waiting },
  );
