import { groupedBy } from './grouped.js';
import { Calendar } from './calendar.js';
import { openHours } from './day-hours.js';
import { formatId } from './ids.js';
import type { Action } from './message.js';
import { monthOf, rampQuota, weekOf } from './opening.js';
import { limitsOf, rampUpOf, type ActionLimits } from './rules.js';
import type { AccountSending, RampUp, SendingSettings, SendingWindow } from './sending.js';
import type { Departure, SimulatedViolation } from './simulation.js';
import { labelOf, Zone } from './zone.js';

/** An account as people have set it: the judge goes by that, whatever the guard has made of it. */
export interface JudgedAccount {
  readonly id: number;
  readonly type: 'email' | 'linkedin';
  readonly sending: AccountSending;
}

/** What was used before the first departure. */
export interface UsedBefore {
  readonly days: readonly {
    readonly accountId: number;
    readonly action: Action;
    readonly day: string;
    readonly used: number;
    /** Something left on it: it counts for ramping up. */
    readonly sent: boolean;
  }[];
  readonly hours: readonly {
    readonly accountId: number;
    readonly action: Action;
    readonly hour: number;
    readonly used: number;
  }[];
  readonly totals: ReadonlyMap<string, number>;
}

/** What a departure was, beside where and when. */
export interface Judged extends Departure {
  /** The recipient's zone, where his window holds instead of the account's. */
  readonly ownZone: string | null;
  /** Of a sequence: whose, and which step; undefined: it follows nobody. */
  readonly step?: { readonly person: number; readonly order: number } | undefined;
  /** Nothing may leave from then on. */
  readonly expiresAt: number | null;
}

export interface Evidence {
  readonly settings: SendingSettings;
  readonly accounts: readonly JudgedAccount[];
  readonly before: UsedBefore;
  /** In the order in which they left. */
  readonly left: readonly Judged[];
}

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * Judges what left, from what the far side saw: with calendars made for this alone, by counting anew, and by nothing that
 * the guard has written. None is what it should find.
 */
export function judge({ settings, accounts, before, left }: Evidence): readonly SimulatedViolation[] {
  const found: SimulatedViolation[] = [];
  const byAccount = groupedBy(left, ({ accountId }) => accountId);
  for (const account of accounts) {
    const own = byAccount.get(account.id) ?? [];
    if (own.length > 0) found.push(...new AccountJudge(account, settings, before).findings(own));
  }
  found.push(...totals(settings, before, left), ...orderOf(left));
  return found;
}

class AccountJudge {
  readonly #zone: Zone;
  readonly #window: SendingWindow;
  readonly #holidays: readonly string[];
  readonly #calendars = new Map<string, Calendar>();

  constructor(
    private readonly account: JudgedAccount,
    private readonly settings: SendingSettings,
    private readonly before: UsedBefore,
  ) {
    this.#window = account.sending.window ?? settings;
    this.#holidays = [...settings.holidays, ...(account.sending.holidays ?? [])];
    this.#zone = new Zone(this.#window.timezone);
  }

  findings(own: readonly Judged[]): readonly SimulatedViolation[] {
    const [first, last] = [own[0]?.at ?? 0, own.at(-1)?.at ?? 0];
    return [...this.#outside(own, first, last), ...this.#tooClose(own), ...this.#over(own), ...late(own)];
  }

  /** In its window: of the account, or of the recipient where that holds. */
  *#outside(own: readonly Judged[], first: number, last: number): Generator<SimulatedViolation> {
    for (const { at, ownZone, messageId } of own) {
      const calendar = this.#calendarIn(ownZone ?? this.#window.timezone, first, last);
      if (calendar.isOpen(at)) continue;
      yield this.#violation('window', iso(at), `${idOf(messageId)} left while the window was shut.`);
    }
  }

  #calendarIn(timezone: string, first: number, last: number): Calendar {
    let calendar = this.#calendars.get(timezone);
    if (!calendar) {
      const zone = new Zone(timezone);
      const hours = openHours({ ...this.#window, timezone });
      const [from, to] = [zone.dayOf(first) - 1, zone.dayOf(last) + 2];
      calendar = new Calendar(zone, hours, this.#holidays, from, to);
      this.#calendars.set(timezone, calendar);
    }
    return calendar;
  }

  *#tooClose(own: readonly Judged[]): Generator<SimulatedViolation> {
    const { spacing } = this.settings;
    const seconds = Math.max(spacing.minSeconds, this.account.sending.spacing?.minSeconds ?? 0);
    for (const [n, { at, messageId }] of own.entries()) {
      const gap = at - (own[n - 1]?.at ?? -Infinity);
      if (gap < seconds * 1_000)
        yield this.#violation(
          'spacing',
          iso(at),
          `${idOf(messageId)} left ${gap / 1_000} s after the one before; the least is ${seconds} s.`,
        );
    }
  }

