import type { Calendar } from '../calendar.js';
import type { Action } from '../message.js';
import { ACTIONS_OF } from '../rules.js';
import type { DelayUnit } from '../sequence.js';
import { turnsOf, type Deal } from './dealing.js';
import type { Earliest } from './ledger.js';
import type { DayRoom, Room } from './room.js';

export interface Step {
  readonly action: Action;
  /** After the step before; of the first step it does not count. Days are local dates, whatever the hour. */
  readonly delayDays: number;
  readonly delayUnit?: DelayUnit;
}

export interface Slot {
  readonly at: number;
  /** Where the recipient's window holds: when it shuts. */
  readonly closesAt: number | null;
}

/** Where an account's free times come from. */
export interface Slots {
  place(action: Action, earliest: Earliest, rooms: readonly Room[], window?: Calendar): Slot | undefined;
  dayOf(instant: number): number;
  sendingDayAfter(day: number, count: number): number;
}

export interface SendingAccount {
  readonly id: number;
  readonly type: 'email' | 'linkedin';
  readonly slots: Slots;
  /** How many a day it could send. */
  readonly capacity: number;
}

/** What a campaign sets itself. */
export interface Bounds {
  readonly deal: Deal;
  readonly startAt?: number | undefined;
  /** Nothing is planned from then on. */
  readonly endAt?: number | undefined;
  /** For every message, and for the first of each person. */
  readonly rooms?: readonly DayRoom[];
  readonly newRooms?: readonly DayRoom[];
}

export interface Person {
  readonly position: number;
  /** How this person can be reached at all. */
  readonly reachable: readonly Action[];
  /** The window that holds instead of the account's. */
  readonly window?: Calendar | undefined;
}

export interface Placed extends Slot {
  /** Its place among the steps, from 0. */
  readonly step: number;
  readonly accountId: number;
  /** Nothing of this person comes before it. */
  readonly first: boolean;
}

export interface Placement {
  readonly placed: readonly Placed[];
  /** Steps that would leave too late. */
  readonly late: number;
  /** Steps for which there is no time in the years that are known: nobody after this person would fit either. */
  readonly homeless: number;
}

/** The last thing that happened to a person, or should have. */
interface Before {
  /** Of the account by whose days it counts. */
  readonly slots: Slots;
  readonly instant: number;
  readonly day: number;
}

/** A step that waits already and must have a new time. */
export interface Replaced {
  /** Below 0: it is no step, and follows nobody. */
  readonly step: number;
  readonly action: Action;
  readonly accountId: number;
  /** It does not come before the day that it was planned for. */
  readonly notBefore: number;
  /** Nor before this instant; else none has passed that is free. */
  readonly from?: number | undefined;
  readonly window?: Calendar | undefined;
}

/**
 * People in their order, dealt to accounts in turn, each placed wholly before the next. An earlier one's follow-up is
 * therefore placed before a later one's first mail asks for that day: so follow-ups have the first right to a day's
 * quota, and nobody has to keep a queue of them.
 */
export class FirstFit {
  readonly #accounts: Readonly<Record<SendingAccount['type'], readonly SendingAccount[]>>;
  readonly #turns: Readonly<Record<SendingAccount['type'], readonly number[]>>;
  readonly #byId: ReadonlyMap<number, SendingAccount>;
  readonly #steps: readonly Step[];
  readonly #bounds: Bounds;
  /** First mails that were given their times before all others. */
  readonly #reserved = new Map<number, Slot | undefined>();

  constructor(
    accounts: readonly SendingAccount[],
    steps: readonly Step[],
    bounds: Bounds = { deal: 'roundRobin' },
  ) {
    const of = (type: SendingAccount['type']) => accounts.filter((account) => account.type === type);
    this.#accounts = { email: of('email'), linkedin: of('linkedin') };
    const turns = (type: SendingAccount['type']) =>
      turnsOf(
        this.#accounts[type].map(({ capacity }) => capacity),
        bounds.deal,
      );
    this.#turns = { email: turns('email'), linkedin: turns('linkedin') };
    this.#byId = new Map(accounts.map((account) => [account.id, account]));
    this.#steps = steps;
    this.#bounds = bounds;
  }

