import { LINES } from '../../core/lines.js';
import { insertMany, type BulkRow } from '../bulk.js';
import type { List } from '../among.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { readCampaign, type CampaignRow } from './campaigns.js';
import { Question } from './question.js';

type Row = Readonly<Record<string, string | number | null>>;

/** Rows of one table, as they are to be written. */
interface Batch {
  readonly table: string;
  readonly rows: readonly Row[];
}

/** Which campaign, and at what time what is in flight has left. */
export interface Copied {
  readonly workspaceId: number;
  readonly campaignId: number;
  readonly now: number;
}

const PEOPLE_AT_ONCE = 500;
const MESSAGES_AT_ONCE = 2_000;

/**
 * Copies one campaign and all that it depends on into an empty store, with the same ids: its people, its accounts and what
 * they have used, what it has sent; and, as a mere load, everything else that waits for its accounts. The source is only
 * read, page by page, and goes on meanwhile: what is read in two places counts once. What is in flight counts as sent.
 */
export async function copyCampaign(source: Store, target: Store, copied: Copied): Promise<void> {
  const write = (batches: readonly Batch[]) =>
    target.transaction(() => writeAll(target, batches)).then(() => undefined);
  await write(await source.read(readSurroundings(source, copied)));
  const { workspaceId, campaignId } = copied;
  const campaign = await source.read(readCampaign(source, workspaceId, campaignId));
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: Page = await source.read(readPeople(source, copied, campaign?.sequence_id ?? 0, after));
    await write(page.batches);
    after = page.last;
  }
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: Page = await source.read(readLoad(source, copied, after));
    await write(page.batches);
    after = page.last;
  }
}

/** No more than so many are counted: what the copy of a campaign comes to, in messages. */
export function* sizeOfCopy(
  store: Store,
  { workspace_id, enrolled }: CampaignRow,
  steps: number,
  most: number,
): Script<number> {
  const question = new Question(store);
  const [workspace, limit] = [workspace_id, most].map(question.bind);
  const [load] = yield* question.rows<{ n: number }>(
    `select count(*) as n from (select d.message_id from ${store.at('openings')} o
       join ${store.at('due')} d on d.channel_id = o.channel_id where o.workspace_id = ${String(workspace)} limit ${String(limit)}) waiting`,
  );
  return enrolled * steps + (load?.n ?? 0);
}

/** Accounts bring no credentials along: nobody sends by them. */
const NO_TRANSPORT = '{}';

function* readSurroundings(store: Store, { workspaceId, campaignId }: Copied): Script<readonly Batch[]> {
  const batches: Batch[] = [];
  const add = function* (table: string, where: string, list: List, change: Row = {}): Script<void> {
    const question = new Question(store);
    const rows = yield* question.rows<Row>(
      `select t.* from ${store.at(table)} t where ${question.among(where, list)}`,
    );
    batches.push({ table, rows: rows.map((row) => ({ ...row, ...change })) });
  };
  const own = [workspaceId];
  yield* add('workspaces', 't.id', own);
  yield* add('settings', 't.workspace_id', own);
  yield* add('accounts', 't.workspace_id', own, { transport: NO_TRANSPORT });
  yield* add('channels', 't.workspace_id', own);
  yield* add('guards', 't.workspace_id', own, { holder: null });
  // Looked at anew, by the clock of whoever works on the copy.
  yield* add('openings', 't.workspace_id', own, { open_until: 0 });
  yield* add('own_openings', 't.workspace_id', own, { open_until: 0 });
  const accounts = batches.find(({ table }) => table === 'accounts')?.rows.map(({ id }) => id as number);
  yield* add('account_days', 't.account_id', accounts ?? []);
  yield* add('workspace_days', 't.workspace_id', own);
  yield* add('campaigns', 't.id', [campaignId]);
  const [campaign] = batches.at(-1)?.rows ?? [];
  const sequence = campaign?.['sequence_id'] as number | null | undefined;
  if (sequence != null) {
    yield* add('sequences', 't.id', [sequence]);
    yield* add('sequence_versions', 't.sequence_id', [sequence]);
  }
  yield* add('ready_messages', 't.campaign_id', [campaignId]);
  return batches;
}

interface Page {
  readonly batches: readonly Batch[];
  readonly last: number | undefined;
}

/** People of the campaign with everything that this sequence or this campaign has ever planned for them. */
function* readPeople(store: Store, copied: Copied, sequenceId: number, after: number): Script<Page> {
  const { at } = store;
  const { campaignId, workspaceId } = copied;
  const look = new Question(store);
  const enrolments = yield* look.rows<Row>(
    `select e.* from ${at('enrolments')} e where e.campaign_id = ${look.bind(campaignId)} and e.contact_id > ${look.bind(after)}
     order by e.contact_id limit ${String(PEOPLE_AT_ONCE)}`,
  );
  if (enrolments.length === 0) return { batches: [], last: undefined };
  const ids = enrolments.map((row) => row['contact_id'] as number);
  const contacts = yield* pick(store, 'contacts', 'id', ids);
  const emails = contacts.flatMap(({ email }) => (typeof email === 'string' ? [email] : []));
  const ask = new Question(store);
  const suppressions =
    emails.length === 0
      ? []
      : yield* ask.rows<Row>(
          `select s.* from ${at('suppressions')} s where s.workspace_id = ${ask.bind(workspaceId)} and ${ask.among('s.address', emails)}`,
        );
  const find = new Question(store);
  const messages = yield* find.rows<Row>(
    `select m.* from ${at('messages')} m where ${find.among('m.contact_id', ids)} and m.workspace_id = ${find.bind(workspaceId)}
       and (m.campaign_id = ${find.bind(campaignId)} or m.sequence_id = ${find.bind(sequenceId)})`,
  );
  return {
    batches: [
      { table: 'contacts', rows: contacts },
      { table: 'enrolments', rows: enrolments },
      { table: 'suppressions', rows: suppressions },
      ...(yield* placesOf(store, copied, messages)),
    ],
    last: ids.at(-1),
  };
}