  *#over(own: readonly Judged[]): Generator<SimulatedViolation> {
    const sendingDays = this.#sendingDays(own);
    for (const [action, mails] of groupedBy(own, (each) => each.action)) {
      const { limits, rampUp } = limitsFor(this.account, this.settings, action);
      const used = this.#usedBefore(action);
      for (const { at } of mails) {
        for (const [period, name] of this.#periodsOf(at)) {
          const count = (used.get(`${period} ${name}`) ?? 0) + 1;
          used.set(`${period} ${name}`, count);
          if (count > limits[period]) yield this.#tooMany(period, name, action, count, limits[period]);
          if (period !== 'day') continue;
          const most = rampQuota(Infinity, rampUp, daysBefore(sendingDays, name));
          if (count > most) yield this.#tooMany('ramp_up', name, action, count, most);
        }
      }
    }
  }

  #tooMany(
    kind: SimulatedViolation['kind'],
    when: string,
    action: Action,
    count: number,
    max: number,
  ): SimulatedViolation {
    return this.#violation(kind, when, `${count} ${action} of at most ${max}.`);
  }

  *#periodsOf(at: number): Generator<readonly ['hour' | 'day' | 'week' | 'month', string]> {
    const day = labelOf(this.#zone.dayOf(at));
    yield ['hour', iso(this.#zone.hourOf(at))];
    yield ['day', day];
    yield ['week', weekOf(day)[0]];
    yield ['month', monthOf(day)[0]];
  }

  #usedBefore(action: Action): Map<string, number> {
    const used = new Map<string, number>();
    const add = (name: string, count: number) => used.set(name, (used.get(name) ?? 0) + count);
    for (const each of this.before.days.filter((one) => this.#isOwn(one, action))) {
      add(`day ${each.day}`, each.used);
      add(`week ${weekOf(each.day)[0]}`, each.used);
      add(`month ${monthOf(each.day)[0]}`, each.used);
    }
    for (const each of this.before.hours.filter((one) => this.#isOwn(one, action)))
      add(`hour ${iso(each.hour)}`, each.used);
    return used;
  }

  #isOwn(each: { readonly accountId: number; readonly action: Action }, action: Action): boolean {
    return each.accountId === this.account.id && each.action === action;
  }

  #sendingDays(own: readonly Judged[]): ReadonlySet<string> {
    return sendingDaysOf(this.account.id, this.before, own, (at) => labelOf(this.#zone.dayOf(at)));
  }

  #violation(kind: SimulatedViolation['kind'], when: string, sentence: string): SimulatedViolation {
    return { kind, accountId: formatId('account', this.account.id), when, sentence };
  }
}

/** The dates on which an account has sent anything. */
export function sendingDaysOf(
  accountId: number,
  before: UsedBefore,
  own: readonly Departure[],
  dayOf: (at: number) => string,
): ReadonlySet<string> {
  const past = before.days.filter((each) => each.accountId === accountId && each.sent);
  return new Set([...past.map(({ day }) => day), ...own.map(({ at }) => dayOf(at))]);
}

export const daysBefore = (days: ReadonlySet<string>, day: string): number => {
  let count = 0;
  for (const each of days) if (each < day) count += 1;
  return count;
};

/** What people have set for an action. */
export function limitsFor(
  { sending, type }: JudgedAccount,
  settings: SendingSettings,
  action: Action,
): { readonly limits: ActionLimits; readonly rampUp: RampUp | undefined } {
  return { limits: limitsOf({ ...sending, type })[action], rampUp: rampUpOf(settings, sending) };
}

/** All accounts of the workspace together, by its own days. */
function* totals(
  { timezone, dailyQuota }: SendingSettings,
  before: UsedBefore,
  left: readonly Judged[],
): Generator<SimulatedViolation> {
  const zone = new Zone(timezone);
  const used = new Map(before.totals);
  for (const { at } of left) {
    const day = labelOf(zone.dayOf(at));
    const count = (used.get(day) ?? 0) + 1;
    used.set(day, count);
    if (count > dailyQuota)
      yield {
        ...{ kind: 'total', accountId: null, when: day },
        sentence: `${count} of at most ${dailyQuota} of the whole workspace.`,
      };
  }
}

/** Each leaves once, and a step only behind all that come before it for the same person. */
function* orderOf(left: readonly Judged[]): Generator<SimulatedViolation> {
  const seen = new Set<number>();
  const reached = new Map<number, number>();
  for (const { messageId, accountId, at, step } of left) {
    const place = { accountId: formatId('account', accountId), when: iso(at) };
    if (seen.has(messageId))
      yield { kind: 'twice', ...place, sentence: `${idOf(messageId)} left a second time.` };
    seen.add(messageId);
    if (!step) continue;
    const before = reached.get(step.person) ?? 0;
    if (step.order <= before)
      yield {
        ...{ kind: 'order', ...place },
        sentence: `${idOf(messageId)}, step ${step.order}, left behind step ${before}.`,
      };
    reached.set(step.person, Math.max(before, step.order));
  }
}

function* late(own: readonly Judged[]): Generator<SimulatedViolation> {
  for (const { messageId, accountId, at, expiresAt } of own) {
    if (expiresAt === null || at < expiresAt) continue;
    yield {
      ...{ kind: 'ended', accountId: formatId('account', accountId), when: iso(at) },
      sentence: `${idOf(messageId)} left after its end.`,
    };
  }
}

const idOf = (messageId: number): string => formatId('message', messageId);
