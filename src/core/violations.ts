import { limitsInForce, roomOf, type Limit } from './limits.js';
import type { Action } from './message.js';
import { weekOf } from './opening.js';
import { Book } from './plan/book.js';
import type { Ledger } from './plan/ledger.js';
import { hasMail, type Taken } from './plan/taken.js';
import type { Rules } from './rules.js';
import { dayOfLabel, labelOf } from './zone.js';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** So many of an action are planned between an instant and the next grain of time. */
export interface PlannedGrain {
  readonly accountId: string;
  readonly action: Action;
  readonly at: number;
  readonly count: number;
  /** These leave in their recipients' own windows: the account's says nothing about them. */
  readonly own?: boolean;
}

/** One that is planned too soon after the one before it, whatever their actions. */
export interface TooClose {
  readonly accountId: string;
  readonly action: Action;
  readonly at: number;
  readonly own?: boolean;
}

export interface Plan {
  readonly now: number;
  readonly accounts: ReadonlyMap<string, { readonly rules: Rules; readonly taken: Taken }>;
  /** What the workspace's own days have used. */
  readonly totals: ReadonlyMap<string, number>;
  readonly grainMs: number;
  /** From now on: what is late leaves when it may. */
  readonly planned: readonly PlannedGrain[];
  readonly tooClose: readonly TooClose[];
}

export type LimitWord = 'window' | 'hour' | 'day' | 'week' | 'month' | 'ramp_up' | 'total' | 'spacing';

export interface Violation {
  /** The same as long as it is the same violation. */
  readonly id: string;
  readonly accountId: string;
  readonly action: Action;
  readonly limit: LimitWord;
  /** The local date (of the workspace, if its total is meant), a week's Monday, `2026-11`, or an hour's instant. */
  readonly when: string;
  readonly planned: number;
  readonly max: number;
  readonly over: number;
  readonly cause: string;
  /** What has to move: of each grain the last so many, or of `spacing` the one at that instant. */
  readonly rows: readonly { readonly at: number; readonly count: number; readonly own?: boolean }[];
}

/** The longest stretches of time in which plans can be counted and no window opens or shuts in between. */
export function grainFor(rules: readonly Rules[]): number {
  const onQuarters = ({ calendar }: Rules) => calendar.edges.every((edge) => edge % QUARTER_MS === 0);
  return rules.every(onQuarters) ? QUARTER_MS : MINUTE_MS;
}

/**
 * What is planned against the rules. The plan is gone through in the order of time, and whatever comes first keeps its
 * place: so each one that has to move is named once, by the limit that had least room for it.
 */
export function violationsOf(plan: Plan): Violation[] {
  const found = new Findings();
  const close = new Map<string, TooClose[]>();
  for (const each of plan.tooClose) {
    const grain = grainName(each, Math.floor(each.at / plan.grainMs) * plan.grainMs);
    close.set(grain, [...(close.get(grain) ?? []), each]);
  }
  const books = new Map([...plan.accounts].map(([id, each]) => [id, new AccountBooks(each, plan.now)]));
  const totals = new Map(plan.totals);
  for (const grain of plan.planned.toSorted((one, other) => one.at - other.at)) {
    const account = books.get(grain.accountId);
    if (!account) continue;
    const { calendar, house, dailyQuota, spacing } = account.rules;
    const date = labelOf(calendar.zone.dayOf(grain.at));
    if (grain.own !== true && !calendar.isOpen(grain.at)) {
      found.add(grain, 'window', date, { max: 0, used: 0, over: grain.count, cause: CAUSES.window });
      continue;
    }
    const tooClose = (close.get(grainName(grain, grain.at)) ?? []).slice(0, grain.count);
    for (const { at } of tooClose) {
      const cause = `Planned less than ${Math.round(spacing.minMs / 1_000)} s after the one before.`;
      found.add({ ...grain, at }, 'spacing', date, { max: 0, used: 0, over: 1, cause });
    }
    const totalDay = labelOf(house.dayOf(grain.at));
    const total: Limit = { kind: 'total', period: 'day', max: dailyQuota, used: totals.get(totalDay) ?? 0 };
    const count = grain.count - tooClose.length;
    const limits = [...account.limitsAt(grain.action, grain.at), total];
    const least = limits.reduce((one, other) => (roomOf(other) < roomOf(one) ? other : one));
    const stays = Math.min(count, roomOf(least));
    account.take(grain.action, grain.at, stays);
    totals.set(totalDay, total.used + stays);
    if (stays === count) continue;
    const word = wordOf(least);
    const when = word === 'total' ? totalDay : account.periodAt(word, grain.at);
    const used = least.used + stays;
    found.add(grain, word, when, { max: least.max, used, over: count - stays, cause: CAUSES[word] });
  }
  return found.all();
}

