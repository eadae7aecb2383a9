import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { capacityOf, type Capacity } from '../core/limits.js';
import type { Action } from '../core/message.js';
import { Ledger } from '../core/plan/ledger.js';
import { Totals } from '../core/plan/totals.js';
import { ACTIONS_OF, rulesOf, type Rules } from '../core/rules.js';
import type { Violation } from '../core/violations.js';
import { dayOfLabel, labelOf, zoneNamed } from '../core/zone.js';
import type { SendingInput } from '../settings/input.js';
import type { Script } from '../store/script.js';
import { findOwnAccount } from '../store/scripts/account-edits.js';
import { presentAccounts } from '../store/scripts/accounts.js';
import {
  countWaiting,
  guardedAccounts,
  readUse,
  readWorkspaceDay,
  type GuardedAccount,
} from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';
import { leftAgainst } from './activity.js';
import { checkLimits, fixLimits, type Found } from './check.js';
import { MOST_PREVIEWED, rulesFor, SEED, type Known } from './known.js';
import { readNearness, type Nearness } from './nearness.js';
import { readPace, usualAction, type AccountPace } from './pace.js';
import { previewSending, type Preview } from './preview.js';

export interface Quota {
  readonly date: string;
  readonly limit: number;
  /** What has left, is under way or in doubt. */
  readonly sent: number;
  /** What waits for a time on that date; today also what is late. */
  readonly planned: number;
  readonly remaining: number;
  /** Of ramp-up: on how many days something was sent before, and one. */
  readonly dayNumber: number;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** What the accounts of a workspace may send, from the code that decides when they do. */
export class Guard {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
  ) {}

  /** Of an account and action, or of all accounts together. Throws `not_found` and `invalid_input`. */
  async quota(of: {
    readonly date?: string | undefined;
    readonly accountId?: string | undefined;
    readonly action?: Action | undefined;
  }): Promise<Quota> {
    const now = await this.store.now();
    checkDate(of.date);
    return this.store.read(
      of.accountId === undefined
        ? this.#totalQuota(of.date, now)
        : this.#accountQuota(of.accountId, of.action, of.date, now),
    );
  }

  /** What an account may do of an action on a date, today unless told, and what binds it. */
  async capacity(
    accountId: string,
    of: { readonly date?: string | undefined; readonly action?: Action | undefined } = {},
  ): Promise<Capacity> {
    const now = await this.store.now();
    checkDate(of.date);
    return this.store.read(this.#capacity(accountId, of.action, of.date, now));
  }

  /** How an account goes about an action: its sending days, today mail by mail, and what holds for it. */
  async pace(accountId: string, action?: Action): Promise<AccountPace> {
    const now = await this.store.now();
    return this.store.read(this.#pace(accountId, action, now));
  }

  /** How near each account is to its limits, and what all of them have planned by day. */
  async nearness(): Promise<Nearness> {
    const now = await this.store.now();
    return this.store.read(readNearness(this.store, this.workspaceId, now));
  }

  /** The workspace's local date of an instant. */
  async dateOf(instant: number): Promise<string> {
    const { timezone } = await this.store.read(readSending(this.store, this.workspaceId));
    return labelOf(zoneNamed(timezone).dayOf(instant));
  }

  /** The first instant from there on at which an account, any or this one, may send one more, behind all that waits. */
  async nextSlot(from: number, action: Action = 'email', accountId?: string): Promise<number | undefined> {
    const now = await this.store.now();
    return this.store.read(this.#nextSlot(Math.max(from, now), action, accountId, now));
  }

  /** What is planned against the limits, and where it would go. */
  async check(): Promise<readonly Found[]> {
    const now = await this.store.now();
    return this.store.read(checkLimits(this.store, this.workspaceId, now));
  }

  /** What has left against the rules that hold now, since they do and within two weeks. */
  async activity(): Promise<readonly Violation[]> {
    const now = await this.store.now();
    return this.store.read(leftAgainst(this.store, this.workspaceId, now));
  }

  /** Moves what violates a limit to the first times that are free: of these violations, or of all. */
  async fix(ids?: readonly string[]): Promise<{ readonly moved: number; readonly left: number }> {
    const now = await this.store.now();
    return this.store.transaction(() => fixLimits(this.store, this.workspaceId, ids, now));
  }

  /** What these settings would do. Throws `invalid_input` as saving them would; nothing is saved. */
  async preview(given: SendingInput): Promise<Preview> {
    const now = await this.store.now();
    return this.store.read(previewSending(this.store, this.workspaceId, given, now));
  }

  *#accountQuota(
    accountId: string,
    action: Action | undefined,
    date: string | undefined,
    now: number,
  ): Script<Quota> {
    const { account, rules, use } = yield* this.#known(accountId, action, now);
    const on = date ?? labelOf(rules.calendar.zone.dayOf(now));
    const planned = yield* this.#plannedOn([account], rules.calendar.zone, on, now);
    const { limit, used } = capacityOf(rules, account.action, { ...use, planned }, on);
    const { daysSent } = use.taken;
    return {
      ...{ date: on, limit, sent: used, planned },
      remaining: Math.max(0, limit - used - planned),
      dayNumber: daysSent + 1,
    };
  }

  *#totalQuota(date: string | undefined, now: number): Script<Quota> {
    const { store, workspaceId } = this;
    const settings = yield* readSending(store, workspaceId);
    const { house, dailyQuota: limit } = rulesOf(settings, { type: 'email' }, now);
    const on = date ?? labelOf(house.dayOf(now));
    const days = yield* readWorkspaceDay(store, workspaceId, on);
    const planned = yield* this.#plannedOn(yield* guardedAccounts(store, workspaceId), house, on, now);
    return {
      ...{ date: on, limit, sent: days.used, planned },
      remaining: Math.max(0, limit - days.used - planned),
      dayNumber: days.before + 1,
    };
  }

  *#capacity(
    accountId: string,
    action: Action | undefined,
    date: string | undefined,
    now: number,
  ): Script<Capacity> {
    const { account, rules, use } = yield* this.#known(accountId, action, now);
    const on = date ?? labelOf(rules.calendar.zone.dayOf(now));
    const planned = yield* this.#plannedOn([account], rules.calendar.zone, on, now);
    return capacityOf(rules, account.action, { ...use, planned }, on);
  }

