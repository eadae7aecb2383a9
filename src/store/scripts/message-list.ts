import { STATES, type State } from '../../core/lifecycle.js';
import type { Lane } from '../../core/message.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

export interface MessageFilter {
  readonly states?: readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  /** Those of one account. */
  readonly channelIds?: readonly number[] | undefined;
  /** Exactly this address. */
  readonly to?: string | undefined;
  /** Those that died of this cause; `states` is then `dead` and nothing else. */
  readonly fingerprint?: string | undefined;
  /** Only ids below this one: the keyset of the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** More than the place where messages are found can tell: asked of each row. */
export interface Condition {
  readonly subjectWords?: readonly string[] | undefined;
  readonly recipientPrefixes?: readonly string[] | undefined;
}

/** One stretch of a list. */
export interface IdPage {
  /** Newest first. */
  readonly ids: readonly number[];
  /** Whatever is older than this was not looked at; undefined: it was all looked at, or the page is full. */
  readonly stop?: number | undefined;
}

/** How far one request looks for rows that its index can't tell apart. It then says where to go on. */
const SCANS = [500, 10_000] as const;

/** Newest first, from the place where such messages are: a page costs a page, whatever the size of the tables. */
export function* pageOfIds(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
  condition: Condition = {},
): Script<IdPage> {
  const places = placesOf(filter);
  const pages: IdPage[] = [];
  for (const place of places) {
    pages.push(
      place === 'lease'
        ? yield* idsInLeases(store, workspaceId, filter, condition)
        : yield* idsInPlace(store, workspaceId, place, filter, condition),
    );
  }
  return merge(pages, filter.limit);
}

/** Several stretches as one. What lies below the place where one of them stopped must wait for the next page. */
export function merge(pages: readonly IdPage[], limit: number): IdPage {
  const stop = Math.max(0, ...pages.map((page) => page.stop ?? 0));
  const ids = [...new Set(pages.flatMap((page) => page.ids))]
    .filter((id) => id >= stop)
    .sort((a, b) => b - a)
    .slice(0, limit);
  return { ids, stop: ids.length === limit || stop === 0 ? undefined : stop };
}

/** Where to look: an address leads to few messages whatever their state; otherwise each state is a stretch of an index. */
export type Place = 'all' | 'lease' | Exclude<State, 'sending'>;

export function placesOf({ states, to }: MessageFilter): readonly Place[] {
  if (!states || to !== undefined) return ['all'];
  return [...new Set(states)].map((state) => (state === 'sending' ? 'lease' : state));
}

/** Ids of a place, newest first, not more than `scan`. */
export function sourceOf(
  question: Question,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  { to, fingerprint, before }: Pick<MessageFilter, 'to' | 'fingerprint' | 'before'>,
  scan: number,
): string {
  const { at } = question;
  const below = (column: string) => (before === undefined ? '' : `and ${column} < ${String(before)}`);
  const within = `where workspace_id = ${String(workspaceId)}`;
  if (place === 'all') {
    const exactly = to === undefined ? '' : `and recipient = ${question.bind(to)}`;
    return `select * from ${at('messages')} ${within} ${exactly} ${below('id')} order by id desc limit ${String(scan)}`;
  }
  const end = `${below('message_id')} order by message_id desc limit ${String(scan)}`;
  if (STATES[place].place === 'due')
    return `select message_id as id from ${at('due')} ${within} and ${WAITING[place as WaitingPlace]} ${end}`;
  const kind =
    fingerprint === undefined ? `state = '${place}'` : `fingerprint = ${question.bind(fingerprint)}`;
  return `select message_id as id from ${at('outcomes')} ${within} and ${kind} ${end}`;
}

type WaitingPlace = 'scheduled' | 'retry_scheduled' | 'queued';

const WAITING: Record<WaitingPlace, string> = {
  scheduled: 'tried = 0 and queued_at is null',
  retry_scheduled: 'tried = 1 and queued_at is null',
  queued: 'queued_at is not null',
};

function* idsInPlace(
  store: Store,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  filter: MessageFilter,
  condition: Condition,
): Script<IdPage> {
  if (!isNarrow(place, filter, condition)) {
    const question = new Question(store);
    const source = sourceOf(question, workspaceId, place, filter, filter.limit);
    return { ids: yield* question.ids(`select id from (${source}) newest`) };
  }
  let page: IdPage = { ids: [] };
  for (const scan of SCANS) {
    page = yield* idsAmong(store, workspaceId, place, filter, condition, scan);
    if (page.stop === undefined) break;
  }
  return page;
}

/** Whether rows have to be looked at one by one. */
const isNarrow = (place: Place, { states, lane, channelIds }: MessageFilter, condition: Condition): boolean =>
  (place === 'all' && states !== undefined) ||
  lane !== undefined ||
  channelIds !== undefined ||
  condition.subjectWords !== undefined ||
  condition.recipientPrefixes !== undefined;

/** The matching ones among the newest `scan` of a place. */
function* idsAmong(
  store: Store,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  filter: MessageFilter,
  condition: Condition,
  scan: number,
): Script<IdPage> {
  const question = new Question(store);
  const source = sourceOf(question, workspaceId, place, filter, scan);
  const ids = yield* question.ids(`
    select m.id from ${from(store, place, source)} ${question.where(filter, condition, place === 'all')}
    order by m.id desc limit ${String(filter.limit)}`);
  if (ids.length === filter.limit) return { ids };
  const bound = new Question(store);
  const [edge] = yield* bound.rows<{ n: number; last: number | null }>(
    `select count(*) as n, min(id) as last from (${sourceOf(bound, workspaceId, place, filter, scan)}) s`,
  );
  return { ids, stop: edge?.n === scan ? (edge.last ?? undefined) : undefined };
}

/**
 * `m` is the message, wherever its id came from. As an array the ids keep PostgreSQL at primary-key look-ups: a rare
 * lane makes it estimate that reading all messages is cheaper.
 */
export function from({ at, dialect }: Store, place: Place, source: string): string {
  if (place === 'all') return `(${source}) m`;
  return dialect === 'postgres'
    ? `(select * from ${at('messages')} where id = any(array(${source}))) m`
    : `(${source}) n join messages m on m.id = n.id`;
}

/** Only so many are looked at: more are never in flight. */
const IDS_PER_STATEMENT = 10_000;

/** What is in flight is at most a few batches: unpacked here, filtered by the rows' own look-up. */
function* idsInLeases(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
  condition: Condition,
): Script<IdPage> {
  const held = yield* askCompiled<{ id: number }>({
    sql:
      store.dialect === 'postgres'
        ? `select held.id from ${store.at('leases')} l cross join lateral unnest(l.ids) as held(id)`
        : `select held.value as id from leases l, json_each(l.ids) held`,
    parameters: [],
  });
  const ids = held.map((row) => row.id).slice(0, IDS_PER_STATEMENT);
  return { ids: yield* idsOf(store, workspaceId, ids, { ...filter, states: undefined }, condition) };
}

/** Which of these match, newest first. */
export function* idsOf(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
  filter: MessageFilter,
  condition: Condition = {},
): Script<readonly number[]> {
  if (ids.length === 0) return [];
  const question = new Question(store);
  const before = filter.before === undefined ? '' : `and id < ${String(filter.before)}`;
  const to = filter.to === undefined ? '' : `and recipient = ${question.bind(filter.to)}`;
  const source = `select * from ${store.at('messages')}
    where workspace_id = ${String(workspaceId)} and id in (${ids.join(', ')}) ${before} ${to}`;
  return yield* question.ids(
    `select m.id from (${source}) m ${question.where(filter, condition, true)} order by m.id desc limit ${String(filter.limit)}`,
  );
}
