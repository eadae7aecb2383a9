import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** How far back events are looked at: what nobody has published for longer is not in use. */
const LOOKED_AT = 1_000;

/** One that names a template, without what it says. */
export interface NamingEvent {
  readonly id: number;
  readonly topic: string;
  readonly templateId: string;
  readonly version: string | null;
  readonly createdAt: number;
}

/** Newest first: of the last thousand of the workspace, those that name a template, or this one. */
export function* eventsNamingTemplates(
  store: Store,
  workspaceId: number,
  templateId?: string,
): Script<readonly NamingEvent[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('events')
      .select(['id', 'topic', 'template_id as templateId', 'template_version as version'])
      .select('created_at as createdAt')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id', 'desc')
      .limit(LOOKED_AT),
  );
  return templateId === undefined ? rows : rows.filter((row) => row.templateId === templateId);
}

/** What these events say. */
export function* payloadsOf(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
): Script<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; payload: string }>(
    `select id, payload from ${question.at('events')}
     where workspace_id = ${question.bind(workspaceId)} and ${question.among('id', ids)}`,
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}

/** More readers than this are counted as this many. */
export const MOST_READERS = 20_000;

/** Active subscriptions of these topics by the locale that they ask for; null: the workspace's. */
export function* readersByLocale(
  store: Store,
  workspaceId: number,
  topics: readonly string[],
): Script<ReadonlyMap<string | null, number>> {
  if (topics.length === 0) return new Map();
  const question = new Question(store);
  const { at, bind } = question;
  const rows = yield* question.rows<{ locale: string | null; n: number }>(
    `select locale, count(*) as n from (
       select locale from ${at('subscriptions')}
       where workspace_id = ${bind(workspaceId)} and status = 'active' and ${question.among('topic', topics)}
       limit ${bind(MOST_READERS)}) readers
     group by locale`,
  );
  return new Map(rows.map(({ locale, n }) => [locale, n]));
}

/** A version with what each of its texts reads, without the texts. */
export interface VersionTexts {
  readonly version: string;
  readonly createdAt: number;
  readonly texts: readonly {
    readonly locale: string;
    readonly variables: string;
    readonly usedAt: number | null;
    readonly updatedAt: number;
  }[];
}

/** The newest so many versions of one template, newest first. */
export function* versionTexts(
  store: Store,
  workspaceId: number,
  templateId: string,
  limit: number,
): Script<readonly VersionTexts[]> {
  const versions = yield* ask(
    store.db
      .selectFrom('template_versions')
      .select(['id', 'version', 'created_at as createdAt'])
      .where('workspace_id', '=', workspaceId)
      .where('template_id', '=', templateId)
      .orderBy('id', 'desc')
      .limit(limit),
  );
  const found: VersionTexts[] = [];
  for (const { id, version, createdAt } of versions) {
    const texts = yield* ask(
      store.db
        .selectFrom('templates')
        .select(['locale', 'variables', 'used_at as usedAt', 'updated_at as updatedAt'])
        .where('version_id', '=', id)
        .orderBy('locale'),
    );
    found.push({ version, createdAt, texts });
  }
  return found;
}

export interface TemplateHeadRow {
  readonly templateId: string;
  readonly versions: number;
  /** The newest. */
  readonly versionId: number;
}

/** Templates by their names, with how many versions each has. */
export function* listHeads(
  { db }: Store,
  workspaceId: number,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Script<readonly TemplateHeadRow[]> {
  let query = db
    .selectFrom('template_versions')
    .select((eb) => [
      'template_id as templateId',
      eb.fn.countAll<number>().as('versions'),
      eb.fn.max('id').as('versionId'),
    ])
    .where('workspace_id', '=', workspaceId)
    .groupBy('template_id')
    .orderBy('template_id')
    .limit(limit);
  if (after !== undefined) query = query.where('template_id', '>', after);
  return yield* ask(query);
}

export interface HeadText {
  readonly versionId: number;
  readonly version: string;
  readonly locale: string;
  readonly updatedAt: number;
}

/** The locales of these versions. */
export function* localesOfVersions(store: Store, ids: readonly number[]): Script<readonly HeadText[]> {
  if (ids.length === 0) return [];
  const question = new Question(store);
  const { at } = question;
  return yield* question.rows<HeadText>(
    `select v.id as "versionId", v.version, t.locale, t.updated_at as "updatedAt"
     from ${at('template_versions')} v join ${at('templates')} t on t.version_id = v.id
     where ${question.among('v.id', ids)} order by v.id, t.locale`,
  );
}
