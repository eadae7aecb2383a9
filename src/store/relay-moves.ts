import type { Lane } from '../core/message.js';
import type { Claim, ClaimRequest, OpenChannel } from './store.js';

/**
 * What passing due messages on to a broker asks of the database. A message in the broker is a row in `due` with
 * `queued_at` set and its time moved ahead: while that lies ahead nobody else publishes it, and when it is over the row
 * is due again by itself. What lies in the broker is only a hint; the row decides.
 */
export interface RelayMoves {
  /** Which channels have something to pass on, and how much of each is with the broker already. */
  look(): Promise<RelayView>;
  /** Marks due messages as queued for so long, in real time. The oldest of each share first. */
  mark(shares: readonly RelayShare[], markMs: number): Promise<readonly Marked[]>;
  /**
   * Ends all marks of this length that were written so long ago or earlier, in real time: what was published then is lost,
   * and due again. Answers how many.
   */
  endMarks(markMs: number, writtenMsAgo: number): Promise<number>;
  /** The broker did not take these: each goes back to its old time, unless somebody has it by now. Answers how many. */
  unmark(marked: readonly Marked[]): Promise<number>;
  /**
   * Takes delivered messages under a new lease, each if it is queued for this very try. What may not leave now goes back
   * into its line. Undefined: none of them was to be had.
   */
  claimById(owner: string, asked: readonly Asked[]): Promise<Claim | undefined>;
  /** What was delivered and could not be begun in time goes back into its line. Answers how many. */
  giveBack(ids: readonly number[]): Promise<number>;
  /** `openChannels` and `claim` of what has been due for at least so long, in real time. */
  openLate(lateMs: number): Promise<readonly OpenChannel[]>;
  claimLate(request: ClaimRequest, lateMs: number): Promise<Claim | undefined>;
}

export interface RelayShare {
  readonly channelId: number;
  readonly limit: number;
}

export interface RelayView {
  readonly channels: readonly RelayChannel[];
  /** Marked and not taken, over all channels, those without anything due included. */
  readonly outstanding: number;
}

export interface RelayChannel {
  readonly id: number;
  readonly workspaceId: number;
  readonly accountId: number;
  readonly lane: Lane;
  /** Of this channel. */
  readonly outstanding: number;
}

export interface Marked {
  readonly id: number;
  readonly channelId: number;
  /** Completed tries. */
  readonly attempts: number;
  readonly idempotencyKey: string | null;
  /** When it was due. */
  readonly dueAt: number;
  /** Nobody took it when it was passed on before. */
  readonly again: boolean;
  /** Until when it is marked: by this its mark is known. */
  readonly mark: number;
}

/** One delivery: which message, for which try. */
export interface Asked {
  readonly id: number;
  readonly attempt: number;
}

/** In the order of their ids, no id twice: whoever locks many rows locks them in one order. */
export const inOrder = (asked: readonly Asked[]): readonly Asked[] =>
  [...new Map(asked.map((each) => [each.id, each])).values()].sort((a, b) => a.id - b.id);
