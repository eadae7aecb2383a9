/** When log-ins failed within the last window, newest first. */
export interface Failures {
  /** For one address from one place. */
  readonly ofPair: readonly number[];
  /** For that address, from anywhere. */
  readonly ofAddress: readonly number[];
  /** From that place, for anybody. */
  readonly ofPlace: readonly number[];
}

export const WINDOW_MS = 15 * 60_000;

/** Whoever guesses at one address from many places gets few tries at each; its owner still gets those at his own. */
const OF_PAIR = 10;
const OF_PAIR_UNDER_ATTACK = 3;
const OF_ADDRESS = 100;
/** Whoever guesses at many addresses from one place. */
const OF_PLACE = 100;

/** No answer depends on more of them. */
export const MOST_FAILURES = { ofPair: OF_PAIR, ofAddress: OF_ADDRESS, ofPlace: OF_PLACE };

/**
 * From when on this address may be tried again from this place; undefined: now. What others do elsewhere never shuts
 * somebody out: it only leaves him fewer tries. What others do from his own place does not reach him where he has logged
 * in before (`isFamiliar`).
 */
export function shutUntil(failures: Failures, isFamiliar: boolean): number | undefined {
  const last = failures.ofPair[triesAllowed(failures, isFamiliar) - 1];
  if (last !== undefined) return last + WINDOW_MS;
  const lastOfPlace = isFamiliar ? undefined : failures.ofPlace[OF_PLACE - 1];
  return lastOfPlace === undefined ? undefined : lastOfPlace + WINDOW_MS;
}

/** How many more may fail. */
export const triesLeft = (failures: Failures, isFamiliar: boolean): number =>
  Math.max(0, triesAllowed(failures, isFamiliar) - failures.ofPair.length);

const triesAllowed = ({ ofAddress }: Failures, isFamiliar: boolean): number =>
  ofAddress.length >= OF_ADDRESS && !isFamiliar ? OF_PAIR_UNDER_ATTACK : OF_PAIR;
