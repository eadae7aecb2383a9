import type { ClaimedMessage } from '../store/store.js';
import type { PreparedContents } from './contents.js';
import type { Sender } from './senders.js';
import type { Slotted } from './slots.js';

/** A message in this process's hands, and by which claim. */
export interface Leased extends Slotted {
  readonly message: ClaimedMessage;
  readonly lease: number;
  readonly claimedAt: number;
  /** This process's own steady clock when the claim came back. */
  readonly claimedTick: number;
  readonly sender: Sender;
  /** Claimed on its own: if the worker dies now, it is this message's doing. */
  readonly alone: boolean;
  /** The caller's own try, in his own process. */
  readonly inline: boolean;
  /** Where its content comes from if none is stored. */
  readonly prepared?: PreparedContents | undefined;
}
