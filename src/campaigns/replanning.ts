import { LINES } from '../core/lines.js';
import type { FirstFit } from '../core/plan/first-fit.js';
import type { PlanMove } from '../store/plan-row.js';
import type { HaltedMessage } from '../store/scripts/replan.js';
import type { World } from './world.js';

/** Messages that stand together, each person's by themselves. */
export function* byPerson(messages: readonly HaltedMessage[]): Generator<readonly HaltedMessage[]> {
  for (let from = 0; from < messages.length;) {
    let to = from + 1;
    while (messages[to]?.contactId === messages[from]?.contactId && to < messages.length) to += 1;
    yield messages.slice(from, to);
    from = to;
  }
}

/** New times for what was halted of one person. `from`: as if it were that late already. */
export function movesOf(
  world: World,
  fit: FirstFit,
  messages: readonly HaltedMessage[],
  sent: number | undefined,
  firstStep: number,
  from?: number,
): readonly PlanMove[] {
  const rows = messages.map(({ step, accountId, dueAt, timezone, action }) => ({
    step: world.steps.findIndex(({ order }) => order === step),
    action,
    accountId,
    notBefore: Math.max(dueAt, from ?? world.now),
    from,
    window: world.windowOf(accountId, timezone),
  }));
  const slots = fit.replace(rows, sent);
  return messages.flatMap(({ id, step }, n) => {
    const slot = slots[n];
    if (!slot) return [];
    const follows = step !== null && step > firstStep;
    const line = slot.closesAt === null ? LINES.together : LINES.own;
    return [{ id, dueAt: slot.at, closesAt: slot.closesAt, line: follows ? LINES.follows : line }];
  });
}
