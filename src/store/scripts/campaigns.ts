import { sql, type Selectable } from '../../vendor/kysely.js';
import type { CampaignState } from '../../core/campaign.js';
import { LINES, PLANNED_LINES } from '../../core/lines.js';
import { among } from '../among.js';
import { insertMany, type BulkColumn } from '../bulk.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { CampaignsTable } from '../tables.js';
import { cancelWaitingWith } from './enrolments.js';

/** A row of `campaigns` as it is read. */
export type CampaignRow = Readonly<Selectable<CampaignsTable>>;

export interface NewCampaign {
  readonly workspaceId: number;
  readonly name: string;
  readonly sequenceId: number | null;
  readonly accountIds: readonly number[];
  /** JSON. */
  readonly terms: string;
  readonly stopOnReply: boolean;
  /** From which all of its random gaps follow. */
  readonly seed: number;
}

export function* insertCampaign({ db }: Store, campaign: NewCampaign, now: number): Script<number> {
  const { workspaceId, name, sequenceId, accountIds, terms, stopOnReply, seed } = campaign;
  const row = yield* askOne(
    db
      .insertInto('campaigns')
      .values({
        ...{ workspace_id: workspaceId, name, state: 'draft', sequence_id: sequenceId, terms, seed },
        account_ids: JSON.stringify(accountIds),
        stop_on_reply: stopOnReply ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
      .returning('id'),
  );
  if (!row) throw new Error('a campaign was not stored');
  return row.id;
}

export function* readCampaign(
  store: Store,
  workspaceId: number,
  id: number,
  { lock }: { readonly lock: boolean } = { lock: false },
): Script<CampaignRow | undefined> {
  const query = store.db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId);
  return yield* askOne(lock && store.dialect === 'postgres' ? query.forUpdate() : query);
}

/** What people call them. */
export function* campaignNames(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('campaigns')
      .select(['id', 'name'])
      .where((eb) => among(store, eb.ref('id'), ids)),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type CampaignChange = Partial<
  Pick<
    CampaignsTable,
    | 'name'
    | 'state'
    | 'sequence_id'
    | 'sequence_version'
    | 'account_ids'
    | 'plan_fault'
    | 'launched_at'
    | 'paused_at'
    | 'pause_reason'
    | 'finished_at'
  >
> & { readonly terms?: string; readonly stop_on_reply?: 0 | 1; readonly replan?: number };

/** Of a campaign that is locked. The gate obeys another state from the commit on. */
export function* changeCampaign({ db }: Store, id: number, set: CampaignChange, now: number): Script<void> {
  yield* ask(
    db
      .updateTable('campaigns')
      .set({ ...set, updated_at: now })
      .where('id', '=', id),
  );
}

const ENROLMENT_COLUMNS: readonly BulkColumn[] = [
  { name: 'campaign_id', type: 'bigint' },
  { name: 'contact_id', type: 'bigint' },
  { name: 'workspace_id', type: 'int' },
  { name: 'position', type: 'int' },
  { name: 'state', type: 'text' },
  { name: 'enrolled_at', type: 'bigint' },
  { name: 'changed_at', type: 'bigint' },
];

/** People who come to the end of the line, in this order; those who are in it already are left as they are. */
export function* enrol(
  store: Store,
  campaign: CampaignRow,
  contactIds: readonly number[],
  now: number,
): Script<number> {
  const { db } = store;
  const known = yield* ask(
    db
      .selectFrom('enrolments')
      .select(['contact_id', 'position'])
      .where('campaign_id', '=', campaign.id)
      .where((eb) => among(store, eb.ref('contact_id'), contactIds)),
  );
  const positions = new Map(known.map((row) => [row.contact_id, row.position]));
  const fresh = [...new Set(contactIds)].filter((id) => positions.get(id) == null);
  if (fresh.length === 0) return 0;
  let position = campaign.enrolled;
  for (const id of fresh.filter((each) => positions.has(each))) {
    position += 1;
    yield* ask(
      db
        .updateTable('enrolments')
        .set({ position, changed_at: now })
        .where('campaign_id', '=', campaign.id)
        .where('contact_id', '=', id),
    );
  }
  const unknown = fresh.filter((each) => !positions.has(each));
  yield* insertMany(
    store,
    'enrolments',
    ENROLMENT_COLUMNS,
    unknown.map((contactId, n) => [
      ...[campaign.id, contactId, campaign.workspace_id, position + n + 1, 'active', now, now],
    ]),
  );
  yield* ask(
    db
      .updateTable('campaigns')
      .set({ enrolled: campaign.enrolled + fresh.length, updated_at: now })
      .where('id', '=', campaign.id),
  );
  return fresh.length;
}

/** The next of a campaign's messages, by their ids. */
function* messagesAfter(
  { db }: Store,
  campaignId: number,
  after: number,
  limit: number,
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('messages')
      .select('id')
      .where('campaign_id', '=', campaignId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}

/** One page of a walk over a campaign's messages; `last` undefined: it was the last. */
export interface Walked {
  readonly changed: number;
  readonly last: number | undefined;
}

/** Takes a page of a paused campaign's waiting messages out of the way. What is claimed meanwhile meets the gate. */
export function* parkPage(store: Store, campaignId: number, after: number, limit: number): Script<Walked> {
  const ids = yield* messagesAfter(store, campaignId, after, limit);
  if (ids.length === 0) return { changed: 0, last: undefined };
  const rows = yield* ask(
    store.db
      .updateTable('due')
      .set({ alone: LINES.halted })
      .where((eb) => among(store, eb.ref('message_id'), ids))
      .where('alone', 'in', PLANNED_LINES)
      .returning('message_id'),
  );
  return { changed: rows.length, last: ids.length < limit ? undefined : ids.at(-1) };
}

/** Ends a page of a stopped campaign's waiting messages. */
export function* cancelPage(
  store: Store,
  campaignId: number,
  after: number,
  limit: number,
  reason: string,
  now: number,
): Script<Walked> {
  const ids = yield* messagesAfter(store, campaignId, after, limit);
  const changed = yield* cancelWaitingWith(store, ids, reason, now);
  return { changed, last: ids.length < limit ? undefined : ids.at(-1) };
}

/** A campaign that the planner has something to do for. */
export interface PlanWork {
  readonly campaignId: number;
  readonly workspaceId: number;
}

/** Of all workspaces, or of one; the oldest first. */
export function* findPlanWork(store: Store, workspaceId?: number): Script<readonly PlanWork[]> {
  const { db } = store;
  let query = db
    .selectFrom('campaigns')
    .select(['id as campaignId', 'workspace_id as workspaceId'])
    .where('state', '=', 'running')
    .where('plan_fault', 'is', null)
    .where((eb) =>
      eb.or([
        eb('planned_through', '<', eb.ref('enrolled')),
        eb('replan', '>', 0),
        eb.exists(eb.selectFrom('ready_messages').select('id').whereRef('campaign_id', '=', 'campaigns.id')),
      ]),
    )
    .orderBy('id');
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId);
  return yield* ask(query);
}

/** Running campaigns in which nothing is left that could leave. */
export function* finishedCampaigns(store: Store): Script<readonly number[]> {
  const { db } = store;
  const running = yield* ask(
    db
      .selectFrom('campaigns')
      .select('id')
      .where('state', '=', 'running')
      .where((eb) => eb('planned_through', '>=', eb.ref('enrolled')))
      .where('replan', '=', 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('ready_messages').select('id').whereRef('campaign_id', '=', 'campaigns.id'),
          ),
        ),
      )
      .orderBy('id'),
  );
  const finished: number[] = [];
  for (const { id } of running) if (!(yield* hasOpenMessages(store, id))) finished.push(id);
  return finished;
}

