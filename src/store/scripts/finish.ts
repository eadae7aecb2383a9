import type { FinishedState } from '../../core/lifecycle.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { tally } from './tallies.js';

/** Writes the end of messages that were just taken out of `due`, with what is known of them. */
export function* finishWaiting(
  store: Store,
  ids: readonly number[],
  state: FinishedState,
  reason: string,
  now: number,
): Script<void> {
  yield* ask(
    store.db
      .insertInto('outcomes')
      .columns(['message_id', 'workspace_id', 'state', 'attempts', 'finished_at', 'reason'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            'id',
            'workspace_id',
            select.val(state).as('state'),
            'attempts',
            select.val(now).as('finished_at'),
            select.val(reason).as('reason'),
          ])
          .where((eb) => among(store, eb.ref('id'), ids)),
      ),
  );
  yield* tally(store, ids, state, now);
}
