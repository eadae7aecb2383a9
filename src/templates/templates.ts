import { invalidInput, PillarboxError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { directionOf } from '../core/locale.js';
import { buildJob, jobEventOf, jobFault, type JobEvent } from '../core/mail-job.js';
import { readLimit, type Page } from '../core/page.js';
import { RETRY_POLICIES } from '../core/retry.js';
import type { Links } from '../links/links.js';
import {
  countVersions,
  ensureVersion,
  findVersion,
  listTexts,
  localesOf,
  readText,
  setFallback,
  textsOf,
  versionsOf,
  writeText,
  type ListedText,
  type StoredText,
  type TemplateVersion,
  type TextPlace,
} from '../store/scripts/templates.js';
import { readEvent } from '../store/scripts/events.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import {
  readPreviewInput,
  readTemplateInput,
  type PreviewInput,
  type ReadTemplate,
  type TemplateInput,
} from './input.js';
import { hashOf, sourceOf, type TemplateLibrary } from './library.js';
import { htmlOfMjml } from './mjml.js';
import type { RenderPool } from './render-pool.js';
import { SAMPLE_PAYLOAD, SHIPPED } from './shipped.js';
import { neededOf } from './source.js';

/** One text of a template, with what holds for its version. */
export interface Template extends Omit<StoredText, 'hash' | 'usedAt'> {
  readonly id: string;
  readonly version: string;
  readonly fallbackLocale: string | null;
  readonly direction: 'ltr' | 'rtl';
  /** Mail has left with it: it never changes again. */
  readonly isUsed: boolean;
}

export interface TemplateDetail {
  readonly id: string;
  readonly version: string;
  readonly fallbackLocale: string | null;
  /** Newest first. */
  readonly versions: readonly string[];
  readonly locales: readonly Template[];
}

export interface TemplateListOptions {
  /** At most 200; a page with much text in it ends sooner. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TemplatePreview {
  /** Null, as the parts are, if there would be no mail. */
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly locale: string | null;
  readonly direction: 'ltr' | 'rtl';
  readonly faults: readonly { readonly code: string; readonly message: string }[];
}

export interface TemplateSurroundings {
  readonly pool: RenderPool;
  readonly library: TemplateLibrary;
  readonly links: Links;
}

const LIST_OPTIONS: OptionNames<TemplateListOptions> = { limit: true, cursor: true };
const PAGE_LETTERS = 2_000_000;
const MOST_VERSIONS = 5_000;
const MOST_LOCALES = 300;
const SHOWN_VERSIONS = 200;