/** Each message in one place. */
function* placesOf(
  store: Store,
  { campaignId, now }: Copied,
  messages: readonly Row[],
): Script<readonly Batch[]> {
  const ids = messages.map(({ id }) => id as number);
  if (ids.length === 0) return [];
  const waiting = yield* pick(store, 'due', 'message_id', ids);
  const waits = new Set(waiting.map((row) => row['message_id']));
  const finished = (yield* pick(store, 'outcomes', 'message_id', ids)).filter(
    (row) => !waits.has(row['message_id'] ?? null),
  );
  const isOver = new Set(finished.map((row) => row['message_id']));
  const inFlight = messages
    .filter(({ id }) => !waits.has(id ?? null) && !isOver.has(id ?? null))
    .map((row) => ({ message_id: row['id'] ?? null, workspace_id: row['workspace_id'] ?? null }))
    .map((row) => ({ ...row, state: 'sent', attempts: 1, finished_at: now }));
  // Of another campaign only that they exist counts: nobody is planned twice.
  const others = new Set(messages.filter((row) => row['campaign_id'] !== campaignId).map(({ id }) => id));
  return [
    { table: 'messages', rows: messages.map((row) => (others.has(row['id']) ? ofNobody(row) : plain(row))) },
    { table: 'due', rows: waiting.filter((row) => !others.has(row['message_id'] ?? null)) },
    { table: 'outcomes', rows: [...finished, ...inFlight] },
  ];
}

/**
 * What waits for the same accounts and belongs to somebody else: it takes its places at its times, without a campaign that
 * could pause it. A step that follows leaves when it was planned, as it will unless something fails.
 */
function* readLoad(store: Store, { campaignId, workspaceId }: Copied, after: number): Script<Page> {
  const { at } = store;
  const look = new Question(store);
  const [workspace, campaign, from] = [workspaceId, campaignId, after].map(look.bind) as [
    string,
    string,
    string,
  ];
  const waiting = yield* look.rows<Row>(
    `select d.* from ${at('due')} d join ${at('openings')} o on o.channel_id = d.channel_id
     join ${at('messages')} m on m.id = d.message_id
     where o.workspace_id = ${workspace} and d.message_id > ${from} and d.alone <> ${LINES.halted}
       and (m.campaign_id is null or m.campaign_id <> ${campaign})
     order by d.message_id limit ${String(MESSAGES_AT_ONCE)}`,
  );
  if (waiting.length === 0) return { batches: [], last: undefined };
  const messages = yield* pick(
    store,
    'messages',
    'id',
    waiting.map((row) => row['message_id'] as number),
  );
  // By the zone of a recipient his window is known.
  const contacts = yield* pick(
    store,
    'contacts',
    'id',
    messages.flatMap((row) =>
      row['closes_at'] != null && row['contact_id'] != null ? [row['contact_id'] as number] : [],
    ),
  );
  return {
    batches: [
      { table: 'contacts', rows: contacts },
      { table: 'messages', rows: messages.map(ofNobody) },
      { table: 'due', rows: waiting.map(withoutFollowing) },
    ],
    last: waiting.at(-1)?.['message_id'] as number,
  };
}

/** What a statement that repeats a call looks for is not copied. */
const plain = (row: Row): Row => ({ ...row, mark: null });

/** Whatever becomes of its campaign, which is not copied. */
const ofNobody = (row: Row): Row => ({ ...plain(row), campaign_id: null });

const withoutFollowing = (row: Row): Row =>
  row['alone'] === LINES.follows
    ? { ...row, alone: row['closes_at'] == null ? LINES.together : LINES.own }
    : row;

function* pick(store: Store, table: string, column: string, ids: readonly number[]): Script<readonly Row[]> {
  if (ids.length === 0) return [];
  const question = new Question(store);
  return yield* question.rows<Row>(
    `select t.* from ${store.at(table)} t where ${question.among(`t.${column}`, ids)}`,
  );
}

/** Columns by name; what a copy has already stays as it is. */
function* writeAll(target: Store, batches: readonly Batch[]): Script<void> {
  for (const { table, rows } of batches) {
    const [first] = rows;
    if (!first) continue;
    // Of one batch some rows may say less than others.
    for (const same of bySameColumns(rows)) {
      const names = Object.keys(same[0] as Row);
      const columns = names.map((name) => ({ name, type: 'text' }) as const);
      const values: BulkRow[] = same.map((row) => names.map((name) => row[name] ?? null));
      yield* insertMany(target, table, columns, values, 'on conflict do nothing');
    }
  }
}

function bySameColumns(rows: readonly Row[]): Iterable<readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = Object.keys(row).join();
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return groups.values();
}
