import {
  mayHaveRoom,
  missingToShare,
  roomFor,
  type Holdings,
  type Owner,
  type Supply,
} from '../core/fair-share.js';

interface Holder {
  taken: number;
}

interface Workspace extends Holder {
  readonly accounts: Map<number, Holder>;
}

/** Keeps count of who holds how much of what all accounts of a process share. What decides is in core. */
export class Shares {
  readonly #workspaces = new Map<number, Workspace>();
  #taken = 0;

  constructor(private readonly supply: Supply) {}

  get taken(): number {
    return this.#taken;
  }

  /** Below 0 while some of it is lent. */
  get free(): number {
    return this.supply.limit - this.#taken;
  }

  /** How much may still be lent. */
  get lendable(): number {
    return this.supply.most - this.#taken;
  }

  /** How much a few may take together who have so much room: what is free, or else what they are lent. */
  together(room: number): number {
    return this.free > 0 ? this.free : Math.min(room, this.lendable);
  }

  takenBy({ workspaceId, accountId }: Owner): number {
    return this.#workspaces.get(workspaceId)?.accounts.get(accountId)?.taken ?? 0;
  }

  room(owner: Owner, reserve?: number): number {
    return roomFor(this.supply, this.#holdings(owner), reserve);
  }

  /** Whether there is any room: asked for every mail, and mostly answered by what is free. */
  hasRoom(owner: Owner, reserve = 0): boolean {
    if (this.#taken < this.supply.limit - reserve) return true;
    if (this.#taken >= this.supply.most) return false;
    return missingToShare(this.supply, this.#holdings(owner), reserve) > 0;
  }

  missing(owner: Owner): number {
    return missingToShare(this.supply, this.#holdings(owner));
  }

  /** A quick answer for all accounts of a workspace: false if none of them can have room. */
  mayHaveRoom(workspaceId: number): boolean {
    if (this.#taken < this.supply.limit) return true;
    const { size } = this.#workspaces;
    const workspace = this.#workspaces.get(workspaceId);
    return mayHaveRoom(this.supply, {
      all: this.#taken,
      workspace: workspace?.taken ?? 0,
      workspaces: workspace ? size : size + 1,
    });
  }

  take({ workspaceId, accountId }: Owner, amount = 1): void {
    let workspace = this.#workspaces.get(workspaceId);
    if (!workspace) {
      workspace = { taken: 0, accounts: new Map() };
      this.#workspaces.set(workspaceId, workspace);
    }
    const account = workspace.accounts.get(accountId);
    if (account) account.taken += amount;
    else workspace.accounts.set(accountId, { taken: amount });
    workspace.taken += amount;
    this.#taken += amount;
  }

  /** Who holds nothing any more is forgotten. */
  give({ workspaceId, accountId }: Owner, amount = 1): void {
    const workspace = this.#workspaces.get(workspaceId);
    const account = workspace?.accounts.get(accountId);
    if (!workspace || !account) return;
    this.#taken -= amount;
    workspace.taken -= amount;
    account.taken -= amount;
    if (account.taken > 0) return;
    workspace.accounts.delete(accountId);
    if (workspace.accounts.size === 0) this.#workspaces.delete(workspaceId);
  }

  #holdings({ workspaceId, accountId }: Owner): Holdings {
    const workspace = this.#workspaces.get(workspaceId);
    const account = workspace?.accounts.get(accountId);
    return {
      all: this.#taken,
      workspace: workspace?.taken ?? 0,
      account: account?.taken ?? 0,
      workspaces: this.#workspaces.size + (workspace ? 0 : 1),
      accounts: (workspace?.accounts.size ?? 0) + (account ? 0 : 1),
    };
  }
}
