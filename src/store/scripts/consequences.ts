import { forbids } from '../../core/suppression.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { noteHarm } from './account-health.js';
import { coolAccount, forgetCooldowns, pauseAccount } from './accounts.js';
import { endEnrolments } from './enrolments.js';
import { keepContent } from './messages.js';
import { findSuppression } from './suppression-list.js';
import { noteSoftBounce, suppress } from './suppressions.js';

/** Something that a result means for more than the way of its own message. */
export type Consequence =
  | { readonly kind: 'keep_content'; readonly messageId: number; readonly mail: string }
  | { readonly kind: 'forget_cooldowns'; readonly accountId: number }
  | { readonly kind: 'pause'; readonly accountId: number; readonly reason: string }
  | { readonly kind: 'bounce'; readonly accountId: number; readonly messageId: number }
  | {
      readonly kind: 'cool';
      readonly accountId: number;
      readonly reason: string;
      readonly retryAfterSeconds: number | undefined;
    }
  | {
      readonly kind: 'suppress' | 'soft_bounce';
      readonly workspaceId: number;
      readonly address: string;
      readonly messageId: number;
    };

/** An account that may not go on: too much of its mail came back. */
export interface Stopped {
  readonly accountId: number;
  readonly reason: string;
}

/**
 * Those of many results at once. Contents and accounts by their ids, then addresses by their letters: two workers that write the
 * same ones wait for each other in one direction only. Answers which accounts have stopped themselves because of them.
 */
export function* writeConsequences(
  store: Store,
  consequences: readonly Consequence[],
  now: number,
): Script<readonly Stopped[]> {
  const stopped: Stopped[] = [];
  for (const consequence of [...consequences].sort(inOrder)) {
    if (consequence.kind !== 'bounce') {
      yield* write(store, consequence, now);
      continue;
    }
    const reason = yield* noteHarm(store, consequence, now);
    if (reason !== undefined) stopped.push({ accountId: consequence.accountId, reason });
  }
  return stopped;
}

function write(
  store: Store,
  consequence: Exclude<Consequence, { readonly kind: 'bounce' }>,
  now: number,
): Script<unknown> {
  switch (consequence.kind) {
    case 'keep_content':
      return keepContent(store, consequence.messageId, consequence.mail);
    case 'forget_cooldowns':
      return forgetCooldowns(store, consequence.accountId);
    case 'pause':
      return pauseAccount(store, consequence.accountId, consequence.reason, now);
    case 'cool':
      return coolAccount(
        store,
        consequence.accountId,
        consequence.reason,
        now,
        consequence.retryAfterSeconds,
      );
    case 'suppress': {
      const { workspaceId, address, messageId } = consequence;
      return suppress(store, workspaceId, address, 'hard_bounce', now, { messageId });
    }
    case 'soft_bounce':
      return noteSoftBounce(store, consequence.workspaceId, consequence.address, consequence.messageId, now);
  }
}

/**
 * Whoever has this address gets nothing more of any campaign, if it is on the list by now: an address that was refused at
 * the door has bounced as much as one of which a report came back.
 */
export function* endBounced(store: Store, workspaceId: number, address: string, now: number): Script<void> {
  const listed = yield* findSuppression(store, workspaceId, address);
  if (listed && forbids(listed, { lane: 'campaign', transactional: false }))
    yield* endEnrolments(store, workspaceId, { email: address }, 'bounced', now);
}

function inOrder(a: Consequence, b: Consequence): number {
  return rank(a) - rank(b) || byId(a, b) || byAddress(a, b);
}

/** Contents, then accounts, then addresses. */
const rank = (each: Consequence): number => (each.kind === 'keep_content' ? 0 : 'accountId' in each ? 1 : 2);

function byId(a: Consequence, b: Consequence): number {
  const [left, right] = [a, b].map((each) => {
    if (each.kind === 'keep_content') return each.messageId;
    return 'accountId' in each ? each.accountId : each.workspaceId;
  }) as [number, number];
  return left - right;
}

function byAddress(a: Consequence, b: Consequence): number {
  const [left, right] = [a, b].map((each) => ('address' in each ? each.address.toLowerCase() : '')) as [
    string,
    string,
  ];
  return left < right ? -1 : left > right ? 1 : 0;
}
