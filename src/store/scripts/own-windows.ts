import { calendarFor } from '../../core/calendar.js';
import { LINES } from '../../core/lines.js';
import type { AccountSending } from '../../core/sending.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readSending } from './openings.js';

/**
 * What has missed its recipient's window gets the next one. The guard keeps quota and spacing when it leaves. Answers how
 * many it looked at; ask again while it is the limit.
 */
export function* renewOwnWindows(store: Store, now: number, limit: number): Script<number> {
  const { db } = store;
  const missed = yield* ask(
    db
      .selectFrom('due as d')
      .innerJoin('messages as m', 'm.id', 'd.message_id')
      .innerJoin('channels as c', 'c.id', 'd.channel_id')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .leftJoin('contacts as p', 'p.id', 'm.contact_id')
      .select(['d.message_id as id', 'd.workspace_id as workspaceId', 'a.sending', 'p.timezone'])
      .where('d.closes_at', '<=', now)
      .where('d.alone', 'in', [LINES.own, LINES.alone])
      .orderBy('d.closes_at')
      .limit(limit),
  );
  for (const { id, workspaceId, sending, timezone } of missed) {
    const settings = yield* readSending(store, workspaceId);
    const account = JSON.parse(sending) as AccountSending;
    const window = account.window ?? settings;
    const holidays = [...settings.holidays, ...(account.holidays ?? [])];
    const next = calendarFor({ ...window, timezone: timezone ?? window.timezone }, holidays, now).interval(
      now,
    );
    // Beyond the years that a calendar knows: it is looked at again in a day.
    const [opensAt, closesAt] = next
      ? [Math.max(now, next.opensAt), next.closesAt]
      : [now + DAY_MS, now + DAY_MS];
    const moved = yield* askOne(
      db
        .updateTable('due')
        .set({ due_at: opensAt, closes_at: closesAt })
        .where('message_id', '=', id)
        .where('closes_at', '<=', now)
        .returning('message_id'),
    );
    if (moved) {
      yield* ask(
        db.updateTable('messages').set({ scheduled_for: opensAt, closes_at: closesAt }).where('id', '=', id),
      );
    }
  }
  return missed.length;
}

const DAY_MS = 86_400_000;
