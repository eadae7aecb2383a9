export interface Person {
  readonly name: string;
  readonly email: string;
}

/** What a guest asks for. Instants are epoch ms. */
export interface Wish {
  readonly guest: Person;
  readonly title: string;
  readonly startsAt: number;
  readonly minutes: number;
}

export interface Booking extends Wish {
  /** Also the UID of its calendar entry: the same in every mail about it. */
  readonly id: string;
  /** Rises with every change. A calendar ignores what is not newer than what it has. */
  readonly sequence: number;
  readonly bookedAt: number;
  readonly cancelledAt: number | null;
}