  *#pace(accountId: string, wanted: Action | undefined, now: number): Script<AccountPace> {
    const { store, workspaceId } = this;
    const id = parseId('account', accountId);
    const account = id === undefined ? undefined : yield* findOwnAccount(store, workspaceId, id);
    if (!account) return notFound(accountId);
    const action = wanted ?? usualAction(account);
    const can = ACTIONS_OF[account.type];
    if (!can.includes(action)) {
      throw invalidInput('action', `is nothing that such an account does: ${can.join(', ')}`);
    }
    const workspace = yield* readSending(store, workspaceId);
    const { account: guarded, rules, use } = yield* this.#known(accountId, action, now);
    const { channelId } = guarded;
    return yield* readPace(store, { account, action, channelId, rules, use, workspace }, now);
  }

  /** What waits for a time on a date; what is late already waits for today. */
  *#plannedOn(
    accounts: readonly GuardedAccount[],
    zone: Rules['house'],
    date: string,
    now: number,
  ): Script<number> {
    const day = dayOfLabel(date);
    const from = day === zone.dayOf(now) ? 0 : zone.startOf(day);
    const channels = accounts.map(({ channelId }) => channelId).filter((id) => id > 0);
    return yield* countWaiting(this.store, channels, from, zone.startOf(day + 1));
  }

  /** An account that has never had guarded mail has no channel for it, and limits all the same. */
  *#known(accountId: string, wanted: Action | undefined, now: number): Script<Known> {
    const { store, workspaceId } = this;
    const id = parseId('account', accountId);
    const account = id === undefined ? undefined : yield* findOwnAccount(store, workspaceId, id);
    if (!account) return notFound(accountId);
    const action = wanted ?? (account.type === 'linkedin' ? 'message' : 'email');
    const rules = rulesFor(yield* readSending(store, workspaceId), account, now);
    const guarded = yield* guardedAccounts(store, workspaceId);
    const known = guarded.find((each) => each.accountId === account.id && each.action === action);
    return {
      account: known ?? { channelId: 0, accountId: account.id, name: account.name, action },
      rules,
      use: yield* readUse(store, { accountId: account.id, workspaceId }, rules, now),
      changedAt: account.updatedAt,
    };
  }

  *#nextSlot(
    from: number,
    action: Action,
    accountId: string | undefined,
    now: number,
  ): Script<number | undefined> {
    const { store, workspaceId } = this;
    let first: number | undefined;
    for (const account of yield* presentAccounts(store, workspaceId)) {
      if (accountId !== undefined && accountId !== formatId('account', account.id)) continue;
      if (!ACTIONS_OF[account.type].includes(action) || account.pausedAt !== null) continue;
      const {
        account: guarded,
        rules,
        use,
      } = yield* this.#known(formatId('account', account.id), action, now);
      const waiting = yield* countWaiting(store, [guarded.channelId], 0, from);
      const ledger = new Ledger(
        rules,
        account.id,
        { now: from, seed: SEED, taken: use.taken },
        new Totals(rules, use.totals),
      );
      let slot = ledger.place(action);
      for (let n = 0; n < Math.min(waiting, MOST_PREVIEWED) && slot !== undefined; n += 1)
        slot = ledger.place(action);
      if (slot !== undefined && slot < (first ?? Infinity)) first = slot;
    }
    return first;
  }
}

function checkDate(date: string | undefined): void {
  if (date === undefined) return;
  const known = DATE.test(date) && !Number.isNaN(Date.parse(date)) && labelOf(dayOfLabel(date)) === date;
  if (!known) throw invalidInput('date', 'is not a date such as 2026-11-16');
}

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no account ${id}`);
}
