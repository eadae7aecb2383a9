import { hash } from 'node:crypto';
import { chooseLocale, directionOf } from '../core/locale.js';
import type { JobEvent, NotificationJob } from '../core/mail-job.js';
import type { SendError } from '../core/report.js';
import type { Script } from '../store/script.js';
import {
  ensureVersion,
  findVersion,
  localesOf,
  markUsed,
  readText,
  writeText,
  type TemplateVersion,
} from '../store/scripts/templates.js';
import type { Store } from '../store/store.js';
import { withDirection } from './direction.js';
import { missingLocale, notFound, renderFault } from './send-faults.js';
import type { RenderPool } from './render-pool.js';
import { SHIPPED, SHIPPED_VARIABLES } from './shipped.js';
import { isFault, type RenderJob, type Scope, type Setting, type TemplateSource } from './source.js';

/** One notification whose text is wanted. */
export interface TextJob {
  readonly workspaceId: number;
  readonly job: NotificationJob;
  /** What the job was built of, the same object for all of its recipients. Not given: the job was handed in. */
  readonly event?: JobEvent | undefined;
  /** In which its times are said. Default UTC. */
  readonly timezone?: string | undefined;
}

/** What a template made of it, and of which. */
export interface Text {
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly version: string;
  /** The one that was chosen, and how its letters run. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
}

export type Told = Text | { readonly fault: SendError };

export interface RenderOptions {
  /** Nothing leaves: it is only looked at. */
  readonly isLook?: boolean;
}

const MOST_KEPT = 300;
/** Texts that are corrected again and again while mail wants to leave with them. */
const MOST_ROUNDS = 3;

/**
 * The templates of all workspaces, for those who send. A text that mail is about to leave with is fixed before it does:
 * from then on nobody changes it.
 */
export class TemplateLibrary {
  /** By what they say, so they stay true. */
  readonly #sources = new Map<string, TemplateSource>();
  readonly #settings = new WeakMap<JobEvent, Map<string, Setting>>();
  readonly #stocked = new Set<number>();

  constructor(
    private readonly store: Store,
    private readonly pool: RenderPool,
  ) {}

  /** Which version an event is told by that names none. Undefined: there is no such template. */
  async newestVersion(workspaceId: number, templateId: string): Promise<string | undefined> {
    await this.stock(workspaceId);
    const found = await this.store.read(findVersion(this.store, workspaceId, templateId, undefined));
    return found?.version;
  }

  /**
   * One answer a job, in their order; what they share is read and rendered once. A fault is the end of that job's try:
   * `template_not_found`, `template_missing_locale`, `template_missing_variable`… Rejects if it must be asked again.
   */
  async renderMany(jobs: readonly TextJob[], options: RenderOptions = {}): Promise<readonly Told[]> {
    const told: Told[] = [];
    let open = jobs.map((_job, index) => index);
    for (let round = 1; open.length > 0; round += 1) {
      if (round > MOST_ROUNDS) throw new Error('a template is being changed all the time');
      const asked = open.map((index) => jobs[index] as TextJob);
      const { answers, changed } = await this.#renderOnce(asked, options);
      const again: number[] = [];
      for (const [n, index] of open.entries()) {
        if (changed.has(n)) again.push(index);
        else told[index] = answers[n] as Told;
      }
      open = again;
    }
    return told;
  }

