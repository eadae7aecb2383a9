import type { Owner } from '../core/fair-share.js';
import { Shares } from './shares.js';

interface Slot {
  readonly owner: Owner;
  readonly inBulk: boolean;
  readonly startedTick: number;
  /** The transport is done with it; what is left to wait for is our own database. */
  answered: boolean;
  silent: boolean;
  /** Where it stands among all of them. */
  place: number;
}

/** What can be sent. It has its slot with it: looking it up would cost every mail more than all the rest here. */
export interface Slotted {
  slot?: Slot | undefined;
}

/** A send without an answer for so long is silent: its server may be stuck, and others should not wait for it. */
export const SILENT_MS = 5_000;
/** So many times the slots may be in use at once when some of them are lent; silent sends are as many again. */
const LENT = 3;
/** Of all slots, and of each share of them, bulk leaves one to what is urgent. */
const LEFT_TO_URGENT = 1;

/**
 * Who sends at once. Each account may take what is free; what another holds costs it no more than the rest of its
 * share. A send that has been silent for some seconds leaves its slot, and is counted as silent instead, in the same
 * way: so a server that hangs holds back its own account, once that has its share of silence, and nobody else. A
 * server that only takes its time has as many sends at once as it would have without that.
 */
export class Slots {
  readonly #taken: Shares;
  /** Those of them that are taken in bulk. */
  readonly #inBulk: Shares;
  readonly #silent: Shares;
  readonly #slots: Slot[] = [];

  constructor(concurrency: number) {
    const supply = { limit: concurrency, most: LENT * concurrency };
    this.#taken = new Shares(supply);
    this.#inBulk = new Shares(supply);
    this.#silent = new Shares(supply);
  }

  /** Sends at once, silent ones and all. */
  get size(): number {
    return this.#slots.length;
  }

  get silent(): number {
    return this.#silent.taken;
  }

  /** Below 0 while some are lent. */
  get free(): number {
    return this.#taken.free;
  }

  /** How many may start together of accounts that have so much room. */
  startable(room: number): number {
    return this.#taken.together(room);
  }

  /** How many more of this account may start now, if none of them is bulk. */
  room(owner: Owner): number {
    return this.isStuck(owner) ? 0 : this.#taken.room(owner);
  }

  /** A quick answer for all accounts of a workspace: false if none of them may start anything. */
  mayServe(workspaceId: number): boolean {
    return this.#taken.mayHaveRoom(workspaceId);
  }

  mayStart(owner: Owner, inBulk: boolean): boolean {
    if (!this.#taken.hasRoom(owner) || this.isStuck(owner)) return false;
    return !inBulk || this.#inBulk.hasRoom(owner, LEFT_TO_URGENT);
  }

  hasSilent(owner: Owner): boolean {
    return this.#silent.taken > 0 && this.#silent.takenBy(owner) > 0;
  }

  /** Its server is silent, and what it starts now could leave its slot no more. */
  isStuck(owner: Owner): boolean {
    return this.hasSilent(owner) && !this.#silent.hasRoom(owner);
  }

  start(item: Slotted, owner: Owner, inBulk: boolean): void {
    this.#taken.take(owner);
    if (inBulk) this.#inBulk.take(owner);
    const place = this.#slots.length;
    item.slot = { owner, inBulk, startedTick: performance.now(), answered: false, silent: false, place };
    this.#slots.push(item.slot);
  }

  answered({ slot }: Slotted): void {
    if (slot) slot.answered = true;
  }

  end(item: Slotted): void {
    const { slot } = item;
    if (!slot) return;
    item.slot = undefined;
    this.#remove(slot);
    if (slot.silent) this.#silent.give(slot.owner);
    else this.#leave(slot);
  }

  /** Takes the slots of those that have fallen silent, the longest silent first. Answers how many there were. */
  freeSilent(now = performance.now()): number {
    const late = this.#slots
      .filter(({ answered, silent, startedTick }) => !answered && !silent && now - startedTick >= SILENT_MS)
      .sort((a, b) => a.startedTick - b.startedTick);
    let freed = 0;
    for (const slot of late) {
      if (!this.#silent.hasRoom(slot.owner)) continue;
      slot.silent = true;
      this.#leave(slot);
      this.#silent.take(slot.owner);
      freed += 1;
    }
    return freed;
  }

  /** The last of them takes its place. */
  #remove({ place }: Slot): void {
    const last = this.#slots.pop();
    if (!last || last.place === place) return;
    last.place = place;
    this.#slots[place] = last;
  }

  #leave({ owner, inBulk }: Slot): void {
    this.#taken.give(owner);
    if (inBulk) this.#inBulk.give(owner);
  }
}
