import type { Capacity as KnownCapacity, Limit as KnownLimit } from '../core/limits.js';
import { ACTIONS } from '../core/message.js';
import { LIMIT_PERIODS } from '../core/sending.js';
import type { Violation as Broken } from '../core/violations.js';
import type { Found } from '../guard/check.js';
import { Type, type Static } from '../vendor/typebox.js';
import { presentInstant } from './instant.js';
import { instant, list, nextCursor, nullable, optional, text, whole, word } from './shape.js';
import { LevelWord } from './words.js';

export const ActionOfAccount = word(ACTIONS, { title: 'AccountAction' });

export const Quota = Type.Object(
  {
    date: text('2026-11-16', "The account's local date, or the workspace's."),
    limit: whole(20),
    sent: whole(7, 'What has left, is under way or in doubt.'),
    planned: whole(4, 'What waits for a time on that date; today also what is late.'),
    remaining: whole(9),
    dayNumber: whole(12, 'On how many days something was sent before, and one.'),
  },
  { title: 'Quota' },
);

const LIMIT_KINDS = ['window', 'limit', 'ramp_up', 'total', 'spacing'] as const;
export const Limit = Type.Object(
  {
    kind: word(LIMIT_KINDS, { description: 'limit: one of the account itself, by period.' }),
    period: optional(word(LIMIT_PERIODS)),
    max: nullable(Type.Integer(), 'Null: as many as you like.', 20),
    used: whole(7),
  },
  { title: 'Limit' },
);

export const Capacity = Type.Object(
  {
    date: text('2026-11-16'),
    limit: whole(20),
    used: whole(7),
    planned: whole(4),
    remaining: whole(9, 'What could still be planned for that date and leave on it.'),
    binding: Limit,
    next: nullable(Limit, 'What would bind next.'),
    opensAt: nullable(instant(), 'Of the window that is open, else of the next.'),
    closesAt: nullable(instant()),
  },
  { title: 'Capacity' },
);
export type Capacity = Static<typeof Capacity>;

export const presentLimit = ({ kind, period, max, used }: KnownLimit): Static<typeof Limit> => ({
  kind,
  ...(period !== undefined && { period }),
  max: Number.isFinite(max) ? max : null,
  used,
});

export const presentCapacity = ({ binding, next, opensAt, closesAt, ...rest }: KnownCapacity): Capacity => ({
  ...rest,
  binding: presentLimit(binding),
  next: next && presentLimit(next),
  opensAt: presentInstant(opensAt),
  closesAt: presentInstant(closesAt),
});

const LIMIT_WORDS = ['window', 'hour', 'day', 'week', 'month', 'ramp_up', 'total', 'spacing'] as const;

export const Violation = Type.Object(
  {
    id: text('acc_1:email:day:2026-11-16'),
    accountId: text('acc_1'),
    action: ActionOfAccount,
    limit: word(LIMIT_WORDS),
    when: text('2026-11-16', "A local date, a week's Monday, a month, or an hour's instant."),
    planned: whole(26),
    max: whole(20),
    over: whole(6),
    cause: text('More is planned for that day than the account may send.'),
    moves: list(
      Type.Object({
        from: text('2026-11-16'),
        to: nullable(Type.String(), 'Null: there is no room in sight.', '2026-11-17'),
        count: whole(6),
      }),
    ),
  },
  { title: 'Violation' },
);

const Breach = Type.Object(
  {
    accountId: text('acc_1'),
    action: ActionOfAccount,
    limit: word(LIMIT_WORDS),
    when: text('2026-11-13', "A local date, a week's Monday, a month, or an hour's instant."),
    sent: whole(23),
    max: whole(20),
    over: whole(3),
  },
  { title: 'LimitBreach' },
);

export const LimitsCheck = Type.Object(
  {
    plate: Type.Object({ level: LevelWord, sentence: text('Nothing is over a limit, sent or planned.') }),
    items: list(Violation),
    left: list(Breach, 'What has left against the rules that hold now, since they do and within two weeks.'),
    nextCursor: nextCursor(),
  },
  { title: 'LimitsCheck' },
);
export type LimitsCheck = Static<typeof LimitsCheck>;

export const presentCheck = (found: readonly Found[], past: readonly Broken[]): LimitsCheck => ({
  plate: plateOf(found, past),
  items: found.map(({ id, accountId, action, limit, when, planned, max, over, cause, moves }) => ({
    ...{ id, accountId, action, limit, when, planned, max, over, cause, moves },
  })),
  left: past.map(({ accountId, action, limit, when, planned: sent, max, over }) => ({
    ...{ accountId, action, limit, when, sent, max, over },
  })),
  nextCursor: null,
});

function plateOf(found: readonly Found[], past: readonly Broken[]): LimitsCheck['plate'] {
  const mails = (over: readonly { readonly over: number }[], one: string, many: string) => {
    const sum = over.reduce((total, each) => total + each.over, 0);
    return sum === 1 ? `1 mail ${one}` : `${sum.toLocaleString('en-GB')} mails ${many}`;
  };
  const [first] = past;
  if (first) {
    const when = past.every((each) => each.when === first.when) ? `, ${first.when}` : '';
    return { level: 'act', sentence: `${mails(past, 'has', 'have')} left over a limit${when}. See which.` };
  }
  if (found.length === 0) return { level: 'fine', sentence: 'Nothing is over a limit, sent or planned.' };
  const planned = mails(found, 'is', 'are');
  return {
    level: 'look',
    sentence: `${planned} planned against a limit. None leaves against it; move them to know when they will.`,
  };
}

export const Fixed = Type.Object(
  { moved: whole(6), left: whole(0, 'For which there is no room in sight.') },
  { title: 'FixedLimits' },
);
