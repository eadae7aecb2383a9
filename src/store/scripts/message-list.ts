import { STATES, type State } from '../../core/lifecycle.js';
import type { Lane } from '../../core/message.js';
import { askCompiled, giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

export interface MessageFilter {
  readonly states?: readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  /** Those of one account. */
  readonly channelIds?: readonly number[] | undefined;
  /** This address, in each of the spellings in which it may stand. */
  readonly to?: readonly string[] | undefined;
  readonly campaignId?: number | undefined;
  readonly eventId?: number | undefined;
  readonly subscriptionId?: number | undefined;
  /** Those that ended for this reason, as an event counts it; only with `eventId`. */
  readonly reason?: string | undefined;
  /** Only with `campaignId`. */
  readonly step?: number | undefined;
  /** Those whose time lies in one of them; only with `campaignId`. */
  readonly spans?: readonly LocalSpan[] | undefined;
  /** Those that died of this cause; `states` is then `dead` and nothing else. */
  readonly fingerprint?: string | undefined;
  /** Only ids below this one: the keyset of the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A stretch of time, for who sends where these are the same local days. */
export interface LocalSpan {
  readonly channelIds: readonly number[];
  readonly from: number;
  readonly until: number;
  /** It is now: what is late, and what is in flight, belongs to it. */
  readonly holdsNow: boolean;
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
const REACH = 10_000;
/** What is looked at in one go: little at first, which is often enough. */
const FIRST_STEP = 500;
const STEPS = { least: 50, most: 2_500, elsewhere: 10_000 };
/** SQLite holds the process up while it looks, and some rows take a hundred times as long as others. */
const STEP_MS = 5;

const stepAfter = (step: number, tookMs: number, { dialect }: Store): number =>
  dialect === 'postgres'
    ? STEPS.elsewhere
    : Math.min(STEPS.most, Math.max(STEPS.least, Math.floor((step * STEP_MS) / tookMs)));

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
    if (pages.length > 0) yield* giveWay();
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

export function placesOf({ states, to, ...of }: MessageFilter): readonly Place[] {
  if (!states || to !== undefined || OWNERS.some(([name]) => of[name] !== undefined)) return ['all'];
  return [...new Set(states)].map((state) => (state === 'sending' ? 'lease' : state));
}

/** What has messages of its own, each by an index. */
const OWNERS = [
  ['campaignId', 'campaign_id'],
  ['eventId', 'event_id'],
  ['subscriptionId', 'subscription_id'],
] as const;

type Owned = Pick<MessageFilter, (typeof OWNERS)[number][0]>;

/** The index of notifications holds nothing else: whoever asks by it says so. */
const ownedBy = (question: Question, of: Owned): string =>
  [
    ...OWNERS.flatMap(([name, column]) => {
      const id = of[name];
      return id === undefined ? [] : [`and ${column} = ${question.bind(id)}`];
    }),
    ...(of.subscriptionId === undefined ? [] : ['and event_id is not null']),
  ].join(' ');

/** Ids of a place, newest first, not more than `scan`. */
function sourceOf(
  question: Question,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  { to, fingerprint, before, ...of }: Pick<MessageFilter, 'to' | 'fingerprint' | 'before'> & Owned,
  scan: number,
): string {
  const { at } = question;
  const below = (column: string) => (before === undefined ? '' : `and ${column} < ${question.bind(before)}`);
  const within = `where workspace_id = ${question.bind(workspaceId)}`;
  if (place === 'all') {
    const exactly = to === undefined ? '' : `and ${question.isOneOf('recipient', to)}`;
    return `select * from ${at('messages')} ${within} ${exactly} ${ownedBy(question, of)} ${below('id')} order by id desc limit ${question.bind(scan)}`;
  }
  const end = `${below('message_id')} order by message_id desc limit ${question.bind(scan)}`;
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
  return yield* idsWithin(store, workspaceId, place, filter, condition, {
    before: filter.before,
    reach: REACH,
  });
}

/** Whether rows have to be looked at one by one. */
const isNarrow = (
  place: Place,
  { states, lane, channelIds, step, spans, reason }: MessageFilter,
  condition: Condition,
): boolean =>
  (place === 'all' && states !== undefined) ||
  lane !== undefined ||
  channelIds !== undefined ||
  step !== undefined ||
  spans !== undefined ||
  reason !== undefined ||
  condition.subjectWords !== undefined ||
  condition.recipientPrefixes !== undefined;

/** Where to begin, and how many rows to look at before giving up. */
export interface Stretch {
  readonly before: number | undefined;
  readonly reach: number;
}

/** The matching ones among so many of a place, row by row, in steps between which the process does other things. */
export function* idsWithin(
  store: Store,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  filter: MessageFilter,
  condition: Condition,
  { before, reach }: Stretch,
): Script<IdPage> {
  const ids: number[] = [];
  let [stop, left, step] = [before, reach, FIRST_STEP];
  while (left > 0) {
    if (left < reach) yield* giveWay();
    const started = performance.now();
    const scan = Math.min(step, left);
    const rest = { ...filter, limit: filter.limit - ids.length };
    ids.push(...(yield* idsAmong(store, workspaceId, place, rest, condition, stop, scan)));
    if (ids.length === filter.limit) return { ids };
    const edge = yield* edgeOf(store, workspaceId, place, { ...filter, before: stop }, scan);
    if (edge === undefined) return { ids };
    stop = edge;
    left -= scan;
    step = stepAfter(scan, performance.now() - started, store);
  }
  return { ids, stop };
}

/** The matching ones among the next `scan` of a place. */
function* idsAmong(
  store: Store,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  filter: MessageFilter,
  condition: Condition,
  before: number | undefined,
  scan: number,
): Script<readonly number[]> {
  const question = new Question(store);
  const source = sourceOf(question, workspaceId, place, { ...filter, before }, scan);
  return yield* question.ids(`
    select m.id from ${from(store, place, source)} ${question.where(filter, condition, place === 'all')}
    order by m.id desc limit ${question.bind(filter.limit)}`);
}

/** The last of the next `scan`; undefined: there are not so many. */
function* edgeOf(
  store: Store,
  workspaceId: number,
  place: Exclude<Place, 'lease'>,
  filter: MessageFilter,
  scan: number,
): Script<number | undefined> {
  const question = new Question(store);
  const [edge] = yield* question.rows<{ n: number; last: number | null }>(
    `select count(*) as n, min(id) as last from (${sourceOf(question, workspaceId, place, filter, scan)}) s`,
  );
  return edge?.n === scan ? (edge.last ?? undefined) : undefined;
}

/**
 * `m` is the message, wherever its id came from. As an array the ids keep PostgreSQL at primary-key look-ups: a rare
 * lane makes it estimate that reading all messages is cheaper.
 */
function from({ at, dialect }: Store, place: Place, source: string): string {
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
  const leased = yield* askCompiled<{ id: number }>({
    sql:
      store.dialect === 'postgres'
        ? `select leased.id from ${store.at('leases')} l cross join lateral unnest(l.ids) as leased(id)`
        : `select leased.value as id from leases l, json_each(l.ids) leased`,
    parameters: [],
  });
  const ids = leased.map((row) => row.id).slice(0, IDS_PER_STATEMENT);
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
  const before = filter.before === undefined ? '' : `and id < ${question.bind(filter.before)}`;
  const to = filter.to === undefined ? '' : `and ${question.isOneOf('recipient', filter.to)}`;
  const source = `select * from ${store.at('messages')}
    where workspace_id = ${question.bind(workspaceId)} and ${question.among('id', ids)} ${before} ${to} ${ownedBy(question, filter)}`;
  return yield* question.ids(
    `select m.id from (${source}) m ${question.where(filter, condition, true)}
     order by m.id desc limit ${question.bind(filter.limit)}`,
  );
}
