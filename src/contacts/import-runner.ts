import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { lineReader, type LineReader } from '../core/contact-columns.js';
import { isOutage } from '../core/errors.js';
import type { Logger } from '../log/log.js';
import type { Script } from '../store/script.js';
import { importStep, type LeftLine, type Line } from '../store/scripts/import-steps.js';
import { readImport, readPieces, stopImport, type Import, type Piece } from '../store/scripts/imports.js';
import type { Store } from '../store/store.js';
import type { PieceRecord } from './upload.js';

/** Where addresses come in: whoever was erased and must not be written to is known again there. */
export type Door = (
  addresses: readonly string[],
  write: (script: Script<void>) => Promise<unknown>,
) => undefined | Promise<void>;

const PIECES_AHEAD = 2;
const OUTAGE_WAIT_MS = 1_000;
/** What fails this often without the database being away will fail for ever. */
const TRIES = 3;

/**
 * Works through imports, a piece at a time. Where one has come to stands in the database, and a piece and its place are one
 * commit: any process may go on with it at any time, also two at once, and none is done twice.
 */
export class ImportRunner {
  readonly #running = new Map<number, Promise<void>>();
  #stopping = false;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly door: Door,
    private readonly log: Logger,
  ) {}

  /** Resolves when it is finished, or when this process has to stop. */
  run(id: number): Promise<void> {
    let run = this.#running.get(id);
    if (!run) {
      run = this.#work(id).finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
    return run;
  }

  /** The pieces that are being written are written. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled(this.#running.values());
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  async #work(id: number): Promise<void> {
    for (let failures = 0; !this.#stopping;) {
      try {
        if (await this.#goOn(id)) return;
        failures = 0;
      } catch (error) {
        if (!isOutage(error)) failures += 1;
        if (failures >= TRIES) return this.#giveUp(id, error);
        await sleep(OUTAGE_WAIT_MS);
      }
    }
  }

  /** A few pieces. True: there is nothing more to do. */
  async #goOn(id: number): Promise<boolean> {
    const { store, workspaceId } = this;
    const known = await store.read(readImport(store, workspaceId, id));
    if (known?.state !== 'running') return true;
    const pieces = await store.read(readPieces(store, id, known.nextPiece, PIECES_AHEAD));
    const read = lineReader(
      known.columns.map(({ name }) => name),
      known.mapping ?? {},
    );
    for (const piece of pieces) {
      if (this.#stopping || !(await this.#step(known, piece, read))) return false;
      await othersFirst();
    }
    return false;
  }

  /** False: somebody else is at it, or it was stopped. */
  async #step({ id }: Import, { number, records, edits }: Piece, read: LineReader): Promise<boolean> {
    const { store, workspaceId } = this;
    const { lines, left } = linesOf(JSON.parse(records) as PieceRecord[], read);
    const emails = lines.map(({ change }) => change.email).filter((email) => typeof email === 'string');
    await this.door(emails, (script) => store.transaction(script));
    const now = await store.now();
    const step = { importId: id, piece: number, edits, lines, left };
    return store.transaction(() => importStep(store, workspaceId, step, now));
  }

  async #giveUp(id: number, error: unknown): Promise<void> {
    const { store, log } = this;
    log.error({ err: error, importId: id }, 'an import failed and was stopped; what is in stays in');
    try {
      const now = await store.now();
      await store.transaction(() => stopImport(store, id, now));
    } catch {
      // Whoever looks for imports that stand still finds it again.
    }
  }
}

export function linesOf(
  records: readonly PieceRecord[],
  read: LineReader,
): { readonly lines: readonly Line[]; readonly left: readonly LeftLine[] } {
  const lines: Line[] = [];
  const left: LeftLine[] = [];
  for (const [line, cells, fault] of records) {
    const outcome = fault === undefined ? read(cells) : { left: { code: 'broken' as const, reason: fault } };
    if ('change' in outcome) lines.push({ line, cells, change: outcome.change });
    else left.push({ line, cells, ...outcome.left });
  }
  return { lines, left };
}
