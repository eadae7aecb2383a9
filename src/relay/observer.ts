import type { Unpublished } from '../broker/publisher.js';

/** A try that is passed on for the first time, after a failure, or because nobody took it before. */
export type PassedKind = 'first' | 'retry' | 'again';

/** Told of what a relay does as it happens; metrics hang here. Must not throw. */
export interface RelayObserver {
  passedOn?(kind: PassedKind, count: number): void;
  confirmed?(seconds: number): void;
  cameBack?(reason: Unpublished, count: number): void;
  /** Marked and not taken, as last seen. */
  outstanding?(count: number): void;
}
