import type { Family } from './dial.js';

/** Servers remembered at most; of more, the one that was asked for longest ago is forgotten. */
const MOST_HOSTS = 1_000;
/** Once may be an accident of the network. */
const MISFITS_TO_BELIEVE = 2;
/** Servers are mended and replaced: after so long they are tried again. */
const FORGET_MS = 60 * 60_000;

/** Something that a server was caught at. Believed after so many times, and for a while. */
class Suspicion {
  #times = 0;
  #lastAt = -Infinity;

  constructor(
    private readonly enough: number,
    private readonly now: () => number,
  ) {}

  get isBelieved(): boolean {
    return this.#times >= this.enough && !this.#isOld;
  }

  /** Who was believed to do so, and is caught again when it is tried, is believed at once. */
  confirm(): void {
    if (this.#isOld) this.#times = this.#times >= this.enough ? this.enough - 1 : 0;
    this.#times += 1;
    this.#lastAt = this.now();
  }

  get #isOld(): boolean {
    return this.now() - this.#lastAt >= FORGET_MS;
  }
}

/** What was learnt about a server while talking to it; shared by all connections to it. */
export class PeerHabits {
  /** Of the address that answered last: it is tried first. */
  family: Family | undefined;
  #fits = false;
  readonly #misfits: Suspicion;
  readonly #invitesRefused: Suspicion;
  readonly #knowsNoChunks: Suspicion;

  /** On the monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#misfits = new Suspicion(MISFITS_TO_BELIEVE, now);
    this.#invitesRefused = new Suspicion(1, now);
    this.#knowsNoChunks = new Suspicion(1, now);
  }

  /** The replies to a mail that was written behind another were those to its commands. */
  fit(): void {
    this.#fits = true;
  }

  /** They were not. */
  misfit(): void {
    this.#misfits.confirm();
  }

  /** There was none. Of a server that has answered such mails before, that is a line that broke. */
  unanswered(): void {
    if (!this.#fits) this.misfit();
  }

  /** A mail may be written behind one that is not answered yet. */
  get takesTwo(): boolean {
    return !this.#misfits.isBelieved;
  }

  /** It invited the body of a mail that it had refused. */
  invitedRefused(): void {
    this.#invitesRefused.confirm();
  }

  /** DATA may travel in one group with RCPT. */
  get dataInGroup(): boolean {
    return !this.#invitesRefused.isBelieved;
  }

  /** It offered CHUNKING and did not know BDAT. */
  chunkUnknown(): void {
    this.#knowsNoChunks.confirm();
  }

  /** BDAT is what the server says it is. */
  get chunks(): boolean {
    return !this.#knowsNoChunks.isBelieved;
  }
}

/** The habits of many servers, whichever accounts use them and however often their settings change. */
export class HabitsByHost {
  readonly #known = new Map<string, PeerHabits>();

  of({ host, port }: { readonly host: string; readonly port: number }): PeerHabits {
    const name = `${host}:${port}`;
    const habits = this.#known.get(name) ?? new PeerHabits();
    this.#known.delete(name);
    this.#known.set(name, habits);
    if (this.#known.size > MOST_HOSTS) this.#known.delete(this.#known.keys().next().value as string);
    return habits;
  }
}
