import { canonicalAddress } from '../core/address.js';
import type { Link } from '../core/link-token.js';
import type { Suppression } from '../core/suppression.js';
import type { Script } from '../store/script.js';
import { endEnrolments } from '../store/scripts/enrolments.js';
import { addressBehind } from '../store/scripts/link-readers.js';
import { findSuppression } from '../store/scripts/suppression-list.js';
import { suppress, unsuppress } from '../store/scripts/suppressions.js';
import type { Store } from '../store/store.js';
import type { Links } from './links.js';

/** What somebody has decided: campaigns no more, nothing at all any more, or neither. */
export type Choice = 'none' | 'campaigns' | 'everything';

export interface Reader {
  readonly workspaceId: number;
  /** As it is written to. */
  readonly address: string;
  readonly choice: Choice;
  /** The link is of a mail that was only a look at it: whatever is pressed, nothing happens. */
  readonly isSample: boolean;
  /** It was his own word, so his own word takes it back. */
  readonly canUndo: boolean;
}

/** What the readers of campaign mail decide by its links. Undefined wherever a link is none, or leads to nobody any more. */
export class Unsubscriptions {
  constructor(
    private readonly store: Store,
    private readonly links: Links,
  ) {}

  /** Changes nothing. */
  async look(token: string): Promise<Reader | undefined> {
    const link = await this.#read(token);
    return link && this.store.read(this.#reader(link));
  }

  /**
   * From the very next hand-over on. Also ends what he is in, on every channel: whoever does not want to be written to is
   * not followed elsewhere. Safe to repeat.
   */
  async stop(token: string, choice: Exclude<Choice, 'none'>): Promise<Reader | undefined> {
    const link = await this.#read(token);
    const now = await this.store.now();
    return link && this.store.transaction(() => this.#stop(link, choice, now));
  }

  /** Takes his own word back. What was ended stays ended; somebody would have to begin it anew. */
  async undo(token: string): Promise<Reader | undefined> {
    const link = await this.#read(token);
    return link && this.store.transaction(() => this.#undo(link));
  }

  async #read(token: string): Promise<Link | undefined> {
    const link = this.links.read(token, await this.store.now());
    return link?.purpose === 'unsubscribe' || link?.purpose === 'sample' ? link : undefined;
  }

  *#stop(link: Link, choice: Exclude<Choice, 'none'>, now: number): Script<Reader | undefined> {
    const reader = yield* this.#reader(link);
    if (!reader || reader.isSample) return reader;
    const { workspaceId, subject: contactId } = link;
    const lanes = choice === 'everything' ? null : (['campaign'] as const);
    yield* endEnrolments(this.store, workspaceId, { contactId }, 'unsubscribed', now);
    yield* suppress(this.store, workspaceId, reader.address, 'unsubscribed', now, {
      ...{ lanes, note: 'by the link in a mail' },
    });
    return yield* this.#reader(link);
  }

  *#undo(link: Link): Script<Reader | undefined> {
    const reader = yield* this.#reader(link);
    if (!reader?.canUndo) return reader;
    yield* unsuppress(this.store, link.workspaceId, reader.address, { evenComplaints: false });
    return yield* this.#reader(link);
  }

  *#reader({ purpose, workspaceId, subject }: Link): Script<Reader | undefined> {
    const address = yield* addressBehind(this.store, workspaceId, subject);
    if (address === undefined) return undefined;
    const isSample = purpose === 'sample';
    const known = isSample
      ? undefined
      : yield* findSuppression(this.store, workspaceId, canonicalAddress(address));
    return {
      ...{ workspaceId, address, isSample },
      choice: choiceOf(known),
      canUndo: known?.reason === 'unsubscribed',
    };
  }
}

function choiceOf(known: Suppression | undefined): Choice {
  if (!known) return 'none';
  if (known.lanes === null) return 'everything';
  return known.lanes.includes('campaign') ? 'campaigns' : 'none';
}
