import { isOutage, PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { Enqueued, Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import { CONFLICT, conflicts } from './conflict.js';
import type { MailInput } from './mail-input.js';
import type { Common, Prepared, Preparer } from './prepare.js';

interface BulkError {
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

export interface BulkReport {
  readonly accepted: number;
  readonly duplicates: number;
  readonly errors: readonly BulkError[];
  /** One a mail, in the order given; undefined where there was an error. */
  readonly ids: readonly (string | undefined)[];
}

const BULK_AT_ONCE = 1_000;
/** While one batch is in the database the next is checked and written as JSON. */
const BULK_IN_PARALLEL = 2;

/** Stores many mails, a thousand at a time; what `Outbox.enqueueMany` promises of them. */
export class Bulk {
  readonly #ids: (string | undefined)[];
  readonly #errors: BulkError[] = [];
  #duplicates = 0;
  #next = 0;
  #outage: PillarboxError | undefined;

  constructor(
    private readonly store: Store,
    private readonly preparer: Preparer,
    private readonly mails: readonly MailInput[],
    private readonly tx: Tx | undefined,
  ) {
    this.#ids = mails.map(() => undefined);
  }

  async run(): Promise<BulkReport> {
    // A transaction has one connection, and nothing to gain from two at once.
    const workers = this.tx === undefined ? BULK_IN_PARALLEL : 1;
    await Promise.all(Array.from({ length: workers }, () => this.#work()));
    const [ids, errors, duplicates] = [this.#ids, this.#errors, this.#duplicates];
    if (this.#outage && ids.every((id) => id === undefined)) throw this.#outage;
    errors.sort((a, b) => a.index - b.index);
    return { accepted: ids.length - duplicates - errors.length, duplicates, errors, ids };
  }

  async #work(): Promise<void> {
    while (this.#next < this.mails.length) {
      const first = this.#next;
      this.#next += BULK_AT_ONCE;
      try {
        if (this.#outage) throw outageAfter(this.#outage);
        await this.#storeBatch(first);
      } catch (error) {
        if (this.tx !== undefined || !(error instanceof PillarboxError) || !isOutage(error)) throw error;
        this.#outage ??= error;
        this.#noteOutage(error, first);
      }
    }
  }

  async #storeBatch(first: number): Promise<void> {
    const { store, tx } = this;
    const batch = await this.#prepareBatch(first);
    const messages = batch.map(({ message }) => message);
    const enqueued =
      tx === undefined
        ? await store.enqueue(messages)
        : await runWithin(tx, store, store.enqueueWithin(messages));
    for (const [place, { index, frozen }] of batch.entries()) {
      const result = enqueued[place] as Enqueued;
      if (conflicts(result, frozen)) {
        this.#errors.push({ index, code: 'idempotency_conflict', message: CONFLICT });
        continue;
      }
      this.#ids[index] = formatId('message', result.id);
      if (result.duplicate) this.#duplicates += 1;
    }
  }

  /** What is wrong with one does not stop the others. */
  async #prepareBatch(first: number): Promise<readonly (Prepared & { readonly index: number })[]> {
    const batch = [];
    const common: Common = { tx: this.tx };
    for (const [place, mail] of this.mails.slice(first, first + BULK_AT_ONCE).entries()) {
      const index = first + place;
      try {
        batch.push({ index, ...(await this.preparer.prepare(mail, undefined, common)) });
      } catch (error) {
        if (!(error instanceof PillarboxError) || isOutage(error)) throw error;
        this.#errors.push({ index, code: error.code, message: error.message });
      }
    }
    return batch;
  }

  /** Those of a batch that are not among the errors for a fault of their own. */
  #noteOutage({ code, message }: PillarboxError, first: number): void {
    const faulty = new Set(this.#errors.map(({ index }) => index));
    const end = Math.min(first + BULK_AT_ONCE, this.mails.length);
    for (let index = first; index < end; index += 1) {
      if (!faulty.has(index)) this.#errors.push({ index, code, message });
    }
  }
}

/** Of mails that were not tried any more: they are certainly not stored. */
const outageAfter = (cause: PillarboxError): PillarboxError =>
  new PillarboxError('store_unavailable', 'the database went away before this mail was stored', { cause });
