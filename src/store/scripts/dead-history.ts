import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

export interface Deaths {
  readonly fingerprint: string;
  readonly channelId: number;
  /** Which of the days it was, the first one being 0. */
  readonly day: number;
  readonly n: number;
}

/** Who died of what on which of these days, by when they begin. From counters, folded or not. */
export function* readDeaths(
  store: Store,
  workspaceId: number,
  days: readonly number[],
): Script<readonly Deaths[]> {
  const [first = 0, ...later] = days;
  const question = new Question(store);
  const dayOf = later
    .map((start, day) => `when hour < ${question.bind(start)} then ${String(day)}`)
    .join(' ');
  const within = `workspace_id = ${question.bind(workspaceId)}`;
  return yield* question.rows<Deaths>(
    `select fingerprint, channel_id as "channelId", day, ${store.dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)'} as n from (
        select fingerprint, channel_id, n, case ${dayOf} else ${String(later.length)} end as day from (
          select fingerprint, channel_id, hour, n from ${store.at('deaths')} where ${within} and hour >= ${question.bind(first)}
          union all
          select fingerprint, channel_id, minute * 60000, n from ${store.at('tallies')}
          where ${within} and minute >= ${question.bind(first / 60_000)} and state = 'dead' and fingerprint is not null and n > 0
        ) lately) days
      group by fingerprint, channel_id, day`,
  );
}

export interface NewestLetter {
  readonly fingerprint: string;
  readonly id: number;
  readonly channelId: number;
  readonly recipient: string;
  readonly recipientName: string | null;
  readonly subject: string | null;
  readonly error: string | null;
  readonly finishedAt: number;
}

/** The newest few of each cause: one look into one index each. */
export function* newestLetters(
  store: Store,
  workspaceId: number,
  fingerprints: readonly string[],
  each: number,
): Script<readonly NewestLetter[]> {
  if (fingerprints.length === 0) return [];
  const { at, dialect } = store;
  const question = new Question(store);
  const newest = (cause: string) =>
    `select n.message_id, n.fingerprint, n.finished_at from ${at('outcomes')} n
      where n.workspace_id = ${question.bind(workspaceId)} and n.fingerprint = ${cause}
      order by n.finished_at desc, n.message_id desc limit ${question.bind(each)}`;
  // SQLite has no lateral joins, but asks a list that depends on another row once for each of them.
  const ofEach =
    dialect === 'postgres'
      ? `unnest(${question.bind(fingerprints)}::text[]) as cause(value) cross join lateral (${newest('cause.value')}) o`
      : `json_each(${question.bind(JSON.stringify(fingerprints))}) cause cross join outcomes o
         on o.message_id in (select message_id from (${newest('cause.value')}))`;
  return yield* question.rows<NewestLetter>(
    `select o.fingerprint, m.id, m.channel_id as "channelId", coalesce(m.recipient_given, m.recipient) as recipient,
        m.recipient_name as "recipientName",
        m.subject, m.error, o.finished_at as "finishedAt"
      from ${ofEach} join ${at('messages')} m on m.id = o.message_id
      order by o.finished_at desc, m.id desc`,
  );
}

const DISMISSALS = ['message.dismiss', 'message.dead-group.dismiss', 'message.bulk'];
/** Further back nobody remembers, either. */
const DEEDS_READ = 500;

/** When somebody last dismissed something, as far as the newest entries of the audit log tell. */
export function* lastDismissal(store: Store, workspaceId: number): Script<number | null> {
  const actions = DISMISSALS.map((action) => `'${action}'`).join(', ');
  const question = new Question(store);
  const [row] = yield* question.rows<{ at: number | null }>(
    `select max(at) as at from (select at, action, details from ${store.at('audit')}
        where workspace_id = ${question.bind(workspaceId)} order by id desc limit ${String(DEEDS_READ)}) newest
      where action in (${actions}) and (action <> 'message.bulk' or details like '%"dismiss"%')`,
  );
  return row?.at ?? null;
}
