import type { LeftBefore } from '../../core/campaign-judge.js';
import { FINISHED_STATES, type FinishedState } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import type { Judged, JudgedAccount, UsedBefore } from '../../core/simulation-judge.js';
import type { Departure } from '../../core/simulation.js';
import type { AccountSending } from '../../core/sending.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { presentAccounts } from './accounts.js';
import { Question } from './question.js';

/** An account as a judge goes by it, with the name that people know it by. */
export interface NamedAccount extends JudgedAccount {
  readonly name: string;
}

export function* readJudgedAccounts(store: Store, workspaceId: number): Script<readonly NamedAccount[]> {
  return (yield* presentAccounts(store, workspaceId)).map(({ id, type, name, sending }) => ({
    ...{ id, type, name },
    sending: JSON.parse(sending) as AccountSending,
  }));
}

/** What every account and the workspace have used so far. */
export function* readUsedBefore({ db }: Store, workspaceId: number): Script<UsedBefore> {
  const rows = yield* ask(
    db
      .selectFrom('account_days as d')
      .innerJoin('accounts as a', 'a.id', 'd.account_id')
      .select(['d.account_id as accountId', 'd.action', 'd.day', 'd.used', 'd.sent', 'd.in_doubt', 'd.hour'])
      .select('d.hour_used as hourUsed')
      .where('a.workspace_id', '=', workspaceId),
  );
  const totals = yield* ask(
    db.selectFrom('workspace_days').select(['day', 'used']).where('workspace_id', '=', workspaceId),
  );
  return {
    days: rows.map(({ accountId, action, day, used, sent, in_doubt }) => ({
      ...{ accountId, action, day, used, sent: sent + in_doubt > 0 },
    })),
    hours: rows.flatMap(({ accountId, action, hour, hourUsed: used }) =>
      hour > 0 ? [{ accountId, action, hour, used }] : [],
    ),
    totals: new Map(totals.map(({ day, used }) => [day, used])),
  };
}

/** What of a campaign has left already, in that order. */
export function* readLeftBefore({ db }: Store, campaignId: number): Script<readonly LeftBefore[]> {
  return yield* ask(
    db
      .selectFrom('messages as m')
      .innerJoin('outcomes as o', 'o.message_id', 'm.id')
      .select(['o.finished_at as at', 'm.contact_id as person'])
      .where('m.campaign_id', '=', campaignId)
      .where('o.state', '=', 'sent')
      .orderBy('o.finished_at'),
  );
}

/** How many wait in guarded channels, and have a time before this one. */
export function* countPlanned({ db }: Store, until: number): Script<number> {
  const row = yield* askOne(
    db
      .selectFrom('due')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('due_at', '<', until)
      .where('alone', '<>', LINES.halted),
  );
  return row?.n ?? 0;
}

/** How a campaign's messages stand: what waits, and the others by how they ended. */
export function* readFates(
  store: Store,
  campaignId: number,
): Script<{ readonly waiting: number; readonly finished: ReadonlyMap<FinishedState, number> }> {
  const question = new Question(store);
  const rows = yield* question.rows<{ state: FinishedState | null; n: number }>(
    `select o.state, count(*) as n from ${store.at('messages')} m
     left join ${store.at('outcomes')} o on o.message_id = m.id
     where m.campaign_id = ${question.bind(campaignId)} group by o.state`,
  );
  const finished = FINISHED_STATES.map(
    (state) => [state, rows.find((row) => row.state === state)?.n ?? 0] as const,
  );
  return { waiting: rows.find(({ state }) => state === null)?.n ?? 0, finished: new Map(finished) };
}

interface WhatItWas {
  readonly id: number;
  readonly campaignId: number | null;
  readonly contactId: number | null;
  readonly sequenceId: number | null;
  readonly step: number | null;
  readonly expiresAt: number | null;
  readonly closesAt: number | null;
  readonly timezone: string | null;
}

const AT_ONCE = 5_000;

/** What each of these was; `own`: of this campaign. */
export function* readDepartures(
  store: Store,
  campaignId: number,
  left: readonly Departure[],
): Script<readonly (Judged & { readonly own: boolean })[]> {
  const { at } = store;
  const judged: (Judged & { readonly own: boolean })[] = [];
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const page = left.slice(from, from + AT_ONCE);
    const question = new Question(store);
    const rows = yield* question.rows<WhatItWas>(
      `select m.id, m.campaign_id as "campaignId", m.contact_id as "contactId", m.sequence_id as "sequenceId",
         m.step_number as step, m.expires_at as "expiresAt", m.closes_at as "closesAt", p.timezone
       from ${at('messages')} m left join ${at('contacts')} p on p.id = m.contact_id
       where ${question.among(
         'm.id',
         page.map(({ messageId }) => messageId),
       )}`,
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const each of page) {
      const row = known.get(each.messageId);
      if (!row) throw new Error('something left that nobody knows');
      const { contactId, sequenceId, step, expiresAt, closesAt, timezone } = row;
      const own = row.campaignId === campaignId;
      judged.push({
        ...each,
        ...{ own, expiresAt, ownZone: closesAt === null ? null : timezone },
        step:
          own && contactId !== null && sequenceId !== null && step !== null
            ? { person: contactId, order: step }
            : undefined,
      });
    }
  }
  return judged;
}
