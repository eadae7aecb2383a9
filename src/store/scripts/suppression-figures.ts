import { SUPPRESSION_REASONS, type Suppression, type SuppressionReason } from '../../core/suppression.js';
import type { ServerAnswer } from '../../core/suppression-words.js';
import { giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { forbidding } from '../suppressed.js';
import { Question } from './question.js';
import { SUPPRESSION_COLUMNS, toSuppression, type SuppressionRow } from './suppression-list.js';

/** Where a list of the newest goes on. */
export interface SuppressionPlace {
  readonly createdAt: number;
  readonly address: string;
}

export interface NewestFilter {
  readonly reason?: SuppressionReason | undefined;
  readonly since?: number | undefined;
  readonly before?: SuppressionPlace | undefined;
  readonly limit: number;
}

/** Newest first: a stretch of an index, of all or of one reason. */
export function* newestSuppressions(
  store: Store,
  workspaceId: number,
  { reason, since, before, limit }: NewestFilter,
): Script<readonly Suppression[]> {
  const question = new Question(store);
  const { at, bind } = question;
  // PostgreSQL compares bytes only where it is told to.
  const [less, order] = store.dialect === 'postgres' ? ['~<~', 'address using ~>~'] : ['<', 'address desc'];
  const conditions = [`workspace_id = ${bind(workspaceId)}`];
  if (reason !== undefined) conditions.push(`reason = ${bind(reason)}`);
  if (since !== undefined) conditions.push(`created_at >= ${bind(since)}`);
  if (before) {
    const [edge, last] = [bind(before.createdAt), bind(before.address)];
    conditions.push(`created_at <= ${edge} and (created_at < ${edge} or address ${less} ${last})`);
  }
  const rows = yield* question.rows<SuppressionRow>(
    `select ${SUPPRESSION_COLUMNS.join(', ')} from ${at('suppressions')}
     where ${conditions.join(' and ')} order by created_at desc, ${order} limit ${bind(limit)}`,
  );
  return rows.map(toSuppression);
}

export interface SuppressionCounts {
  readonly byReason: Readonly<Record<SuppressionReason, number>>;
  readonly lastDay: number;
  readonly lastWeek: number;
  readonly weekBefore: number;
}

const DAY_MS = 86_400_000;

/** How many there are of each reason, and how many came lately: counted in indexes, one stretch after the other. */
export function* countSuppressions(
  store: Store,
  workspaceId: number,
  now: number,
): Script<SuppressionCounts> {
  const byReason: Partial<Record<SuppressionReason, number>> = {};
  for (const reason of SUPPRESSION_REASONS) {
    byReason[reason] = yield* count(store, workspaceId, (bind) => `and reason = ${bind(reason)}`);
    yield* giveWay();
  }
  const between = (from: number, to: number) =>
    count(store, workspaceId, (bind) => `and created_at >= ${bind(from)} and created_at < ${bind(to)}`);
  const [tomorrow, week] = [now + DAY_MS, now - 7 * DAY_MS];
  return {
    byReason: byReason as Record<SuppressionReason, number>,
    lastDay: yield* between(now - DAY_MS, tomorrow),
    lastWeek: yield* between(week, tomorrow),
    weekBefore: yield* between(week - 7 * DAY_MS, week),
  };
}

function* count(
  store: Store,
  workspaceId: number,
  condition: (bind: (value: string | number) => string) => string,
): Script<number> {
  const question = new Question(store);
  const { at, bind } = question;
  const [row] = yield* question.rows<{ n: number }>(
    `select count(*) as n from ${at('suppressions')}
     where workspace_id = ${bind(workspaceId)} ${condition(bind)}`,
  );
  return row?.n ?? 0;
}

/** The mail that an address was suppressed for, as people know it. */
export interface SuppressionSource {
  readonly messageId: number;
  readonly subject: string;
  readonly campaign: string | null;
  readonly step: number | null;
  readonly topic: string | null;
  /** What its server said last. */
  readonly answer: ServerAnswer | null;
}

/** Of those mails that are still here. */
export function* suppressionSources(
  store: Store,
  workspaceId: number,
  messageIds: readonly number[],
): Script<ReadonlyMap<number, SuppressionSource>> {
  if (messageIds.length === 0) return new Map();
  const question = new Question(store);
  const { at } = question;
  const rows = yield* question.rows<Omit<SuppressionSource, 'answer'>>(
    `select m.id as "messageId", m.subject, c.name as campaign, m.step_number as step, e.topic
     from ${at('messages')} m
     left join ${at('campaigns')} c on c.id = m.campaign_id left join ${at('events')} e on e.id = m.event_id
     where m.workspace_id = ${question.bind(workspaceId)} and ${question.among('m.id', messageIds)}`,
  );
  const tries = new Question(store);
  const errors = yield* tries.rows<{ id: number; code: string | null; text: string }>(
    `select message_id as id, error_code as code, error as text from ${at('attempts')}
     where error is not null and ${tries.among('message_id', messageIds)} order by finished_at`,
  );
  const last = new Map(errors.map(({ id, ...answer }) => [id, answer]));
  return new Map(rows.map((row) => [row.messageId, { ...row, answer: last.get(row.messageId) ?? null }]));
}

/** A person has a few; whoever has more is cut off at the last moment, as everybody is. */
const MOST_WAITING = 1_000;

/** What waits for an address that is suppressed by now, and would be stopped by that at the last moment. */
export function* waitingInVain(
  store: Store,
  workspaceId: number,
  address: string,
): Script<readonly number[]> {
  const question = new Question(store);
  const { at, bind } = question;
  return yield* question.ids(
    `select m.id from ${at('messages')} m join ${at('due')} d on d.message_id = m.id
     join ${at('suppressions')} s on s.workspace_id = m.workspace_id and s.address = m.recipient
     where m.workspace_id = ${bind(workspaceId)} and m.recipient = ${bind(address)}
       and ${forbidding('m.lane', 'm.transactional')}
     order by m.id limit ${bind(MOST_WAITING)}`,
  );
}
