import { formatId } from '../core/ids.js';
import type { AccountsStanding as KnownStanding } from '../overview/accounts-standing.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { figure, flag, instant, list, nullable, text, whole, word } from './shape.js';
import { ActionWord, LevelWord, OutcomeWord } from './words.js';

const verdictFields = {
  level: LevelWord,
  sentence: text('All 3 accounts can send.'),
  evidence: text('', 'What the sentence rests on.'),
};

/** What an account does of one action today, as its limits have it. */
const AccountDay = Type.Object(
  {
    action: ActionWord,
    guarded: flag(true, 'False: its mail leaves whatever its limits say.'),
    standing: word(['open', 'full', 'shut'], { description: 'shut: outside its hours.' }),
    until: nullable(instant(), 'When it may send again; null: now, or nobody knows.'),
    limit: whole(30),
    used: whole(9, 'What has left, is under way or in doubt.'),
    planned: whole(21, 'What waits for today, as far as there is room.'),
    binds: text('30 a day, its own', 'What says so.'),
    then: nullable(Type.String(), 'What would bind next, or when it opens.', 'next: workspace 260 a day'),
  },
  { title: 'AccountDay' },
);

const AccountWindow = Type.Object(
  {
    timezone: text('America/New_York'),
    zone: text('EST', 'As its clocks are called now.'),
    open: list(list(whole(540)), 'From when to when today, in minutes of the local day.'),
    minute: whole(642, 'Now.'),
  },
  { title: 'AccountWindow' },
);

const Bounced = Type.Object(
  {
    percent: figure(2, 'Of what it sent in those days.'),
    bounces: whole(2),
    sends: whole(98, 'Counted up to 10,000, and where something bounced.'),
    limit: figure(5, 'From there on it stops itself.'),
    days: whole(7),
  },
  { title: 'Bounced' },
);

export const AccountStanding = Type.Object(
  {
    id: text('acc_1'),
    ...verdictFields,
    rows: list(AccountDay, 'One an action.'),
    limits: text('9 of 30', 'What of its limits is used today, in a few words.'),
    window: AccountWindow,
    bounced: Bounced,
    sentToday: whole(412),
    failedToday: whole(3),
    waiting: whole(17, 'Counted up to 10,001.'),
    lastTry: nullable(Type.Object({ at: instant(), outcome: OutcomeWord })),
  },
  { title: 'AccountStanding' },
);

export const AccountsStanding = Type.Object(
  {
    ...verdictFields,
    today: nullable(
      Type.Object({ used: whole(116), limit: whole(224) }),
      'Guarded emails of all accounts; null: there are none.',
    ),
    stopped: nullable(Type.String(), 'An account that stopped itself.', 'acc_1'),
    items: list(AccountStanding),
  },
  { title: 'AccountsStanding' },
);
export type AccountsStanding = Static<typeof AccountsStanding>;

export const presentAccountsStanding = ({ items, stopped, ...verdict }: KnownStanding): AccountsStanding => ({
  ...verdict,
  stopped: stopped === null ? null : formatId('account', stopped),
  items: items.map(({ id, lastTry, rows, bounced, ...standing }) => ({
    id: formatId('account', id),
    ...standing,
    rows: rows.map((row) => ({ ...row, until: presentInstant(row.until) })),
    bounced: {
      percent: bounced.sends === 0 ? 0 : Math.round((bounced.bounces * 1_000) / bounced.sends) / 10,
      ...{ bounces: bounced.bounces, sends: bounced.sends },
      ...{ limit: bounced.bouncePercent, days: bounced.days },
    },
    lastTry: lastTry && { ...lastTry, at: iso(lastTry.at) },
  })),
});
