/** Servers remembered at most; of more, the one that was asked for longest ago is forgotten. */
const MOST_HOSTS = 1_000;
/** Once may be an accident of the network. */
const MISFITS_TO_BELIEVE = 2;

/** What was learnt about a server while talking to it; shared by all connections to it. */
export class PeerHabits {
  /** DATA may travel in one group with RCPT. Off once the server invited the body of a mail that it refused. */
  dataInGroup = true;
  /** BDAT is what the server says it is. Off once it did not know the command. */
  chunks = true;
  #misfits = 0;

  /** The replies to a mail that was written behind another did not fit its commands, or never came. */
  misfit(): void {
    this.#misfits += 1;
  }

  /** A mail may be written behind one that is not answered yet. */
  get takesTwo(): boolean {
    return this.#misfits < MISFITS_TO_BELIEVE;
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