/** What notifications say. A text that mail has left with never changes; what is new is another version. */
export class Templates {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly around: TemplateSurroundings,
  ) {}

  /**
   * Adds a text, or corrects one that no mail has left with. Throws `invalid_input` with the field, also for a template
   * that does not make sense, and `conflict` if mail has left with it. Safe to repeat.
   */
  async save(input: TemplateInput): Promise<Template> {
    const { store, workspaceId, around } = this;
    const given = readTemplateInput(input);
    const html = given.mjml === null ? given.html : await htmlOfMjml(given.mjml);
    const source = sourceOf({ ...given, html });
    const checked = await around.pool.check(source, String(workspaceId));
    const [fault] = checked.faults;
    if (fault) throw partFault(given, fault);
    await around.library.stock(workspaceId);
    const now = await store.now();
    const said = { html, hash: hashOf(source), variables: neededOf(checked) };
    return store.transaction(() => saveText(store, workspaceId, { ...given, ...said }, now));
  }

  /** Every text of every version, newest first. */
  async list(options: TemplateListOptions = {}): Promise<Page<Template>> {
    knownOptions(options, LIST_OPTIONS);
    const limit = readLimit(options.limit);
    const after = options.cursor === undefined ? undefined : readCursor(options.cursor);
    const { store, workspaceId } = this;
    await this.around.library.stock(workspaceId);
    const found = await store.read(listTexts(store, workspaceId, after, limit, PAGE_LETTERS));
    const last = found.at(-1);
    const isMore = last && (await store.read(listTexts(store, workspaceId, placeOf(last), 1, 1))).length > 0;
    return {
      items: found.map((text) => shown(text.of, text)),
      nextCursor: isMore ? `${last.of.id}.${last.locale}` : null,
    };
  }

  /** One version with all of its locales; without one the newest. Throws `not_found`. */
  async get(id: string, version?: string): Promise<TemplateDetail> {
    const { store, workspaceId } = this;
    await this.around.library.stock(workspaceId);
    return store.read(detailOf(store, workspaceId, id, version));
  }

  /** As a reader would get it, of an event, of a payload, or of values that are made up. Sends and fixes nothing. */
  async preview(input: PreviewInput): Promise<TemplatePreview> {
    const { store, workspaceId, around } = this;
    const { id, version, locale, eventId, payload } = readPreviewInput(input);
    const known = await this.get(id, version);
    const event = eventId === undefined ? undefined : await this.#event(eventId);
    const template = { id, version: known.version };
    const now = await store.now();
    const facts = event
      ? { ...event, template }
      : jobEventOf({
          ...{ number: 1, dedupeKey: null, traceId: null, eventAt: now, template },
          payload: payload ?? samplePayload(known),
        });
    const job = buildJob({
      ...{ message: 1, event: facts, locale, leaseSeconds: 120, policy: RETRY_POLICIES.notification },
      subscription: {
        number: 1,
        status: 'active',
        email: 'reader@example.org',
        name: 'Ada',
        preferences: {},
      },
      links: {
        manageUrl: around.links.exampleUrl('m'),
        unsubscribeUrl: around.links.exampleUrl('u'),
      },
    });
    const broken = jobFault(job);
    const [told] = await around.library.renderMany([{ workspaceId, job, event: facts }], { isLook: true });
    if (!told) throw new Error('one job had no answer');
    const own = 'fault' in told ? [told.fault] : [];
    // What the contract misses, and then what the template does, unless it is the same.
    const faults = broken && broken.code !== own[0]?.code ? [broken, ...own] : own;
    const parts = 'fault' in told ? undefined : told;
    return {
      ...{ subject: parts?.subject ?? null, html: parts?.html ?? null, text: parts?.text ?? null },
      ...{ locale: parts?.locale ?? null, direction: parts?.direction ?? directionOf(locale) },
      faults: faults.map(({ code, message }) => ({ code, message })),
    };
  }

  async #event(eventId: string): Promise<JobEvent> {
    const number = parseId('event', eventId);
    const row =
      number === undefined
        ? undefined
        : await this.store.read(readEvent(this.store, this.workspaceId, number));
    if (!row) throw invalidInput('eventId', 'is not known');
    return jobEventOf({
      ...{ number: row.id, dedupeKey: row.dedupe_key, traceId: row.trace_id, eventAt: row.event_at },
      template: { id: row.template_id, version: row.template_version },
      payload: JSON.parse(row.payload) as Record<string, unknown>,
    });
  }
}

interface Judged extends ReadTemplate {
  readonly hash: string;
  readonly variables: StoredText['variables'];
}

function* saveText(store: Store, workspaceId: number, given: Judged, now: number): Script<Template> {
  const { id, version, fallbackLocale, ...text } = given;
  const isNew = !(yield* findVersion(store, workspaceId, id, version));
  if (isNew && (yield* countVersions(store, workspaceId)) >= MOST_VERSIONS) throw full();
  const known = yield* ensureVersion(store, workspaceId, id, version, now);
  const others = yield* localesOf(store, known.id);
  const before = others.find(({ locale }) => locale === text.locale);
  if (!before && others.length >= MOST_LOCALES) throw full();
  if (fallbackLocale !== undefined && fallbackLocale !== known.fallbackLocale) {
    // Who got a mail by it would not get one, or another; who got none gets one.
    if (known.fallbackLocale !== null && others.some(({ usedAt }) => usedAt !== null))
      throw isFixed(given, 'fallbackLocale');
    yield* setFallback(store, known.id, fallbackLocale);
  }
  // The same again is no change.
  if (before?.hash !== text.hash || before.usedAt === null) {
    const isWritten = yield* writeText(store, known.id, text, now);
    if (!isWritten) throw isFixed(given, 'version');
  }
  const stored = yield* readText(store, known.id, text.locale);
  if (!stored) throw new Error('a text of a template was not stored');
  const fallback = fallbackLocale === undefined ? known.fallbackLocale : fallbackLocale;
  return shown({ ...known, fallbackLocale: fallback }, stored);
}

