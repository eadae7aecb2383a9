import { chooseLocale, directionOf } from '../core/locale.js';
import { formatId } from '../core/ids.js';
import type { Page } from '../core/page.js';
import { readLimit } from '../core/page.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import {
  languageName,
  templatePlate,
  verdictWords,
  versionWords,
  type MissingLocale,
  type TemplatePlate,
  type TextFault,
} from '../core/template-words.js';
import { listDeadGroups, type DeadGroup } from '../store/scripts/dead-groups.js';
import {
  eventsNamingTemplates,
  listHeads,
  localesOfVersions,
  MOST_READERS,
  payloadsOf,
  readersByLocale,
  versionTexts,
  type NamingEvent,
} from '../store/scripts/template-use.js';
import { findVersion, localesOf, type TemplateVariable } from '../store/scripts/templates.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { readCheckInput, type CheckInput } from './input.js';
import {
  broughtVariables,
  faultsIn,
  lackingOf,
  seenOf,
  type Brought,
  type BroughtVariable,
  type TextPart,
} from './judge.js';
import { sourceOf, type TemplateLibrary } from './library.js';
import { htmlOfMjml } from './mjml.js';
import type { RenderPool } from './render-pool.js';
import { SAMPLE_PAYLOAD, SHIPPED } from './shipped.js';
import { neededOf } from './source.js';

export interface TemplateHead {
  readonly id: string;
  /** The newest, and how many there are. */
  readonly version: string;
  readonly versions: number;
  /** Of the newest. */
  readonly locales: readonly string[];
  /** How many topics the last events that name it are about. */
  readonly topics: number;
  readonly updatedAt: number;
}

export interface TemplateStanding {
  readonly usedBy: {
    readonly topics: number;
    readonly subscriptions: number;
    /** There are more subscriptions than are counted. */
    readonly isMore: boolean;
  };
  /** The newest few. */
  readonly versions: readonly {
    readonly version: string;
    readonly createdAt: number;
    readonly isUsed: boolean;
    readonly sentence: string;
  }[];
  /** What there is of each locale in each of those versions. */
  readonly matrix: readonly {
    readonly locale: string;
    readonly cells: readonly ('whole' | 'faulty' | 'none')[];
  }[];
  /** Newest first: what a preview can be fed with. */
  readonly events: readonly { readonly id: string; readonly topic: string; readonly at: number }[];
  readonly missing: readonly MissingLocale[];
}

export interface CheckedText {
  readonly locale: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly readers: number;
  /** Locales that get this text because there is none of their own. */
  readonly alsoFor: readonly string[];
  readonly verdict: string;
  readonly faults: readonly (TextFault & { readonly part: TextPart; readonly blocks: boolean })[];
}

export interface TemplateCheck {
  readonly plate: TemplatePlate;
  readonly texts: readonly CheckedText[];
  readonly variables: readonly BroughtVariable[];
}

interface Use {
  readonly events: readonly NamingEvent[];
  readonly topics: readonly string[];
  readonly brought: Brought;
  readonly readers: ReadonlyMap<string, number>;
}

const SHOWN_VERSIONS = 6;
const SHOWN_EVENTS = 20;
const MOST_TOPICS = 200;
const WEEK_MS = 7 * 86_400_000;

