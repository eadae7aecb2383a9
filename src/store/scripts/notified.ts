import type { FinishedState } from '../../core/lifecycle.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';
import { reasonCounted } from './reason-counted.js';

/** Who ends like this was not told. */
const UNTOLD: readonly FinishedState[] = ['dead', 'skipped', 'expired', 'cancelled'];

/**
 * What a notification that comes into a finished state, or leaves it, means for its subscription: what was reserved of
 * a limit and did not leave is given back, and that somebody was told, or why not, stands in the history. As a settlement
 * does it.
 */
export function* noteNotified(
  store: Store,
  ids: readonly number[],
  state: FinishedState,
  now: number,
  sign: 1 | -1,
): Script<void> {
  if (UNTOLD.includes(state)) yield* countAgain(store, ids, state, -sign as 1 | -1);
  if (sign === 1 && (state === 'sent' || UNTOLD.includes(state))) yield* noteHow(store, ids, state, now);
}

function* countAgain(
  store: Store,
  ids: readonly number[],
  state: FinishedState,
  change: 1 | -1,
): Script<void> {
  const question = new Question(store);
  const { at } = store;
  const greatest = store.dialect === 'postgres' ? 'greatest' : 'max';
  const ended = `from ${at('messages')} m join ${at('outcomes')} o on o.message_id = m.id
    where ${question.among('m.id', ids)} and m.event_id is not null and o.state = ${question.bind(state)}`;
  yield* question.rows(
    `update ${at('subscriptions')} set notified = ${greatest}(0, notified + ${question.bind(change)} * (
       select count(*) ${ended} and m.subscription_id = ${at('subscriptions')}.id
         and m.created_at >= ${at('subscriptions')}.limited_at))
     where limited_at is not null and id in (select m.subscription_id ${ended})`,
  );
}

function* noteHow(store: Store, ids: readonly number[], state: FinishedState, now: number): Script<void> {
  const question = new Question(store);
  const { at } = store;
  const object = store.dialect === 'postgres' ? 'json_build_object' : 'json_object';
  const [kind, details] =
    state === 'sent'
      ? ['notify_sent', 'e.snapshot']
      : [
          'not_told',
          `cast(${object}('state', '${state}', 'reason', ${reasonCounted(`'${state}'`)}) as text)`,
        ];
  const time = store.dialect === 'postgres' ? `${question.bind(now)}::bigint` : question.bind(now);
  yield* question.rows(
    `insert into ${at('subscription_events')} (subscription_id, at, kind, event_id, message_id, details)
     select m.subscription_id, ${time}, '${kind}', m.event_id, m.id, ${details}
     from ${at('messages')} m left join ${at('events')} e on e.id = m.event_id
       left join ${at('outcomes')} o on o.message_id = m.id
     where ${question.among('m.id', ids)} and m.event_id is not null`,
  );
}
