/** One delivery that is to be looked at. */
export interface Notice {
  /** Which message, and for which try, counted from 1. */
  readonly id: number;
  readonly attempt: number;
  /** Whose it is, as whoever published it said; a hint, like all of it. */
  readonly channelId: number | undefined;
  /** It needs no more looking at, by whomever. On a connection that is gone this does nothing: it is delivered again. */
  done(): void;
}

/** Who looks at deliveries. */
export interface Taker {
  arrived(notice: Notice): void;
  /** The connection is gone: what was not done is delivered again, to whomever. */
  forgotten(): void;
  /** A payload that could not be read was set aside. */
  rejected?(): void;
}

/**
 * Where a worker is told what to look at, when it does not look by itself. What is delivered is a hint: it may be lost,
 * repeated, late or forged, and the row in `due` decides. The engine does not know the broker behind it. None of these
 * fails: a connection that breaks comes back by itself.
 */
export interface Deliveries {
  start(taker: Taker): void;
  /** Nothing more is wanted for now; what was delivered stays in hand. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** What was not done goes to somebody else. */
  stop(): Promise<void>;
}
