import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { readMapping, type Mapping } from '../core/contact-columns.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import type { RejectCode } from '../core/import.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import { forPeople } from '../core/text.js';
import { csvLine, SEPARATORS } from '../core/csv.js';
import { listRejects, KEPT_REJECTS, type Reject } from '../store/scripts/import-steps.js';
import {
  addPieces,
  closeUpload,
  countOpenImports,
  forgetImport,
  forgetPieces,
  listImports,
  lockImport,
  openImport,
  readImport,
  startImport,
  stopImport,
  type Import,
  type Uploaded,
} from '../store/scripts/imports.js';
import { readCampaign } from '../store/scripts/campaigns.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { ImportRunner } from './import-runner.js';
import { firstLook, type FirstLook } from './first-look.js';
import { ENCODINGS } from './decode.js';
import { readUpload, type FileSource, type HowToRead } from './upload.js';

/** They take room until they are finished. */
const MOST_OPEN = 20;
const LONGEST_FILE_NAME = 200;
const POLL_MS = 100;
const REJECTS_AT_ONCE = 200;

export interface FileOptions extends HowToRead {
  /** What the file is called, for people. */
  readonly fileName?: string | undefined;
}

export interface UploadOptions extends FileOptions {
  /** The same file, read in another way: that upload is thrown away in the commit that keeps this one. */
  readonly instead?: string | undefined;
}

export interface StartOptions {
  /** Whoever is in the file is put at the end of the line of this campaign, as he comes in. */
  readonly campaignId?: string | undefined;
}

export interface ImportOptions extends FileOptions, StartOptions {
  /** What columns become: `email`, `name`, `linkedinId`, `timezone`, the name of an attribute; null: nothing. */
  readonly mapping?: Mapping | undefined;
  /** Told now and then how far it has come. */
  readonly onProgress?: ((progress: Import) => void) | undefined;
}

export interface ImportReport {
  readonly id: string;
  readonly imported: number;
  readonly updated: number;
  /** The first ten thousand. */
  readonly rejected: readonly Pick<Reject, 'line' | 'reason'>[];
  readonly rejectedTotal: number;
  /** People who were put into the campaign, and those whom it did not take because it was stopped meanwhile. */
  readonly enrolled: number;
  readonly notEnrolled: number;
}

export interface RejectOptions {
  readonly code?: RejectCode | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const START_OPTIONS: OptionNames<StartOptions> = { campaignId: true };
const FILE_OPTIONS: OptionNames<FileOptions> = { fileName: true, separator: true, encoding: true };
const UPLOAD_OPTIONS: OptionNames<UploadOptions> = { ...FILE_OPTIONS, instead: true };
const IMPORT_OPTIONS: OptionNames<ImportOptions> = {
  ...{ ...FILE_OPTIONS, ...START_OPTIONS },
  ...{ mapping: true, onProgress: true },
};
const REJECT_OPTIONS: OptionNames<RejectOptions> = { code: true, limit: true, cursor: true };

/** Files of contacts: uploaded, mapped, imported line by line, also beyond the life of a process. */
export class Imports {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly runner: ImportRunner,
  ) {}

  /**
   * Takes a whole file and imports nothing yet. Throws `invalid_input` if it can't be read, and keeps nothing of it;
   * `conflict` if what it is meant to replace has begun.
   */
  async upload(source: FileSource, options: UploadOptions = {}): Promise<Import> {
    knownOptions(options, UPLOAD_OPTIONS);
    const how = readHow(options);
    const { store, workspaceId } = this;
    const before = options.instead === undefined ? undefined : await this.get(options.instead);
    if (before && before.state !== 'mapping') throw begun(before);
    const open = await store.read(countOpenImports(store, workspaceId));
    if (open - (before ? 1 : 0) >= MOST_OPEN)
      throw new PillarboxError(
        'conflict',
        `${String(open)} imports of this workspace are not finished; start them, or stop some`,
      );
    const fileName = options.fileName === undefined ? null : forPeople(options.fileName, LONGEST_FILE_NAME);
    const began = await store.now();
    const id = await store.transaction(() => openImport(store, workspaceId, fileName, began));
    try {
      const keep = async (from: number, pieces: readonly string[]) => {
        const now = await store.now();
        if (!(await store.transaction(() => addPieces(store, id, from, pieces, now)))) throw thrownAway();
      };
      const uploaded = await readUpload(source, keep, how);
      const now = await store.now();
      await store.transaction(() => this.#close(id, uploaded, before, now));
    } catch (error) {
      await this.#forget(id);
      throw error;
    }
    if (before) await this.#forget(before.id);
    return this.#get(id);
  }

  /** It is all there, and stands for the one before from now on, unless somebody has begun that. */
  *#close(id: number, uploaded: Uploaded, before: Import | undefined, now: number): Script<void> {
    const { store, workspaceId } = this;
    if (before) {
      const known = yield* lockImport(store, workspaceId, before.id);
      if (!known) throw noImport();
      if (known.state !== 'mapping') throw begun(known);
      yield* stopImport(store, before.id, now);
    }
    if (!(yield* closeUpload(store, id, uploaded, now))) throw thrownAway();
  }

