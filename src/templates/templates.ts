import { invalidInput, PillarboxError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { directionOf } from '../core/locale.js';
import { buildJob, jobEventOf, jobFault, type JobEvent } from '../core/mail-job.js';
import { readLimit, type Page } from '../core/page.js';
import { RETRY_POLICIES } from '../core/retry.js';
import { headOf } from '../core/mail-head.js';
import type { LaneDelivery } from '../core/delivery-settings.js';
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
import { TemplateDesk } from './desk.js';
import {
  readPreviewInput,
  readTemplateInput,
  readVersionInput,
  type PreviewInput,
  type ReadTemplate,
  type TemplateInput,
  type TestInput,
  type VersionInput,
} from './input.js';
import { hashOf, sourceOf, type TemplateLibrary } from './library.js';
import { htmlOfMjml } from './mjml.js';
import { noticeOf } from './notice.js';
import type { RenderPool } from './render-pool.js';
import { samplePayload } from './sample.js';
import { neededOf } from './source.js';
import { firstSender, mailboxOf, sendTest, senderOf, type TestSend } from './test-send.js';

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
  /** What stands above it, as the workspace's first account would send it. None if there would be no mail. */
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly { readonly code: string; readonly message: string }[];
}

export interface TemplateSurroundings {
  readonly pool: RenderPool;
  readonly library: TemplateLibrary;
  readonly links: Links;
  /** What subscriptions without a locale read. */
  readonly defaultLocale: () => Promise<string>;
  /** What holds for single mails, as which a test leaves. */
  readonly lane: () => LaneDelivery | Promise<LaneDelivery>;
  readonly door: TestSend['door'];
}

const LIST_OPTIONS: OptionNames<TemplateListOptions> = { limit: true, cursor: true };
const PAGE_LETTERS = 2_000_000;
const MOST_VERSIONS = 5_000;
const MOST_LOCALES = 300;
const SHOWN_VERSIONS = 200;

