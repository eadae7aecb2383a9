import { askCompiled, type Script } from '../script.js';
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
  const dayOf = [...later.map((start, day) => `when hour < ${String(start)} then ${String(day)}`)].join(' ');
  const within = `workspace_id = ${String(workspaceId)}`;
  return yield* askCompiled<Deaths>({
    sql: `select fingerprint, channel_id as "channelId", day, ${store.dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)'} as n from (
        select fingerprint, channel_id, n, case ${dayOf} else ${String(later.length)} end as day from (
          select fingerprint, channel_id, hour, n from ${store.at('deaths')} where ${within} and hour >= ${String(first)}
          union all
          select fingerprint, channel_id, minute * 60000, n from ${store.at('tallies')}
          where ${within} and minute >= ${String(first / 60_000)} and state = 'dead' and fingerprint is not null and n > 0
        ) lately) days
      group by fingerprint, channel_id, day`,
    parameters: [],
  });
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
  const letters: NewestLetter[] = [];
  for (let from = 0; from < fingerprints.length; from += CAUSES_AT_ONCE) {
    const question = new Question(store);
    const newest = fingerprints.slice(from, from + CAUSES_AT_ONCE).map(
      (
        fingerprint,
      ) => `select * from (select message_id, fingerprint, finished_at from ${store.at('outcomes')}
        where workspace_id = ${String(workspaceId)} and fingerprint = ${question.bind(fingerprint)}
        order by finished_at desc, message_id desc limit ${String(each)}) newest`,
    );
    letters.push(
      ...(yield* question.rows<NewestLetter>(
        `select o.fingerprint, m.id, m.channel_id as "channelId", m.recipient, m.recipient_name as "recipientName",
          m.subject, m.error, o.finished_at as "finishedAt"
        from (${newest.join(' union all ')}) o join ${store.at('messages')} m on m.id = o.message_id
        order by o.finished_at desc, m.id desc`,
      )),
    );
  }
  return letters;
}

/** A statement of all of them would be longer than SQLite reads. */
const CAUSES_AT_ONCE = 100;

const DISMISSALS = ['message.dismiss', 'message.dead-group.dismiss', 'message.bulk'];
/** Further back nobody remembers, either. */
const DEEDS_READ = 500;

/** When somebody last dismissed something, as far as the newest entries of the audit log tell. */
export function* lastDismissal(store: Store, workspaceId: number): Script<number | null> {
  const actions = DISMISSALS.map((action) => `'${action}'`).join(', ');
  const [row] = yield* askCompiled<{ at: number | null }>({
    sql: `select max(at) as at from (select at, action, details from ${store.at('audit')}
        where workspace_id = ${String(workspaceId)} order by id desc limit ${String(DEEDS_READ)}) newest
      where action in (${actions}) and (action <> 'message.bulk' or details like '%"dismiss"%')`,
    parameters: [],
  });
  return row?.at ?? null;
}