  /** The mapping is fixed and the work begins; it goes on by itself. Throws `conflict` if it has begun before. */
  async start(id: string, mapping: Mapping = {}, options: StartOptions = {}): Promise<Import> {
    knownOptions(options, START_OPTIONS);
    const { store, workspaceId } = this;
    const number = numberOf(id);
    const now = await store.now();
    await store.transaction(() => begin(store, workspaceId, number, { mapping, ...options }, now));
    void this.runner.run(number);
    return this.#get(number);
  }

  /** What would come of it with these columns, as far as its beginning tells. Nothing is stored. */
  async look(id: string, mapping: Mapping = {}): Promise<FirstLook> {
    const known = await this.get(id);
    if (known.state !== 'mapping') throw begun(known);
    return firstLook(this.store, known, readColumns(known, mapping));
  }

  /** Nothing more of it is imported; what is in stays in. */
  async stop(id: string): Promise<Import> {
    const { store, workspaceId } = this;
    const number = numberOf(id);
    const now = await store.now();
    await store.transaction(() => end(store, workspaceId, number, now));
    while (await store.transaction(() => forgetPieces(store, number))) await othersFirst();
    return this.#get(number);
  }

  /** All at once: uploads, maps, and waits for the end. If this process dies meanwhile, another one goes on. */
  async import(source: FileSource, options: ImportOptions = {}): Promise<ImportReport> {
    knownOptions(options, IMPORT_OPTIONS);
    const { mapping = {}, campaignId, onProgress, ...file } = options;
    // Before the whole file is read: it may be large.
    if (campaignId !== undefined)
      await this.store.read(openCampaign(this.store, this.workspaceId, campaignId));
    const uploaded = await this.upload(source, file);
    try {
      await this.start(formatId('import', uploaded.id), mapping, { campaignId });
    } catch (error) {
      // Nobody would ever say what its columns become.
      await this.#forget(uploaded.id);
      throw error;
    }
    return this.#report(await this.#finished(uploaded.id, onProgress));
  }

  /** Throws `not_found`. */
  get(id: string): Promise<Import> {
    return this.#get(numberOf(id));
  }

  /** Newest first. */
  async list(
    options: { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<Page<Import>> {
    knownOptions(options, { limit: true, cursor: true });
    const limit = readLimit(options.limit);
    const before = cursorOf(options.cursor);
    const items = await this.store.read(listImports(this.store, this.workspaceId, before, limit));
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? formatId('import', last.id) : null };
  }

  /** The lines that were left out, in their order. */
  async rejected(id: string, options: RejectOptions = {}): Promise<Page<Reject>> {
    knownOptions(options, REJECT_OPTIONS);
    const { id: number } = await this.get(id);
    const limit = readLimit(options.limit);
    const after = options.cursor === undefined ? 0 : Number(options.cursor);
    if (!Number.isSafeInteger(after) || after < 0) throw badCursor();
    const items = await this.store.read(
      listRejects(this.store, number, { after, limit, code: options.code }),
    );
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? String(last.line) : null };
  }

  /** The same as CSV: the columns of the file, and why. To be corrected and imported again. */
  async *rejectedCsv(id: string): AsyncGenerator<string> {
    const { id: number, columns } = await this.get(id);
    yield csvLine([...columns.map(({ name }) => name), 'reason']);
    for (let after = 0; ;) {
      const rows = await this.store.read(listRejects(this.store, number, { after, limit: REJECTS_AT_ONCE }));
      if (rows.length === 0) return;
      yield rows
        .map(({ cells, reason }) => csvLine([...columns.map((_, place) => cells[place] ?? ''), reason]))
        .join('');
      after = rows.at(-1)?.line ?? Infinity;
    }
  }

