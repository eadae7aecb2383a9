/** A worker sends; a relay passes due messages on to a broker. */
export type WorkerKind = 'worker' | 'relay';

/** Who works for this installation at this moment. */
export interface Workers {
  readonly alive: number;
  /** Those of them that send. */
  readonly senders: number;
  /** Those of them that pass messages on to a broker. */
  readonly relays: number;
  /** How long the one has been silent that has been silent longest; null: there is none. */
  readonly oldestSeenMs: number | null;
  /** Some of them. `seenAt` is real time, also where a virtual clock runs. */
  readonly items: readonly { readonly name: string; readonly kind: WorkerKind; readonly seenAt: number }[];
}

/** What a process that works says of itself with each sign of life. */
export interface WorkFigures {
  /** Sends at once; null: it does not send. */
  readonly places: number | null;
  /** What it has sent or passed on since it started. */
  readonly done: number;
  /** Results that came after their lease was lost; null: it has no leases. */
  readonly leasesLost: number | null;
  /** How long the broker took to confirm, lately. */
  readonly confirmMs: number | null;
}

/** What went through the broker here since it was last said. */
export interface RelayFigures {
  /** With the broker and not taken, as last seen. */
  readonly queued: number;
  readonly published: number;
  /** Of these, what nobody took when it was passed on before. */
  readonly again: number;
  readonly returned: number;
  readonly dropped: number;
  readonly away: boolean;
}