/** What notifications say. A text that mail has left with never changes; what is new is another version. */
export class Templates {
  /** For who writes them. */
  readonly desk: TemplateDesk;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly around: TemplateSurroundings,
  ) {
    this.desk = new TemplateDesk(store, workspaceId, around);
  }

  /**
   * Adds a text, or corrects one that no mail has left with. Throws `invalid_input` with the field, also for a template
   * that does not make sense, and `conflict` if mail has left with it. Safe to repeat.
   */
  async save(input: TemplateInput): Promise<Template> {
    const { store, workspaceId, around } = this;
    const judged = await this.#judge(readTemplateInput(input));
    await around.library.stock(workspaceId);
    const now = await store.now();
    return store.transaction(() => saveText(store, workspaceId, judged, now));
  }

  /**
   * A whole version in one step: its texts come together, so that no event is told by half of it. Throws as `save` does,
   * and `conflict` if it is to be new and somebody was first.
   */
  async saveVersion(id: string, input: VersionInput): Promise<TemplateDetail> {
    const { store, workspaceId, around } = this;
    const { version, isNew = false, fallbackLocale, texts } = readVersionInput(input);
    const judged: Judged[] = [];
    for (const [index, text] of texts.entries()) {
      const given = readTemplateInput({
        ...{ id, version, ...text },
        ...(fallbackLocale !== undefined && { fallbackLocale }),
      });
      judged.push(await this.#judge(given, `texts.${index}.`));
    }
    await around.library.stock(workspaceId);
    const now = await store.now();
    return store.transaction(function* () {
      const known = yield* findVersion(store, workspaceId, id, version);
      if (known && isNew) throw takenVersion(version);
      // Without texts there is only something to be said about a version that there is.
      if (!known && judged.length === 0) throw noSuchVersion();
      for (const text of judged) yield* saveText(store, workspaceId, text, now);
      if (known && judged.length === 0 && fallbackLocale !== undefined) {
        const others = yield* localesOf(store, known.id);
        if (known.fallbackLocale !== null && others.some(({ usedAt }) => usedAt !== null))
          throw isFixed({ id, version, locale: known.fallbackLocale }, 'fallbackLocale');
        yield* setFallback(store, known.id, fallbackLocale);
      }
      return yield* detailOf(store, workspaceId, id, version);
    });
  }

  async #judge(given: ReadTemplate, within = ''): Promise<Judged> {
    const html = given.mjml === null ? given.html : await htmlOfMjml(this.workspaceId, given.mjml);
    const source = sourceOf({ ...given, html });
    const checked = await this.around.pool.check(source, String(this.workspaceId));
    const [fault] = checked.faults;
    if (fault) throw partFault(given, fault, within);
    return { ...given, html, hash: hashOf(source), variables: neededOf(checked) };
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
    const { told, broken, locale, job } = await this.#render(input);
    const own = 'fault' in told ? [told.fault] : [];
    // What the contract misses, and then what the template does, unless it is the same.
    const faults = broken && broken.code !== own[0]?.code ? [broken, ...own] : own;
    const parts = 'fault' in told ? undefined : told;
    const sender = parts && (await firstSender(this.store, this.workspaceId));
    const notice =
      sender && noticeOf(parts, { from: mailboxOf(sender), to: job.recipient, links: job.links });
    return {
      ...{ subject: parts?.subject ?? null, html: parts?.html ?? null, text: parts?.text ?? null },
      ...{ locale: parts?.locale ?? null, direction: parts?.direction ?? directionOf(locale) },
      headers: notice ? headOf(notice) : {},
      faults: faults.map(({ code, message }) => ({ code, message })),
    };
  }

  /**
   * Sends what the preview shows to an address of one's own, at once; marked by `X-Pillarbox-Test: 1`. It fixes nothing:
   * a text that was only tried may still be corrected. Throws `invalid_input`, also if there would be no mail.
   */
  async test(input: TestInput): Promise<{ readonly id: string }> {
    const { to, accountId, ...what } = input;
    const { told, job } = await this.#render(what);
    if ('fault' in told) throw invalidInput('draft', told.fault.message);
    const account = await senderOf(this.store, this.workspaceId, accountId);
    const { lane, door } = this.around;
    const mail = noticeOf(told, { from: mailboxOf(account), to: { email: to }, links: job.links });
    return sendTest(this.store, { action: 'email', mail, account, to, lane: await lane(), door });
  }

  async #render(input: PreviewInput) {
    const { store, workspaceId, around } = this;
    const { id, version, locale, eventId, payload, draft } = readPreviewInput(input);
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
    const text = { workspaceId, job, event: facts };
    if (draft) {
      const { subject, text: plain = null, mjml = null } = draft;
      const html = mjml === null ? (draft.html ?? null) : await htmlOfMjml(this.workspaceId, mjml);
      const source = sourceOf({ subject, html, text: plain });
      return { told: await around.library.renderDraft(text, source, locale), broken, locale, job };
    }
    const [told] = await around.library.renderMany([text], { isLook: true });
    if (!told) throw new Error('one job had no answer');
    return { told, broken, locale, job };
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
  if (!known) throw noSuchVersion();
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

/** Where somebody can mend it. */
function partFault(
  { mjml, text }: ReadTemplate,
  {
    part,
    line,
    message,
    suggestion,
  }: { part: string; line: number; message: string; suggestion: string | null },
  within: string,
): PillarboxError {
  const hint = suggestion === null ? '' : `; is ${suggestion} meant?`;
  if (part === 'text' && text === null)
    return invalidInput(`${within}text`, `can not be made of the html (${message}); give one`);
  // Its lines are those of what was made of it.
  if (part === 'html' && mjml !== null) return invalidInput(`${within}mjml`, `${message}${hint}`);
  return invalidInput(`${within}${part}`, `line ${line}: ${message}${hint}`);
}

const noSuchVersion = (): PillarboxError =>
  new PillarboxError('not_found', 'there is no such template, or not in that version');

const takenVersion = (version: string): PillarboxError =>
  new PillarboxError('conflict', `somebody has saved ${version} meanwhile; look at it first`, {
    field: 'version',
  });

const isFixed = (
  { id, version, locale }: Pick<ReadTemplate, 'id' | 'version' | 'locale'>,
  field: string,
): PillarboxError =>
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
