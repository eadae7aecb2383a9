import type { Owner } from '../core/fair-share.js';
import type { Lane } from '../core/message.js';
import { Slots, type Slotted } from './slots.js';
import { Queues, type Sendable, type Starter } from './queues.js';

/** A claimed message on its way to a transport. */
export interface Load extends Sendable, Slotted {
  readonly message: { readonly lane: Lane; readonly guarded: boolean };
}

/**
 * Somebody may be sitting in front of a mail of the outbox; campaigns and notifications go out in bulk, and so does what
 * waits for its window.
 */
export const isUrgent = ({
  lane,
  guarded = false,
}: {
  readonly lane: Lane;
  readonly guarded?: boolean;
}): boolean => lane === 'outbox' && !guarded;

/** Of so many starts one is bulk, if some waits: what is urgent goes first, but not for ever. */
const BULK_EVERY = 4;
/** Of the connections of each transport bulk leaves one to what is urgent. */
const LEFT_TO_URGENT = 1;

/** What a transport has in its hands. */
interface Hands {
  all: number;
  inBulk: number;
}

/**
 * What was claimed and has not started, and what is under way. Kept by account, so that a slow or crowded one holds up
 * nobody else: a transport is given as many at once as it can do, and accounts take turns for the worker's slots.
 * Bulk has queues of its own and never takes the last connection, so a single mail does not wait behind it.
 */
export class Backlog<T extends Load> {
  readonly #urgent: Queues<T>;
  readonly #bulk: Queues<T>;
  readonly #slots: Slots;
  /** By transport, because accounts may share one. */
  readonly #hands = new Map<Sendable['sender']['transport'], Hands>();
  readonly #urgentStarter = this.#starter(false);
  readonly #bulkStarter = this.#starter(true);
  #starts = 0;

  constructor(concurrency: number) {
    this.#urgent = new Queues(concurrency);
    this.#bulk = new Queues(concurrency);
    this.#slots = new Slots(concurrency);
  }

  get waiting(): number {
    return this.#urgent.waiting + this.#bulk.waiting;
  }

  get inFlight(): number {
    return this.#slots.size;
  }

  /** How many accounts it knows of. */
  get accounts(): number {
    return this.#urgent.accounts + this.#bulk.accounts;
  }

  /** How many to claim at once of accounts that have so much room together. */
  claimSize(urgent: boolean, room: number): number {
    return this.#queuesOf(urgent).claimSize(room);
  }

  /** How many more to claim for an account. */
  room(owner: Owner, urgent: boolean): number {
    return this.#slots.isStuck(owner) ? 0 : this.#queuesOf(urgent).room(owner);
  }

  /** After the transport was done with one: whether the slot that it keeps leaves room for another. */
  mayGoOn({ sender }: T): boolean {
    return this.#slots.mayStart(sender, false);
  }

  /** After one has finished: whether there is room for more of its kind, or of its account. */
  wantsMore({ message, sender }: T): boolean {
    const urgent = isUrgent(message);
    return this.#queuesOf(urgent).roomForAll > 0 || this.room(sender, urgent) > 0;
  }

  hasSilent(owner: Owner): boolean {
    return this.#slots.hasSilent(owner);
  }

  add(item: T): void {
    this.#queuesOf(isUrgent(item.message)).add(item);
  }

  /** The next item that may start, if any; it then counts as in flight until `finished`. */
  take(): T | undefined {
    const isTurnOfBulk = this.#starts % BULK_EVERY === 0;
    const item = isTurnOfBulk
      ? (this.#bulk.take(this.#bulkStarter) ?? this.#urgent.take(this.#urgentStarter))
      : (this.#urgent.take(this.#urgentStarter) ?? this.#bulk.take(this.#bulkStarter));
    if (!item) return undefined;
    const inBulk = !isUrgent(item.message);
    this.#starts += 1;
    this.#slots.start(item, item.sender, inBulk);
    const hands = this.#handsOf(item.sender.transport);
    hands.all += 1;
    if (inBulk) hands.inBulk += 1;
    return item;
  }

  /** The transport is done with one, so it can take another; the worker's slot is kept until it is settled. */
  answered(item: T): void {
    const { message, sender } = item;
    const urgent = isUrgent(message);
    const hands = this.#hands.get(sender.transport);
    if (hands) {
      hands.all -= 1;
      if (!urgent) hands.inBulk -= 1;
      if (hands.all === 0) this.#hands.delete(sender.transport);
    }
    this.#slots.answered(item);
    this.#queuesOf(urgent).sent(sender);
  }

  finished(item: T): void {
    this.#slots.end(item);
  }

  /** Now and then: whether something may start because others fell silent. */
  freeSilent(): boolean {
    this.#urgent.forgetIdle();
    this.#bulk.forgetIdle();
    return this.#slots.freeSilent() > 0;
  }

  /** Everything that has not started, to be handed back. */
  drain(): T[] {
    return [...this.#urgent.drain(), ...this.#bulk.drain()];
  }

  #starter(inBulk: boolean): Starter<T> {
    return {
      mayServe: (workspaceId) => this.#slots.mayServe(workspaceId),
      mayStart: ({ sender }) => this.#mayStart(sender, inBulk),
    };
  }

  #mayStart(sender: Sendable['sender'], inBulk: boolean): boolean {
    const { capacity } = sender.transport;
    const hands = this.#hands.get(sender.transport);
    if (hands && hands.all >= capacity) return false;
    if (hands && inBulk && hands.inBulk >= Math.max(1, capacity - LEFT_TO_URGENT)) return false;
    return this.#slots.mayStart(sender, inBulk);
  }

  #handsOf(transport: Sendable['sender']['transport']): Hands {
    let hands = this.#hands.get(transport);
    if (!hands) {
      hands = { all: 0, inBulk: 0 };
      this.#hands.set(transport, hands);
    }
    return hands;
  }

  #queuesOf(urgent: boolean): Queues<T> {
    return urgent ? this.#urgent : this.#bulk;
  }
}