  /** What can't be forgotten now is forgotten when it is old. */
  async #forget(id: number): Promise<void> {
    const { store } = this;
    try {
      while (await store.transaction(() => forgetImport(store, id))) await othersFirst();
    } catch {
      // Whoever asked has to hear of what went wrong first.
    }
  }

  async #get(id: number): Promise<Import> {
    const found = await this.store.read(readImport(this.store, this.workspaceId, id));
    if (!found) throw noImport();
    return found;
  }

  async #finished(id: number, onProgress?: (progress: Import) => void): Promise<Import> {
    const run = this.runner.run(id);
    for (;;) {
      await (onProgress ? Promise.race([run, sleep(POLL_MS)]) : run);
      const known = await this.#get(id);
      onProgress?.(known);
      if (known.finishedAt !== null) return known;
      if (this.runner.isStopping)
        throw new PillarboxError(
          'stopped',
          `this process stops; import ${formatId('import', id)} goes on when another one runs`,
        );
      // Nobody here is at it any more; another process may be.
      await Promise.race([sleep(POLL_MS), this.runner.run(id)]);
    }
  }

  async #report(known: Import): Promise<ImportReport> {
    const { id, imported, updated, rejected: rejectedTotal, enrolled, notEnrolled } = known;
    const rejected = await this.store.read(listRejects(this.store, id, { after: 0, limit: KEPT_REJECTS }));
    return {
      id: formatId('import', id),
      imported,
      updated,
      rejected: rejected.map(({ line, reason }) => ({ line, reason })),
      ...{ rejectedTotal, enrolled, notEnrolled },
    };
  }
}

function readHow({ separator, encoding }: HowToRead): HowToRead {
  if (separator !== undefined && !SEPARATORS.includes(separator))
    throw invalidInput('separator', 'should be a comma, a semicolon, a tab or a bar');
  if (encoding !== undefined && !ENCODINGS.includes(encoding))
    throw invalidInput('encoding', `should be one of ${ENCODINGS.join(', ')}`);
  return { separator, encoding };
}

function* begin(
  store: Store,
  workspaceId: number,
  id: number,
  { mapping, campaignId }: StartOptions & { readonly mapping: Mapping },
  now: number,
): Script<void> {
  const known = yield* lockImport(store, workspaceId, id);
  if (!known) throw noImport();
  if (known.state !== 'mapping') throw begun(known);
  const columns = readColumns(known, mapping);
  const campaign = campaignId === undefined ? null : yield* openCampaign(store, workspaceId, campaignId);
  yield* startImport(store, known, columns, campaign, now);
}

function readColumns({ columns }: Import, chosen: Mapping): Mapping {
  const read = readMapping(
    columns.map(({ name }) => name),
    chosen,
  );
  if (!('mapping' in read)) throw invalidInput(read.field, read.text);
  return read.mapping;
}

/** One that takes people by itself: who is put into a completed one waits until somebody launches it again. */
function* openCampaign(store: Store, workspaceId: number, campaignId: string): Script<number> {
  const id = parseId('campaign', campaignId);
  const campaign = id === undefined ? undefined : yield* readCampaign(store, workspaceId, id);
  if (!campaign) throw invalidInput('campaignId', 'is not the id of a known campaign');
  if (campaign.state === 'stopped' || campaign.state === 'completed')
    throw new PillarboxError('conflict', `campaignId: the campaign is ${campaign.state}; choose another`, {
      field: 'campaignId',
    });
  return campaign.id;
}

function* end(store: Store, workspaceId: number, id: number, now: number): Script<void> {
  const known = yield* lockImport(store, workspaceId, id);
  if (!known) throw noImport();
  if (known.finishedAt !== null)
    throw new PillarboxError('conflict', `this import is ${known.state}: there is nothing left to stop`);
  yield* stopImport(store, id, now);
}

const begun = ({ state }: Import): PillarboxError =>
  new PillarboxError('conflict', `this import is ${state}: its columns are fixed`);

const noImport = (): PillarboxError => new PillarboxError('not_found', 'there is no such import');

const thrownAway = (): PillarboxError =>
  new PillarboxError('conflict', 'the file took so long to come that its beginning was thrown away');

const badCursor = (): PillarboxError => invalidInput('cursor', 'is not a cursor that a list gave');

function numberOf(id: string): number {
  const number = parseId('import', id);
  if (number === undefined) throw noImport();
  return number;
}

function cursorOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const number = parseId('import', cursor);
  if (number === undefined) throw badCursor();
  return number;
}
