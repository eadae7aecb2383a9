import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** What a version says in one locale. */
export interface TemplateText {
  readonly locale: string;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** What the html was made of. */
  readonly mjml: string | null;
  readonly variables: readonly TemplateVariable[];
  readonly hash: string;
}

export interface TemplateVariable {
  readonly name: string;
  readonly required: boolean;
}

export interface StoredText extends TemplateText {
  /** Null: no mail has left with it. */
  readonly usedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TemplateVersion {
  /** Grows with the order in which versions came. */
  readonly id: number;
  readonly templateId: string;
  readonly version: string;
  readonly fallbackLocale: string | null;
  readonly createdAt: number;
}

const versions = ({ db }: Store, workspaceId: number) =>
  db
    .selectFrom('template_versions')
    .select([
      'id',
      'template_id as templateId',
      'version',
      'fallback_locale as fallbackLocale',
      'created_at as createdAt',
    ])
    .where('workspace_id', '=', workspaceId);

/** Without a version: the newest. */
export function* findVersion(
  store: Store,
  workspaceId: number,
  templateId: string,
  version: string | undefined,
): Script<TemplateVersion | undefined> {
  const own = versions(store, workspaceId).where('template_id', '=', templateId);
  return yield* askOne(
    version === undefined ? own.orderBy('id', 'desc').limit(1) : own.where('version', '=', version),
  );
}

/** Newest first. */
export function* versionsOf(
  store: Store,
  workspaceId: number,
  templateId: string,
  limit: number,
): Script<readonly TemplateVersion[]> {
  return yield* ask(
    versions(store, workspaceId).where('template_id', '=', templateId).orderBy('id', 'desc').limit(limit),
  );
}

/** Which locales it has, and what each of them said when it was looked at. */
export function* localesOf(
  { db }: Store,
  versionId: number,
): Script<readonly { readonly locale: string; readonly hash: string; readonly usedAt: number | null }[]> {
  return yield* ask(
    db
      .selectFrom('templates')
      .select(['locale', 'hash', 'used_at as usedAt'])
      .where('version_id', '=', versionId)
      .orderBy('locale'),
  );
}

const texts = ({ db }: Store) =>
  db
    .selectFrom('templates')
    .select([
      ...(['version_id as versionId', 'locale', 'subject', 'html', 'text', 'mjml', 'variables'] as const),
      ...(['hash', 'used_at as usedAt', 'created_at as createdAt', 'updated_at as updatedAt'] as const),
    ]);

const whole = <T extends { readonly variables: string }>({ variables, ...row }: T) => ({
  ...row,
  variables: JSON.parse(variables) as readonly TemplateVariable[],
});

export function* readText(store: Store, versionId: number, locale: string): Script<StoredText | undefined> {
  const row = yield* askOne(texts(store).where('version_id', '=', versionId).where('locale', '=', locale));
  return row && whole(row);
}

export function* textsOf(store: Store, versionId: number): Script<readonly StoredText[]> {
  const rows = yield* ask(texts(store).where('version_id', '=', versionId).orderBy('locale'));
  return rows.map(whole);
}

export interface ListedText extends StoredText {
  readonly of: TemplateVersion;
}

/** Where a list goes on: behind this text. */
export interface TextPlace {
  readonly versionId: number;
  readonly locale: string;
}

const AT_ONCE = 20;

/** The newest versions first, each with its texts. It ends early once it is a lot to read. */
export function* listTexts(
  store: Store,
  workspaceId: number,
  after: TextPlace | undefined,
  limit: number,
  letters: number,
): Script<readonly ListedText[]> {
  const found: ListedText[] = [];
  let place = after;
  let read = 0;
  while (found.length < limit && read < letters) {
    const rows = yield* textsAfter(store, workspaceId, place, Math.min(AT_ONCE, limit - found.length));
    found.push(...rows);
    read += rows.reduce((sum, { html, text }) => sum + (html?.length ?? 0) + (text?.length ?? 0), 0);
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) break;
    place = { versionId: last.of.id, locale: last.locale };
  }
  return found;
}

