import type { Action, AttemptOutcome, Lane } from '../../core/message.js';
import type { ErrorClass } from '../../core/report.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** One try by an account, with as much of its message as a list shows. */
export interface Activity {
  readonly messageId: number;
  readonly leaseId: number;
  readonly lane: Lane;
  readonly action: Action;
  readonly recipient: string;
  readonly recipientName: string | null;
  readonly subject: string | null;
  /** The caller's own try, in his own process. */
  readonly inline: number;
  readonly startedAt: number | null;
  readonly handedAt: number | null;
  readonly finishedAt: number;
  readonly outcome: AttemptOutcome;
  readonly errorClass: ErrorClass | null;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly providerMessageId: string | null;
  readonly worker: string | null;
}

/** The place of a try in the list: nothing else is so early and so small. */
export type ActivityPlace = Pick<Activity, 'finishedAt' | 'messageId' | 'leaseId'>;

/** Newest first. Channel by channel, because each is one stretch of one index. */
export function* listActivity(
  { db }: Store,
  accountId: number,
  before: ActivityPlace | undefined,
  limit: number,
): Script<readonly Activity[]> {
  const channels = yield* ask(db.selectFrom('channels').select('id').where('account_id', '=', accountId));
  const found: Activity[] = [];
  for (const { id } of channels) {
    const page = db
      .selectFrom('attempts as a')
      .innerJoin('messages as m', 'm.id', 'a.message_id')
      .select((select) => [
        'a.message_id as messageId',
        'a.lease_id as leaseId',
        'm.lane',
        'm.action',
        select.fn.coalesce('m.recipient_given', 'm.recipient').as('recipient'),
        'm.recipient_name as recipientName',
        'm.subject',
        'a.inline',
        'a.started_at as startedAt',
        'a.handed_at as handedAt',
        'a.finished_at as finishedAt',
        'a.outcome',
        'a.error_class as errorClass',
        'a.error_code as errorCode',
        'a.error',
        'a.provider_message_id as providerMessageId',
        'a.worker',
      ])
      .where('a.channel_id', '=', id)
      .orderBy('a.finished_at', 'desc')
      .orderBy('a.message_id', 'desc')
      .orderBy('a.lease_id', 'desc')
      .limit(limit);
    found.push(
      ...(yield* ask(
        before === undefined
          ? page
          : page
              .where('a.finished_at', '<=', before.finishedAt)
              .where((eb) =>
                eb.or([
                  eb('a.finished_at', '<', before.finishedAt),
                  eb('a.message_id', '<', before.messageId),
                  eb.and([eb('a.message_id', '=', before.messageId), eb('a.lease_id', '<', before.leaseId)]),
                ]),
              ),
      )),
    );
  }
  return found.sort(newestFirst).slice(0, limit);
}

const newestFirst = (a: ActivityPlace, b: ActivityPlace): number =>
  b.finishedAt - a.finishedAt || b.messageId - a.messageId || b.leaseId - a.leaseId;
