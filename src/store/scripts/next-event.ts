import { LINES } from '../../core/lines.js';
import { askCompiled, type Script } from '../script.js';

/** When something may happen next, by what it is; null: nothing of that kind waits. */
export interface NextEvents {
  /** A guarded account may send something. */
  readonly send: number | null;
  /** Somebody's step comes near whose predecessor has to be asked for, or has missed its recipient's window. */
  readonly follow: number | null;
  /** A person's pause ends by itself. */
  readonly resume: number | null;
}

/** Of one channel: the first that waits in a line. */
const head = (line: number, and = ''): string =>
  `(select d.due_at from due d where d.channel_id = o.channel_id and d.alone = ${String(line)} ${and}
    order by d.due_at, d.message_id limit 1)`;

/**
 * What is first in its line may leave when it is due and its account is free; in an opening that is over by then, which has
 * to be asked for anew; or when that opens; or, if it is used up, when it is over.
 */
const sends = (openings: string, waits: string): string => `
select min(case when open_until <= at then at when full then open_until else max(at, opens_at) end) as at from (
  select max(${waits}, g.free_at, x.cooldown_until) as at, o.opens_at, o.open_until,
    a.used >= o.quota or w.used >= w.quota or (o.hour > 0 and a.hour = o.hour and a.hour_used >= o.hour_quota) as full
  from ${openings} o
  join guards g on g.account_id = o.account_id
  join channels c on c.id = o.channel_id
  join accounts x on x.id = o.account_id
  left join account_days a on a.account_id = o.account_id and a.action = o.action and a.day = o.day
  left join workspace_days w on w.workspace_id = o.workspace_id and w.day = o.total_day
  where c.paused_at is null and x.removed_at is null)
where at is not null`;

const ALONE = head(LINES.alone);
const TOGETHER = head(LINES.together);
const FIRST = `coalesce(min(${TOGETHER}, ${ALONE}), ${TOGETHER}, ${ALONE})`;

const STATEMENT = `
select
  (select min(at) from (${sends('openings', FIRST)} union all ${sends('own_openings', head(LINES.own))})) as send,
  (select min(at) from (
    select min(at) - ?1 as at from (select ${head(LINES.follows)} as at from openings o)
    union all
    select min(closes_at) from due where closes_at is not null and alone in (${LINES.own}, ${LINES.alone}))) as follow,
  (select min(resume_at) from enrolments where resume_at is not null) as resume`;

/** On SQLite alone: for whoever sets the clock himself. Followers are looked for `ahead` of their time. */
export function* nextEvents(ahead: number): Script<NextEvents> {
  const [row] = yield* askCompiled<NextEvents>({ sql: STATEMENT, parameters: [ahead] });
  return row ?? { send: null, follow: null, resume: null };
}