  /** What their subjects would be, for a look; undefined: of that one there is none. Fixes nothing. */
  async subjectsOf(jobs: readonly TextJob[]): Promise<readonly (string | undefined)[]> {
    for (const workspaceId of new Set(jobs.map((job) => job.workspaceId))) await this.stock(workspaceId);
    const chosen = await this.store.read(this.#choose(jobs));
    const asked = chosen.flatMap((choice, n) => {
      if ('fault' in choice) return [];
      const { subject = '' } = choice.source;
      return [{ n, job: this.#renderJobOf(jobs[n] as TextJob, { ...choice, source: { subject } }) }];
    });
    const rendered = await this.pool.render(asked.map(({ job }) => job));
    const subjects: (string | undefined)[] = chosen.map(() => undefined);
    for (const [k, { n }] of asked.entries()) {
      const made = rendered[k];
      if (made && !isFault(made)) subjects[n] = made.subject;
    }
    return subjects;
  }

  /** As `renderMany`, for a text that is not saved, in this locale: for a look. */
  async renderDraft(job: TextJob, source: TemplateSource, locale: string): Promise<Told> {
    const { workspaceId, job: facts } = job;
    const version = { ...UNSAVED, templateId: facts.template.id, version: facts.template.version ?? '' };
    const chosen = { version, locale, hash: '', usedAt: null, source, key: '' };
    const [made] = await this.pool.render([this.#renderJobOf({ ...job, workspaceId }, chosen)]);
    if (!made) throw new Error('a job had no answer');
    return isFault(made) ? { fault: renderFault(version, locale, made.fault) } : textOf(chosen, made);
  }

  /** What every workspace begins with. */
  async stock(workspaceId: number): Promise<void> {
    if (this.#stocked.has(workspaceId)) return;
    const { store } = this;
    const known = await store.read(findVersion(store, workspaceId, SHIPPED.id, undefined));
    if (!known) {
      const now = await store.now();
      await store.transaction(() => stockOf(store, workspaceId, now));
    }
    this.#stocked.add(workspaceId);
  }

  async #renderOnce(jobs: readonly TextJob[], { isLook = false }: RenderOptions) {
    for (const workspaceId of new Set(jobs.map((job) => job.workspaceId))) await this.stock(workspaceId);
    const chosen = await this.store.read(this.#choose(jobs));
    const renderJobs = chosen.flatMap((choice, n) =>
      'fault' in choice ? [] : [this.#renderJobOf(jobs[n] as TextJob, choice)],
    );
    const rendered = await this.pool.render(renderJobs);
    const answers: Told[] = [];
    const used = new Map<string, Chosen>();
    let next = 0;
    for (const choice of chosen) {
      if ('fault' in choice) {
        answers.push(choice);
        continue;
      }
      const made = rendered[next];
      next += 1;
      if (!made) throw new Error('a job had no answer');
      if (isFault(made)) {
        answers.push({ fault: renderFault(choice.version, choice.locale, made.fault) });
        continue;
      }
      answers.push(textOf(choice, made));
      if (choice.usedAt === null) used.set(choice.key, choice);
    }
    const changed = isLook ? NOTHING : await this.#fix([...used.values()]);
    const isChanged = (n: number) => {
      const choice = chosen[n];
      return choice !== undefined && !('fault' in choice) && changed.has(choice.key);
    };
    return { answers, changed: new Set([...answers.keys()].filter(isChanged)) };
  }

  /** Answers those that say something else by now. */
  async #fix(used: readonly Chosen[]): Promise<ReadonlySet<string>> {
    if (used.length === 0) return NOTHING;
    const { store } = this;
    const now = await store.now();
    return store.transaction(function* () {
      const changed = new Set<string>();
      // In one order, as everybody does: two who fix the same ones wait and do not meet.
      for (const { version, locale, hash: said, key } of [...used].sort(byKey)) {
        if (!(yield* markUsed(store, version.id, locale, said, now))) changed.add(key);
      }
      return changed;
    });
  }

  *#choose(jobs: readonly TextJob[]): Script<readonly Choice[]> {
    const known = new Map<string, Known | undefined>();
    const choices: Choice[] = [];
    for (const { workspaceId, job } of jobs) {
      const { id, version } = job.template;
      const name = JSON.stringify([workspaceId, id, version ?? null]);
      if (!known.has(name)) known.set(name, yield* this.#look(workspaceId, id, version));
      choices.push(yield* this.#choice(known.get(name), job));
    }
    return choices;
  }

  *#look(workspaceId: number, id: string, version: string | undefined): Script<Known | undefined> {
    const found = yield* findVersion(this.store, workspaceId, id, version);
    return found && { version: found, texts: yield* localesOf(this.store, found.id), chosen: new Map() };
  }

  *#choice(known: Known | undefined, { template, locale }: NotificationJob): Script<Choice> {
    if (!known) return { fault: notFound(template) };
    const before = known.chosen.get(locale);
    if (before) return before;
    const choice = yield* this.#chooseText(known, locale);
    known.chosen.set(locale, choice);
    return choice;
  }

  *#chooseText({ version, texts }: Known, wanted: string): Script<Choice> {
    const locales = texts.map(({ locale }) => locale);
    const locale = chooseLocale(wanted, locales, version.fallbackLocale ?? undefined);
    const text = texts.find((each) => each.locale === locale);
    if (locale === undefined || !text) return { fault: missingLocale(version, wanted, locales) };
    let said = text.hash;
    let { usedAt } = text;
    let source = this.#sources.get(said);
    if (!source) {
      const stored = yield* readText(this.store, version.id, locale);
      if (!stored) throw new Error('a text of a template is gone');
      ({ hash: said, usedAt } = stored);
      source = sourceOf(stored);
      if (this.#sources.size >= MOST_KEPT) this.#sources.clear();
      this.#sources.set(said, source);
    }
    return { version, locale, hash: said, usedAt, source, key: `${version.id} ${locale}` };
  }

  #renderJobOf(
    { workspaceId, job, event, timezone = 'UTC' }: TextJob,
    { source, locale }: Chosen,
  ): RenderJob {
    const setting = event ? this.#settingOf(event, locale, timezone) : { variables: {}, locale, timezone };
    return { source, setting, own: ownOf(job, event?.variables), of: String(workspaceId) };
  }

  #settingOf(event: JobEvent, locale: string, timezone: string): Setting {
    const settings = this.#settings.get(event) ?? new Map<string, Setting>();
    this.#settings.set(event, settings);
    const key = `${locale} ${timezone}`;
    const setting = settings.get(key) ?? { variables: event.variables, locale, timezone };
    settings.set(key, setting);
    return setting;
  }
}

const UNSAVED = { id: 0, fallbackLocale: null, createdAt: 0 };
const NOTHING: ReadonlySet<string> = new Set();

interface Known {
  readonly version: TemplateVersion;
  readonly texts: readonly {
    readonly locale: string;
    readonly hash: string;
    readonly usedAt: number | null;
  }[];
  readonly chosen: Map<string, Choice>;
}

interface Chosen {
  readonly version: TemplateVersion;
  readonly locale: string;
  readonly hash: string;
  readonly usedAt: number | null;
  readonly source: TemplateSource;
  readonly key: string;
}

type Choice = Chosen | { readonly fault: SendError };

const byKey = (a: Chosen, b: Chosen): number => a.version.id - b.version.id || (a.locale < b.locale ? -1 : 1);

/** What is this recipient's own; of a job that was handed in, everything. */
function ownOf({ template, links, event, recipient }: NotificationJob, shared: Scope | undefined): Scope {
  if (shared) return Object.hasOwn(shared, 'recipient') ? links : { ...links, recipient };
  return { eventDetectedAt: event.eventAt, recipient, ...links, ...template.variables };
}

export const sourceOf = ({
  subject,
  html,
  text,
}: {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}): TemplateSource => ({ subject, ...(html !== null && { html }), ...(text !== null && { text }) });

/** Of what it says. */
export const hashOf = (source: TemplateSource): string =>
  hash('sha256', JSON.stringify([source.subject, source.html, source.text]), 'base64url').slice(0, 22);

function* stockOf(store: Store, workspaceId: number, now: number): Script<void> {
  const { id, version, locale, subject, html, text } = SHIPPED;
  const known = yield* findVersion(store, workspaceId, id, undefined);
  if (known) return;
  const made = yield* ensureVersion(store, workspaceId, id, version, now);
  const said = { locale, subject, html, text, mjml: null, variables: SHIPPED_VARIABLES };
  yield* writeText(store, made.id, { ...said, hash: hashOf({ subject, html, text }) }, now);
}

function textOf(
  { version, locale }: Chosen,
  made: Readonly<Partial<Record<'subject' | 'html' | 'text', string>>>,
): Text {
  const { subject = '', html, text } = made;
  const direction = directionOf(locale);
  return {
    ...{ subject, version: version.version, locale, direction },
    ...(html !== undefined && { html: withDirection(html, locale, direction) }),
    ...(text !== undefined && { text }),
  };
}