/** The last ones are the last to leave: mostly the first that is looked at answers. */
function* hasOpenMessages({ db }: Store, campaignId: number): Script<boolean> {
  const open = yield* askOne(
    db
      .selectFrom('messages as m')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .select('m.id')
      .where('m.campaign_id', '=', campaignId)
      .where('o.message_id', 'is', null)
      .orderBy('m.id', 'desc')
      .limit(1),
  );
  return open !== undefined;
}

/** It has come to its end, unless somebody has just come into it, or wants something tried again. */
export function* completeCampaign(store: Store, id: number, now: number): Script<boolean> {
  const query = store.db
    .selectFrom('campaigns')
    .select(['state', 'enrolled', 'planned_through', 'replan'])
    .where('id', '=', id);
  const row = yield* askOne(store.dialect === 'postgres' ? query.forUpdate() : query);
  if (row?.state !== 'running' || row.planned_through < row.enrolled || row.replan > 0) return false;
  if (yield* hasOpenMessages(store, id)) return false;
  yield* changeCampaign(store, id, { state: 'completed', finished_at: now }, now);
  return true;
}

/** Of a campaign that was stopped. */
export function* dropReadyOf({ db }: Store, campaignId: number): Script<void> {
  yield* ask(db.deleteFrom('ready_messages').where('campaign_id', '=', campaignId));
}

/** How many there are in each state. */
export function* countCampaigns(
  { db }: Store,
  workspaceId: number,
): Script<ReadonlyMap<CampaignState, number>> {
  const rows = yield* ask(
    db
      .selectFrom('campaigns')
      .select((select) => ['state', select.fn.countAll<number>().as('n')])
      .where('workspace_id', '=', workspaceId)
      .groupBy('state'),
  );
  return new Map(rows.map(({ state, n }) => [state, n]));
}

/** The newest first; `before`: an id. */
export function* listCampaigns(
  store: Store,
  workspaceId: number,
  filter: {
    readonly before: number | undefined;
    readonly limit: number;
    readonly state?: CampaignState | undefined;
    readonly q?: string | undefined;
  },
): Script<readonly CampaignRow[]> {
  let query = store.db
    .selectFrom('campaigns')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(filter.limit);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.q !== undefined && filter.q !== '') {
    const word = `%${filter.q.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    query = query.where(sql<boolean>`lower(name) like ${word} escape '\\'`);
  }
  return yield* ask(query);
}
