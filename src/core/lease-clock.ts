/** What the processes of one machine have agreed on, until it starts again. */
export interface Agreement {
  /** Which start of which machine; empty where that can't be told. */
  readonly boot: string;
  /** Added to the steady clock it is the one that leases run on. */
  readonly offsetMs: number;
  /** What the steady clock said then. It goes back only when the machine starts again. */
  readonly steadyMs: number;
}

/** What the clocks of this machine say. */
export interface Clocks {
  readonly boot: string;
  readonly steadyMs: number;
  readonly wallMs: number;
}

export interface Agreed {
  readonly agreement: Agreement;
  /** It was made just now: the others must be told. */
  readonly anew: boolean;
  /** There may be leases whose end was told by a clock that is gone. */
  readonly formerLeases: boolean;
}

/** Where starts of the machine can't be told apart, a clock that is off by more may be that of a former one. */
const SUSPICIOUS_MS = 60_000;

/** By which clock leases run, given what was agreed on before. Why: docs/decisions/0010. */
export function agree(known: Agreement | undefined, { boot, steadyMs, wallMs }: Clocks): Agreed {
  if (known?.boot === boot && known.steadyMs <= steadyMs) {
    const errorMs = Math.abs(known.offsetMs + steadyMs - wallMs);
    return { agreement: known, anew: false, formerLeases: boot === '' && errorMs > SUSPICIOUS_MS };
  }
  const agreement = { boot, offsetMs: wallMs - steadyMs, steadyMs };
  // The first of all: whatever is held is held by a program that goes by the time of day, and so does this one now.
  return { agreement, anew: true, formerLeases: known !== undefined };
}
