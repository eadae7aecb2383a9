import type { EnrolmentState } from '../../core/campaign.js';
import type { Action } from '../../core/message.js';
import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import * as postgres from '../postgres/plan-rows.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import * as sqlite from '../sqlite/plan-rows.js';
import type { Store } from '../store.js';
import { Question } from './question.js';
import { schemaOf } from './schema-of.js';

/** Somebody whose turn has come to be planned. */
export interface Prospect {
  readonly position: number;
  readonly contactId: number;
  readonly email: string | null;
  readonly emailGiven: string | null;
  readonly name: string | null;
  readonly linkedinId: string | null;
  readonly timezone: string | null;
  /** Only if they were asked for. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface ProspectPage {
  /** Those who are active. */
  readonly prospects: readonly Prospect[];
  /** Everybody up to this position was looked at. */
  readonly through: number;
}

/** The next people of a campaign, as they are at this moment. */
export function* readProspects(
  store: Store,
  campaign: { readonly id: number; readonly enrolled: number },
  after: number,
  limit: number,
  { attributes = false }: { readonly attributes?: boolean } = {},
): Script<ProspectPage> {
  const rows = yield* ask(
    store.db
      .selectFrom('enrolments as e')
      .leftJoin('contacts as c', 'c.id', 'e.contact_id')
      .select([
        'e.position',
        'e.state',
        'e.contact_id as contactId',
        'c.id as known',
        'c.email',
        'c.email_given as emailGiven',
        'c.name',
        'c.linkedin_id as linkedinId',
        'c.timezone',
      ])
      .$if(attributes, (also) => also.select('c.attributes'))
      .where('e.campaign_id', '=', campaign.id)
      .where('e.position', '>', after)
      .orderBy('e.position')
      .limit(limit),
  );
  const last = rows.at(-1)?.position ?? after;
  return {
    prospects: (rows as readonly ProspectRow[]).filter(isActive).map(attributes ? withAttributes : asTheyAre),
    through: rows.length < limit ? Math.max(last, campaign.enrolled) : last,
  };
}

/**
 * Who of a page is active, locked against whatever would end them: it comes before, and they are not among them, or after,
 * and finds their messages.
 */
export function* lockActive(
  { db, dialect }: Store,
  campaignId: number,
  after: number,
  through: number,
): Script<readonly { readonly position: number; readonly contactId: number }[]> {
  const query = db
    .selectFrom('enrolments as e')
    .select(['e.position', 'e.contact_id as contactId'])
    .where('e.campaign_id', '=', campaignId)
    .where('e.position', '>', after)
    .where('e.position', '<=', through)
    .where('e.state', '=', 'active')
    .orderBy('e.position');
  const rows = yield* ask(dialect === 'postgres' ? query.forShare('e') : query);
  return rows.flatMap(({ position, contactId }) => (position === null ? [] : [{ position, contactId }]));
}

interface ProspectRow extends Omit<Prospect, 'position' | 'attributes'> {
  readonly position: number | null;
  readonly state: EnrolmentState;
  readonly known: number | null;
  readonly attributes?: string | null | undefined;
}

type ActiveRow = ProspectRow & { readonly position: number };

const isActive = (row: ProspectRow): row is ActiveRow =>
  row.state === 'active' && row.known !== null && row.position !== null;

const withAttributes = ({ attributes, ...row }: ActiveRow): Prospect => ({
  ...row,
  attributes: JSON.parse(attributes ?? '{}') as Readonly<Record<string, unknown>>,
});

/** Thousands of them: they are not copied. */
const asTheyAre = (row: ActiveRow): Prospect => row as Omit<ActiveRow, 'attributes'>;

/** Which of these keys a campaign's message has already, whatever its campaign. */
export function* knownKeys(
  store: Store,
  workspaceId: number,
  keys: readonly string[],
): Script<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const question = new Question(store);
  const rows = yield* question.rows<{ key: string }>(
    question.named(
      {
        ...{ table: 'messages', columns: 'r.idempotency_key as key', by: 'idempotency_key' },
        where: `r.workspace_id = ${question.bind(workspaceId)} and r.lane = 'campaign'`,
      },
      keys,
    ),
  );
  return new Set(rows.map(({ key }) => key));
}

/** Stores a page. Answers which of its rows were there already, by their places. */
export function* storePlan(
  store: Store,
  common: PlanCommon,
  rows: readonly PlanRow[],
): Script<readonly number[]> {
  if (rows.length === 0) return [];
  return yield* store.dialect === 'postgres'
    ? postgres.storePlanRows(schemaOf(store), common, rows)
    : sqlite.storePlanRows(common, rows);
}

/** Gives halted messages new times. Answers how many it did. */
export function* movePlan(store: Store, moves: readonly PlanMove[]): Script<number> {
  if (moves.length === 0) return 0;
  return yield* store.dialect === 'postgres'
    ? postgres.movePlanRows(schemaOf(store), moves)
    : sqlite.movePlanRows(moves);
}

export interface LaunchedDay {
  readonly accountId: number;
  readonly action: Action;
  readonly day: string;
  readonly count: number;
}

/** What was planned for which day, as it was first planned: kept, whatever becomes of it. */
export function* noteLaunched(store: Store, campaignId: number, days: readonly LaunchedDay[]): Script<void> {
  if (days.length === 0) return;
  const values = JSON.stringify(
    days.map(({ accountId, action, day, count }) => [accountId, action, day, count]),
  );
  const table = store.at('campaign_days');
  const columns = '(campaign_id, account_id, action, day, launched)';
  const added =
    'on conflict (campaign_id, account_id, action, day) do update set launched = k.launched + excluded.launched';
  yield* askCompiled({
    sql:
      store.dialect === 'postgres'
        ? `insert into ${table} as k ${columns}
           select $1::bigint, (j.value ->> 0)::int, j.value ->> 1, j.value ->> 2, (j.value ->> 3)::int
           from json_array_elements($2::json) j order by 2, 3, 4 ${added}`
        : `insert into ${table} as k ${columns}
           select ?1, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3
           from json_each(?2) j where true ${added}`,
    parameters: [campaignId, values],
  });
}

/**
 * Everybody up to this position is planned, and the last message so far leaves then. False: the campaign does not run any
 * more. Whoever pauses it comes after this transaction, and finds what it has stored.
 */
export function* notePlanned(
  { db }: Store,
  campaignId: number,
  through: number,
  lastAt: number,
): Script<boolean> {
  const noted = yield* askOne(
    db
      .updateTable('campaigns')
      .set((eb) => ({
        planned_through: eb
          .case()
          .when('planned_through', '<', through)
          .then(through)
          .else(eb.ref('planned_through'))
          .end(),
        launched_ends_at: eb
          .case()
          .when(eb(eb.fn.coalesce('launched_ends_at', eb.lit(0)), '<', lastAt))
          .then(lastAt)
          .else(eb.ref('launched_ends_at'))
          .end(),
      }))
      .where('id', '=', campaignId)
      .where('state', '=', 'running')
      .returning('id'),
  );
  return noted !== undefined;
}