function* detailOf(
  store: Store,
  workspaceId: number,
  id: string,
  version: string | undefined,
): Script<TemplateDetail> {
  const known = yield* findVersion(store, workspaceId, id, version);
  if (!known) throw new PillarboxError('not_found', 'there is no such template, or not in that version');
  const all = yield* versionsOf(store, workspaceId, id, SHOWN_VERSIONS);
  const texts = yield* textsOf(store, known.id);
  return {
    ...{ id, version: known.version, fallbackLocale: known.fallbackLocale },
    versions: all.map((each) => each.version),
    locales: texts.map((text) => shown(known, text)),
  };
}

const shown = (
  { templateId, version, fallbackLocale }: TemplateVersion,
  { locale, subject, html, text, mjml, variables, usedAt, createdAt, updatedAt }: StoredText,
): Template => ({
  ...{ id: templateId, version, locale, subject, html, text, mjml, fallbackLocale, variables },
  ...{ direction: directionOf(locale), isUsed: usedAt !== null, createdAt, updatedAt },
});

const placeOf = ({ of, locale }: ListedText): TextPlace => ({ versionId: of.id, locale });

function readCursor(cursor: string): TextPlace {
  const [, id, locale] = /^([1-9]\d{0,14})\.([\w-]{2,35})$/.exec(cursor) ?? [];
  if (id === undefined || locale === undefined)
    throw invalidInput('cursor', 'is not a cursor that a list gave');
  return { versionId: Number(id), locale };
}

/** Whatever it reads has a value that says its name. */
function samplePayload({ id, locales }: TemplateDetail): Readonly<Record<string, unknown>> {
  if (id === SHIPPED.id) return SAMPLE_PAYLOAD;
  const payload: Record<string, unknown> = {};
  for (const { name } of locales.flatMap(({ variables }) => variables)) {
    const [root = '', ...rest] = name.split('.');
    if (root === 'recipient' || root === '__proto__') continue;
    const value = rest.reduceRight<unknown>((inner, field) => ({ [field]: inner }), `[${name}]`);
    payload[root] = merged(payload[root], value);
  }
  return payload;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function merged(before: unknown, value: unknown): unknown {
  if (!isObject(value)) return before ?? value;
  if (!isObject(before)) return value;
  const names = [...new Set([...Object.keys(before), ...Object.keys(value)])];
  return Object.fromEntries(names.map((name) => [name, merged(before[name], value[name])]));
}

/** Where somebody can mend it. */
function partFault(
  { mjml, text }: ReadTemplate,
  {
    part,
    line,
    message,
    suggestion,
  }: { part: string; line: number; message: string; suggestion: string | null },
): PillarboxError {
  const hint = suggestion === null ? '' : `; is ${suggestion} meant?`;
  if (part === 'text' && text === null)
    return invalidInput('text', `can not be made of the html (${message}); give one`);
  // Its lines are those of what was made of it.
  if (part === 'html' && mjml !== null) return invalidInput('mjml', `${message}${hint}`);
  return invalidInput(part, `line ${line}: ${message}${hint}`);
}

const isFixed = ({ id, version, locale }: ReadTemplate, field: string): PillarboxError =>
  new PillarboxError(
    'conflict',
    `mail has left with ${id} ${version} in ${locale}, so it stays as it is; save another version`,
    { field },
  );

const full = (): PillarboxError =>
  new PillarboxError(
    'conflict',
    `there are ${MOST_VERSIONS} versions of templates, or ${MOST_LOCALES} locales of one; that is all that fits`,
  );