/** Where the rows of a violation would go, by local dates; `ledger` has everything else as taken. Null: nowhere. */
export function movesOf(
  { action, rows }: Violation,
  ledger: Ledger,
): { from: string; to: string | null; count: number }[] {
  const moves = new Map<string, { from: string; to: string | null; count: number }>();
  for (const { at, count } of rows) {
    const from = labelOf(ledger.dayOf(at));
    for (let row = 0; row < count; row++) {
      const instant = ledger.place(action, { instant: at });
      const to = instant === undefined ? null : labelOf(ledger.dayOf(instant));
      const name = `${from} ${to ?? ''}`;
      const known = moves.get(name) ?? { from, to, count: 0 };
      moves.set(name, { ...known, count: known.count + 1 });
    }
  }
  return [...moves.values()];
}

const CAUSES: Readonly<Record<Exclude<LimitWord, 'spacing'>, string>> = {
  window: 'Planned for a time at which the window is shut.',
  hour: 'More is planned for that hour than the account may send.',
  day: 'More is planned for that day than the account may send.',
  week: 'More is planned for that week than the account may send.',
  month: 'More is planned for that month than the account may send.',
  ramp_up: 'The account is ramping up and may not send its full limit on that day.',
  total: 'All accounts together have more planned for that day than the workspace may send.',
};

type PeriodWord = Exclude<LimitWord, 'window' | 'spacing'>;

const wordOf = ({ kind, period = 'day' }: Limit): PeriodWord =>
  kind === 'ramp_up' || kind === 'total' ? kind : period;

const grainName = ({ accountId, action, own = false }: TooClose, at: number): string =>
  `${accountId} ${action} ${at} ${own}`;

/** What an account's actions have, in the order of time: used first, then whatever keeps its place in the plan. */
class AccountBooks {
  readonly rules: Rules;
  readonly #daysSent: number;
  readonly #sendingDays = new Set<number>();
  /** Which day was asked for last, and how many there are before it. */
  #before = { day: NaN, count: 0 };
  readonly #books = new Map<Action, Book>();

  constructor({ rules, taken }: { readonly rules: Rules; readonly taken: Taken }, now: number) {
    this.rules = rules;
    this.#daysSent = taken.daysSent;
    const today = rules.calendar.zone.dayOf(now);
    for (const each of taken.days) {
      const day = dayOfLabel(each.day);
      if (day >= today && hasMail(each)) this.#sendingDays.add(day);
      for (const [action, count] of Object.entries(each.counts))
        this.#of(action as Action).takeDay(day, count);
    }
    for (const { action, hour, count } of taken.hours) this.#of(action).takeHour(hour, count);
  }

  limitsAt(action: Action, at: number): Limit[] {
    const { zone } = this.rules.calendar;
    const day = zone.dayOf(at);
    if (this.#before.day !== day) {
      const count = [...this.#sendingDays].filter((each) => each < day).length;
      this.#before = { day, count };
    }
    const counts = this.#of(action).countsAt(day, zone.hourOf(at));
    return limitsInForce(this.rules, action, counts, this.#daysSent + this.#before.count);
  }

  take(action: Action, at: number, count: number): void {
    if (count === 0) return;
    const { zone } = this.rules.calendar;
    this.#of(action).takeDay(zone.dayOf(at), count);
    this.#of(action).takeHour(zone.hourOf(at), count);
    this.#sendingDays.add(zone.dayOf(at));
  }

  periodAt(word: PeriodWord, at: number): string {
    const { zone } = this.rules.calendar;
    const date = labelOf(zone.dayOf(at));
    if (word === 'hour') return new Date(zone.hourOf(at)).toISOString();
    if (word === 'week') return weekOf(date)[0];
    return word === 'month' ? date.slice(0, 7) : date;
  }

  #of(action: Action): Book {
    const book = this.#books.get(action) ?? new Book(this.rules, action);
    this.#books.set(action, book);
    return book;
  }
}

/** Violations as they are found: those of one account, action, limit and time are one. */
class Findings {
  readonly #found = new Map<string, Finding>();

  add(
    { accountId, action, at, own }: TooClose,
    limit: LimitWord,
    when: string,
    { max, used, over, cause }: { max: number; used: number; over: number; cause: string },
  ): void {
    const id = [accountId, action, limit, when].join(':');
    const known = this.#found.get(id) ?? {
      id,
      accountId,
      action,
      limit,
      when,
      max,
      over: 0,
      cause,
      used,
      rows: [],
    };
    this.#found.set(id, known);
    known.over += over;
    known.rows.push({ at, count: over, ...(own === true && { own }) });
  }

  all(): Violation[] {
    return [...this.#found.values()].map(({ used, ...each }) => ({ ...each, planned: used + each.over }));
  }
}

interface Finding extends Omit<Violation, 'planned'> {
  /** Of the limit, by what keeps its place. */
  readonly used: number;
  over: number;
  readonly rows: { at: number; count: number; own?: boolean }[];
}