function* textsAfter(
  { db }: Store,
  workspaceId: number,
  after: TextPlace | undefined,
  limit: number,
): Script<readonly ListedText[]> {
  let query = db
    .selectFrom('template_versions as v')
    .innerJoin('templates as t', 't.version_id', 'v.id')
    .select([
      ...([
        'v.id',
        'v.template_id as templateId',
        'v.version',
        'v.fallback_locale as fallbackLocale',
      ] as const),
      ...(['v.created_at as versionAt', 't.locale', 't.subject', 't.html', 't.text', 't.mjml'] as const),
      ...(['t.variables', 't.hash', 't.used_at as usedAt', 't.created_at as createdAt'] as const),
      't.updated_at as updatedAt',
    ])
    .where('v.workspace_id', '=', workspaceId)
    .orderBy('v.id', 'desc')
    .orderBy('t.locale')
    .limit(limit);
  if (after) {
    const { versionId, locale } = after;
    query = query.where((eb) =>
      eb.or([eb('v.id', '<', versionId), eb.and([eb('v.id', '=', versionId), eb('t.locale', '>', locale)])]),
    );
  }
  const rows = yield* ask(query);
  return rows.map(({ id, templateId, version, fallbackLocale, versionAt, ...text }) => ({
    ...whole(text),
    of: { id, templateId, version, fallbackLocale, createdAt: versionAt },
  }));
}

export function* countVersions({ db }: Store, workspaceId: number): Script<number> {
  const row = yield* askOne(
    db
      .selectFrom('template_versions')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('workspace_id', '=', workspaceId),
  );
  return row?.n ?? 0;
}

/** Made if it is not there. Its row is locked: whoever saves the same version waits. On SQLite the transaction is the lock. */
export function* ensureVersion(
  store: Store,
  workspaceId: number,
  templateId: string,
  version: string,
  now: number,
): Script<TemplateVersion> {
  yield* ask(
    store.db
      .insertInto('template_versions')
      .values({ workspace_id: workspaceId, template_id: templateId, version, created_at: now })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'template_id', 'version']).doNothing()),
  );
  const own = versions(store, workspaceId)
    .where('template_id', '=', templateId)
    .where('version', '=', version);
  const row = yield* askOne(store.dialect === 'postgres' ? own.forUpdate() : own);
  if (!row) throw new Error('a version of a template was not stored');
  return row;
}

export function* setFallback({ db }: Store, versionId: number, locale: string | null): Script<void> {
  yield* ask(
    db.updateTable('template_versions').set({ fallback_locale: locale }).where('id', '=', versionId),
  );
}

/** New, or instead of one that no mail has left with. False: mail has left with it, and nothing was changed. */
export function* writeText(
  { db }: Store,
  versionId: number,
  { locale, variables, ...text }: TemplateText,
  now: number,
): Script<boolean> {
  const said = { ...text, variables: JSON.stringify(variables), updated_at: now };
  const row = yield* askOne(
    db
      .insertInto('templates')
      .values({ version_id: versionId, locale, created_at: now, ...said })
      .onConflict((conflict) =>
        conflict.columns(['version_id', 'locale']).doUpdateSet(said).where('templates.used_at', 'is', null),
      )
      .returning('locale'),
  );
  return row !== undefined;
}

/** From now on it stays as it is. False: it says something else by now. */
export function* markUsed(
  { db }: Store,
  versionId: number,
  locale: string,
  hash: string,
  now: number,
): Script<boolean> {
  const row = yield* askOne(
    db
      .updateTable('templates')
      .set((eb) => ({ used_at: eb.fn.coalesce('used_at', eb.val(now)) }))
      .where('version_id', '=', versionId)
      .where('locale', '=', locale)
      .where('hash', '=', hash)
      .returning('locale'),
  );
  return row !== undefined;
}