  /** All steps of a person, each after its delay. One account of each kind sends all of them. */
  place(person: Person): Placement {
    const { endAt = Infinity } = this.#bounds;
    const placed: Placed[] = [];
    let before: Before | undefined;
    let index = -1;
    for (const step of this.#steps) {
      index += 1;
      const account = this.accountFor(step.action, person.position);
      if (!account || !person.reachable.includes(step.action)) {
        before = before && this.#skipped(step, before);
        continue;
      }
      const slot = before
        ? this.#placeStep(account, step, this.#earliest(account.slots, step, before), person.window)
        : this.#placeFirst(account, step, person);
      const rest = this.#steps.length - index;
      if (!slot) return { placed, late: 0, homeless: rest };
      if (slot.at >= endAt) return { placed, late: rest, homeless: 0 };
      const { at: instant, closesAt } = slot;
      placed.push({ at: instant, closesAt, step: index, accountId: account.id, first: placed.length === 0 });
      before = at(account.slots, instant);
    }
    return { placed, late: 0, homeless: 0 };
  }

  /** Gives the first mails of these people their times, before any follow-up asks: for whoever wants new people first. */
  reserveNew(positions: Iterable<number>): void {
    const [first] = this.#steps;
    if (!first) return;
    for (const position of positions) {
      const account = this.accountFor(first.action, position);
      if (account) this.#reserved.set(position, this.#newSlot(account, first, undefined));
    }
  }

  /** New times for what waits of one person, in the order of its steps. `sent`: when the step before them really left. */
  replace(rows: readonly Replaced[], sent: number | undefined): readonly (Slot | undefined)[] {
    let before: Before | undefined;
    return rows.map((row) => {
      const account = this.#byId.get(row.accountId);
      if (!account) return undefined;
      const step = this.#steps[row.step] ?? { action: row.action, delayDays: 0 };
      const { slots } = account;
      if (!before && sent !== undefined) before = at(slots, sent);
      const earliest = before && row.step >= 0 ? this.#earliest(slots, step, before) : {};
      const planned = slots.dayOf(row.notBefore);
      const day = Math.max(earliest.day ?? -Infinity, planned);
      const after =
        row.from === undefined ? {} : { instant: Math.max(earliest.instant ?? row.from, row.from) };
      const slot = this.#placeStep(account, step, { ...earliest, ...after, day }, row.window);
      if (slot) before = at(slots, slot.at);
      return slot;
    });
  }

  /** Undefined: the campaign has none that could do it. */
  accountFor(action: Action, position: number): SendingAccount | undefined {
    const type = ACTIONS_OF.email.includes(action) ? 'email' : 'linkedin';
    const turns = this.#turns[type];
    return this.#accounts[type][turns[position % turns.length] ?? -1];
  }

  #placeFirst(account: SendingAccount, step: Step, { position, window }: Person): Slot | undefined {
    const reserved = this.#reserved.get(position);
    if (!reserved) return this.#newSlot(account, step, window);
    this.#reserved.delete(position);
    return reserved;
  }

  #newSlot(account: SendingAccount, step: Step, window: Calendar | undefined): Slot | undefined {
    const { startAt, newRooms = NO_ROOMS } = this.#bounds;
    return this.#placeStep(
      account,
      step,
      startAt === undefined ? {} : { instant: startAt },
      window,
      newRooms,
    );
  }

  #placeStep(
    { slots }: SendingAccount,
    { action }: Step,
    earliest: Earliest,
    window: Calendar | undefined,
    more: readonly DayRoom[] = NO_ROOMS,
  ): Slot | undefined {
    const { rooms: always = NO_ROOMS } = this.#bounds;
    if (always.length + more.length === 0) return slots.place(action, earliest, NO_ROOMS, window);
    const rooms = [...always, ...more];
    // Days that are full for the campaign are passed over in one step.
    let { instant } = earliest;
    for (const room of rooms) if (instant !== undefined) instant = room.from(instant);
    return slots.place(action, { ...earliest, ...(instant !== undefined && { instant }) }, rooms, window);
  }

  #earliest(slots: Slots, { delayDays, delayUnit = 'days' }: Step, before: Before): Earliest {
    switch (delayUnit) {
      case 'days':
        return { day: before.day + delayDays };
      case 'sendingDays':
        return { day: slots.sendingDayAfter(before.day, delayDays) };
      case 'hours':
        return { instant: before.instant + delayDays * HOUR_MS };
    }
  }

  /** When a step was due that this person can't get: the next one counts from there. */
  #skipped(step: Step, before: Before): Before {
    const { slots } = before;
    const { day = before.day, instant } = this.#earliest(slots, step, before);
    if (instant !== undefined) return at(slots, instant);
    return { slots, day, instant: before.instant + step.delayDays * DAY_MS };
  }
}

const NO_ROOMS: readonly DayRoom[] = [];

const at = (slots: Slots, instant: number): Before => ({ slots, instant, day: slots.dayOf(instant) });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