/** For who writes templates: what there is, who reads it, and what is wrong with it. Changes nothing. */
export class TemplateDesk {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly around: {
      readonly pool: RenderPool;
      readonly library: TemplateLibrary;
      /** What subscriptions without a locale read. */
      readonly defaultLocale: () => Promise<string>;
    },
  ) {}

  /** Templates by their names. */
  async heads(
    options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
  ): Promise<Page<TemplateHead>> {
    const { store, workspaceId } = this;
    const limit = readLimit(options.limit);
    if (options.cursor !== undefined && !/^[\w.-]{1,64}$/.test(options.cursor))
      throw invalidInput('cursor', 'is not a cursor that a list gave');
    await this.around.library.stock(workspaceId);
    const rows = await store.read(listHeads(store, workspaceId, { after: options.cursor, limit }));
    const texts = await store.read(
      localesOfVersions(
        store,
        rows.map(({ versionId }) => versionId),
      ),
    );
    const events = await store.read(eventsNamingTemplates(store, workspaceId));
    const items = rows.map(({ templateId, versions, versionId }) => {
      const own = texts.filter((text) => text.versionId === versionId);
      const named = events.filter((event) => event.templateId === templateId);
      return {
        ...{ id: templateId, versions, version: own[0]?.version ?? '' },
        locales: own.map(({ locale }) => locale),
        topics: new Set(named.map(({ topic }) => topic)).size,
        updatedAt: Math.max(0, ...own.map(({ updatedAt }) => updatedAt)),
      };
    });
    return { items, nextCursor: rows.length === limit ? (rows.at(-1)?.templateId ?? null) : null };
  }

  /** Throws `not_found`. */
  async standing(id: string, version?: string): Promise<TemplateStanding> {
    const { store, workspaceId } = this;
    const shown = await this.#version(id, version);
    const use = await this.#use(id);
    const now = await store.now();
    const versions = await store.read(versionTexts(store, workspaceId, id, SHOWN_VERSIONS));
    const texts = await store.read(localesOf(store, shown.id));
    const deaths = await store.read(listDeadGroups(store, workspaceId));
    const missing = missingOf(
      use,
      texts.map(({ locale }) => locale),
      shown.fallbackLocale,
    ).map(({ locale, count }) => ({ locale, count, died: diedWithout(deaths, id, shown.version, locale) }));
    const cellOf = (each: (typeof versions)[number], locale: string) => {
      const text = each.texts.find((known) => known.locale === locale);
      if (!text) return 'none';
      const needed = JSON.parse(text.variables) as readonly TemplateVariable[];
      return lackingOf(needed, use.brought).length > 0 ? 'faulty' : 'whole';
    };
    const locales = versions.flatMap((each) => each.texts.map(({ locale }) => locale));
    const rows = [...new Set([...locales, ...missing.map(({ locale }) => locale)])];
    const subscriptions = [...use.readers.values()].reduce((sum, n) => sum + n, 0);
    return {
      usedBy: { topics: use.topics.length, subscriptions, isMore: subscriptions >= MOST_READERS },
      versions: versions.map((each, place) => {
        const isUsed = each.texts.some(({ usedAt }) => usedAt !== null);
        const eventsOfWeek = use.events.filter(
          (event) => event.version === each.version && event.createdAt > now - WEEK_MS,
        ).length;
        const sentence = versionWords({ isNewest: place === 0, isUsed, eventsOfWeek });
        return { version: each.version, createdAt: each.createdAt, isUsed, sentence };
      }),
      matrix: rows.map((locale) => ({ locale, cells: versions.map((each) => cellOf(each, locale)) })),
      events: use.events
        .slice(0, SHOWN_EVENTS)
        .map(({ id: number, topic, createdAt }) => ({ id: formatId('event', number), topic, at: createdAt })),
      missing,
    };
  }

  /** What is wrong with these texts, also before they are saved, and how many people it hits. Throws `not_found`. */
  async check(input: CheckInput): Promise<TemplateCheck> {
    const { store, workspaceId, around } = this;
    const { id, version, fallbackLocale, texts } = readCheckInput(input);
    const shown = await this.#version(id, version);
    const use = await this.#use(id);
    const deaths = await store.read(listDeadGroups(store, workspaceId));
    const stored = await store.read(localesOf(store, shown.id));
    const locales = texts.map(({ locale }) => locale);
    const fallback = fallbackLocale === undefined ? shown.fallbackLocale : fallbackLocale;
    const checked: CheckedText[] = [];
    for (const text of texts) {
      const { html, fault } = await madeHtml(this.workspaceId, text);
      const found = await around.pool.check(sourceOf({ ...text, html }), String(workspaceId));
      const served = servedBy(use, text.locale, locales, fallback);
      const faults = fault
        ? [{ part: 'mjml' as const, line: 1, sentence: fault, name: null, suggestion: null, blocks: true }]
        : faultsIn(found, text.mjml !== null, use.brought);
      checked.push({
        ...{ locale: text.locale, language: languageName(text.locale), direction: directionOf(text.locale) },
        ...{ readers: served.readers, alsoFor: served.alsoFor },
        verdict: verdictWords(neededOf(found).length, use.brought.from, text.text === null),
        faults: faults.map((each) => ({ ...each, count: served.readers })),
      });
    }
    const judged = checked.map(({ locale, faults }) => ({
      ...{ locale, faults, died: diedOf(deaths, id, shown.version, locale) },
    }));
    const missing = missingOf(use, locales, fallback).map(({ locale, count }) => ({
      ...{ locale, count, died: diedWithout(deaths, id, shown.version, locale) },
    }));
    const isUsed = stored.some(({ usedAt }) => usedAt !== null);
    return {
      plate: templatePlate({ version: shown.version, isUsed, texts: judged, missing }),
      texts: checked,
      variables: broughtVariables(use.brought),
    };
  }

  async #version(id: string, version: string | undefined) {
    const { store, workspaceId } = this;
    await this.around.library.stock(workspaceId);
    const found = await store.read(findVersion(store, workspaceId, id, version));
    if (!found) throw new PillarboxError('not_found', 'there is no such template, or not in that version');
    return found;
  }

  async #use(id: string): Promise<Use> {
    const fallback = await this.around.defaultLocale();
    return this.store.read(readUse(this.store, this.workspaceId, id, fallback));
  }
}

