import { ADDRESS_FAULT_TEXT, canonicalAddress, parseAddress } from '../core/address.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { LANES, type Lane } from '../core/message.js';
import { forbids, type Suppression, type SuppressionReason } from '../core/suppression.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { readLimit, type Page } from '../core/page.js';
import type { Store } from '../store/store.js';
import { findSuppression, listSuppressions } from '../store/scripts/suppression-list.js';
import { suppress, unsuppress } from '../store/scripts/suppressions.js';

export interface SuppressionOptions {
  /** The beginning of an address. */
  readonly q?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface NewSuppression {
  readonly email: string;
  /** Default `manual`. */
  readonly reason?: SuppressionReason | undefined;
  /** Null, or not given: all. */
  readonly lanes?: readonly Lane[] | null | undefined;
}

export interface RemovalOptions {
  /** Also if the person has complained. */
  readonly evenComplaints?: boolean | undefined;
}

const LIST_OPTIONS: OptionNames<SuppressionOptions> = { q: true, reason: true, limit: true, cursor: true };
const NEW_SUPPRESSION: OptionNames<NewSuppression> = { email: true, reason: true, lanes: true };
const REMOVAL_OPTIONS: OptionNames<RemovalOptions> = { evenComplaints: true };

/** Whether one address would be written to, lane by lane. */
export interface Willingness {
  /** In its canonical form. */
  readonly address: string;
  readonly lanes: readonly {
    readonly lane: Lane;
    readonly writes: boolean;
    /** Mail that its recipient has asked for, such as a password reset. */
    readonly writesTransactional: boolean;
    readonly reason: SuppressionReason | null;
    /** Null: not known any more, because the person was erased. */
    readonly since: number | null;
  }[];
}

/** Why somebody who was erased is not written to. */
export type FindErased = (email: string) => Promise<Pick<Suppression, 'reason' | 'lanes'> | undefined>;

/** Whom a workspace does not write to. An address is known in whatever spelling it is given. */
export class Suppressions {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly findErased: FindErased = () => Promise.resolve(undefined),
  ) {}

  /** In the order of the addresses. A page may hold fewer than there are, even none, and say where to go on. */
  async list(options: SuppressionOptions = {}): Promise<Page<Suppression>> {
    knownOptions(options, LIST_OPTIONS);
    const { q, reason, limit, cursor } = options;
    const filter = { q, reason, after: cursor, limit: readLimit(limit) };
    const { items, next } = await this.store.read(listSuppressions(this.store, this.workspaceId, filter));
    return { items, nextCursor: next ?? null };
  }

  /** Throws `not_found`. */
  async get(email: string): Promise<Suppression> {
    const found = await this.store.read(
      findSuppression(this.store, this.workspaceId, canonicalAddress(email)),
    );
    if (!found) throw notSuppressed(email);
    return found;
  }

  /** Whether we would write to an address, and if not, why not: as claim and gate decide. Throws `invalid_input`. */
  async ask(email: string): Promise<Willingness> {
    const parsed = parseAddress(email);
    if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
    const address = canonicalAddress(parsed.address);
    const listed = await this.store.read(findSuppression(this.store, this.workspaceId, address));
    const known = listed ?? (await this.findErased(address));
    return {
      address,
      lanes: LANES.map((lane) => {
        const stands = (transactional: boolean) =>
          known !== undefined && forbids(known, { lane, transactional });
        const isHere = known !== undefined && stands(false);
        return {
          lane,
          writes: !isHere,
          writesTransactional: !stands(true),
          reason: isHere ? known.reason : null,
          since: isHere ? (listed?.createdAt ?? null) : null,
        };
      }),
    };
  }

  /** From the very next hand-over on. Answers what holds now; a graver reason from before stays. */
  async add(suppression: NewSuppression): Promise<Suppression> {
    knownOptions(suppression, NEW_SUPPRESSION);
    const { email, reason = 'manual', lanes } = suppression;
    const { store, workspaceId } = this;
    const parsed = parseAddress(email);
    if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
    const now = await store.now();
    return store.transaction(() => suppress(store, workspaceId, parsed.address, reason, now, { lanes }));
  }

  /** Throws `not_found`; and `conflict` for a complaint, unless it is meant: who complained must not be written to by mistake. */
  async remove(email: string, options: RemovalOptions = {}): Promise<Suppression> {
    knownOptions(options, REMOVAL_OPTIONS);
    const { evenComplaints = false } = options;
    const { store, workspaceId } = this;
    const removed = await store.transaction(() => unsuppress(store, workspaceId, email, { evenComplaints }));
    if (removed) return removed;
    const { address } = await this.get(email);
    throw new PillarboxError(
      'conflict',
      `${address} has complained: only an administrator may take it off the list, and has to give the address once more as confirm`,
      { field: 'confirm' },
    );
  }
}

const notSuppressed = (email: string): PillarboxError =>
  new PillarboxError('not_found', `${email.slice(0, 254)} is not on the suppression list`);
