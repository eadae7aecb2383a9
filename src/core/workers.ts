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