/** Whoever asks twice gets the same: the newest events, what they said, and who wants to hear of their topics. */
function* readUse(store: Store, workspaceId: number, id: string, defaultLocale: string): Script<Use> {
  const events = yield* eventsNamingTemplates(store, workspaceId, id);
  const topics = [...new Set(events.map(({ topic }) => topic))].slice(0, MOST_TOPICS);
  const recent = events.slice(0, SHOWN_EVENTS);
  const said = yield* payloadsOf(
    store,
    workspaceId,
    recent.map((event) => event.id),
  );
  const payloads = recent.flatMap(({ id: number, createdAt }) => {
    const payload = said.get(number);
    return payload === undefined ? [] : [seenOf(JSON.parse(payload) as Record<string, unknown>, createdAt)];
  });
  const readers = new Map<string, number>();
  for (const [locale, n] of yield* readersByLocale(store, workspaceId, topics)) {
    const name = locale ?? defaultLocale;
    readers.set(name, (readers.get(name) ?? 0) + n);
  }
  const sample = id === SHIPPED.id ? [seenOf(SAMPLE_PAYLOAD, 0)] : [];
  const brought: Brought =
    payloads.length > 0
      ? { from: 'events', payloads }
      : { from: sample.length > 0 ? 'sample' : 'nothing', payloads: sample };
  return { events, topics, brought, readers };
}

/** Those that nothing serves, the most read first. */
const missingOf = (
  { readers }: Use,
  locales: readonly string[],
  fallback: string | null,
): readonly { readonly locale: string; readonly count: number }[] =>
  [...readers]
    .filter(([locale]) => chooseLocale(locale, locales, fallback ?? undefined) === undefined)
    .map(([locale, count]) => ({ locale, count }))
    .sort((a, b) => b.count - a.count);

function servedBy(
  { readers }: Use,
  locale: string,
  locales: readonly string[],
  fallback: string | null,
): { readonly readers: number; readonly alsoFor: readonly string[] } {
  const served = [...readers].filter(
    ([wanted]) => chooseLocale(wanted, locales, fallback ?? undefined) === locale,
  );
  return {
    readers: served.reduce((sum, [, n]) => sum + n, 0),
    alsoFor: served.map(([wanted]) => wanted).filter((wanted) => wanted !== locale),
  };
}

/** Dead letters that name this text as their cause: `renderFault` and `missingLocale` say it so. */
const diedOf = (deaths: readonly DeadGroup[], id: string, version: string, locale: string): number =>
  sum(deaths, ({ sample }) => sample.startsWith(`${id} ${version}, ${locale},`));
const diedWithout = (deaths: readonly DeadGroup[], id: string, version: string, locale: string): number =>
  sum(deaths, ({ sample }) => sample.startsWith(`template “${id}” ${version} has no text in ${locale},`));

const sum = (deaths: readonly DeadGroup[], isOne: (group: DeadGroup) => boolean): number =>
  deaths.filter(isOne).reduce((total, { count }) => total + count, 0);

/** What mjml makes no html of is a fault like any other. */
async function madeHtml(
  workspaceId: number,
  { html, mjml }: { readonly html: string | null; readonly mjml: string | null },
): Promise<{ readonly html: string | null; readonly fault?: string }> {
  if (mjml === null) return { html };
  try {
    return { html: await htmlOfMjml(workspaceId, mjml) };
  } catch (error) {
    if (error instanceof PillarboxError) return { html: '', fault: error.message.replace(/^mjml: /, '') };
    throw error;
  }
}
