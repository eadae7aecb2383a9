import type { Logger } from '../log/log.js';
import { findErased, hasErased, suppressAgain } from '../store/scripts/erased.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { PersonHash } from './person-hash.js';

/** For so long a process may not know that somebody was erased elsewhere; whoever erases waits for it. */
export const DOOR_LOOKS_EVERY_MS = 1_000;
const TELL_EVERY_MS = 60_000;

/** Writes in the transaction in which the mail is stored, or right before it. */
export type Write = (script: Script<void>) => Promise<unknown>;

/**
 * Where addresses come in. Of those who were erased and must not be written to only a hash is kept, which no statement
 * can compare with an address. So whoever stores a mail to one of them writes the suppression down again first, and
 * claim and gate see it as they see any other. Costs one look a second while nobody was erased.
 */
export class Door {
  #any: { readonly known: boolean; readonly readAt: number } | undefined;
  #toldAt = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly hash: PersonHash,
    private readonly log: Logger,
  ) {}

  /** A promise only if there is something to wait for: nearly every mail passes at once. */
  pass(addresses: readonly string[], write: Write): undefined | Promise<void> {
    return this.asks ? this.#look(addresses, write) : undefined;
  }

  /** Not while it is known that nobody was erased. */
  get asks(): boolean {
    const any = this.#any;
    return !any || any.known || performance.now() - any.readAt >= DOOR_LOOKS_EVERY_MS;
  }

  async #look(addresses: readonly string[], write: Write): Promise<void> {
    const { store, workspaceId } = this;
    const readAt = performance.now();
    this.#any = { known: await store.read(hasErased(store, workspaceId)), readAt };
    if (!this.#any.known) return;
    const hashOf = await this.hash.tryMake();
    if (!hashOf) {
      this.#tell();
      return;
    }
    const byHash = new Map(addresses.map((address) => [hashOf(address), address]));
    const erased = await store.read(findErased(store, workspaceId, [...byHash.keys()]));
    if (erased.length === 0) return;
    const people = erased.map(({ hash, ...known }) => ({ address: byHash.get(hash) ?? '', ...known }));
    await write(suppressAgain(store, workspaceId, people, await store.now()));
  }

  /** To refuse all mail for it would punish everybody. */
  #tell(): void {
    if (performance.now() - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = performance.now();
    this.log.error(
      { workspaceId: this.workspaceId },
      'people who were erased and must not be written to can not be known again here: this process was not given PILLARBOX_SECRET, or another one',
    );
  }
}
