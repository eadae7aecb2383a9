import type { GuardStanding } from '../../core/explain-guard.js';
import type { AccountSending } from '../../core/sending.js';
import { rulesOf } from '../../core/rules.js';
import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { countBefore, readUse } from './guard-use.js';
import { readSending } from './openings.js';

/** Whoever waits behind more than so many is told of so many. */
const MOST_BEFORE = 2_000;
/** Whoever asks twice is told the same. */
const SEED = 1;

/** A place in the line of a guarded channel: a message's, or the first. */
export interface Place {
  readonly dueAt: number;
  readonly id: number;
}

/** What the guard looks at before it lets a message of this channel go; undefined: the channel is not guarded. */
export function* readGuardStanding(
  store: Store,
  channelId: number,
  place: Place | 'first',
  now: number,
): Script<GuardStanding | undefined> {
  const row = yield* askOne(
    store.db
      .selectFrom('channels as c')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .select(['c.workspace_id', 'c.account_id', 'c.action', 'a.name', 'a.type', 'a.sending'])
      .where('c.id', '=', channelId)
      .where('c.guarded', '=', 1),
  );
  if (!row) return undefined;
  const { workspace_id: workspaceId, account_id: accountId, action, name, type } = row;
  const settings = yield* readSending(store, workspaceId);
  const sending = JSON.parse(row.sending) as AccountSending;
  const rules = rulesOf(settings, { ...sending, type }, now);
  const { before, since } =
    place === 'first' ? { before: 0, since: now } : yield* countBefore(store, channelId, place, MOST_BEFORE);
  return {
    ...(yield* readUse(store, { accountId, workspaceId }, rules, now)),
    ...{ rules, action, before, waitsSince: since, seed: SEED },
    timezone: (sending.window ?? settings).timezone,
    holidays: [...settings.holidays, ...(sending.holidays ?? [])],
    account: { number: accountId, name },
  };
}
