import type { Nearness as KnownNearness } from '../guard/nearness.js';
import type { AccountPace as KnownPace } from '../guard/pace.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, list, nullable, text, whole, word } from './shape.js';
import { ActionWord } from './words.js';

const PaceDay = Type.Object(
  {
    number: whole(6, 'Of all days on which the account sends, the first is 1.'),
    date: text('2026-11-16'),
    sent: whole(7),
    planned: whole(23, 'As what waits now would leave.'),
    quota: whole(30, 'What ramp-up lets it do on such a day.'),
  },
  { title: 'PaceDay' },
);

export const AccountPace = Type.Object(
  {
    accountId: text('acc_1'),
    action: ActionWord,
    limit: whole(30, 'What it may do at most in a day.'),
    total: whole(260, 'What all accounts may do together.'),
    rampUp: nullable(Type.Object({ start: whole(5), step: whole(5) }), 'Null: it has none.'),
    timezone: text('America/New_York'),
    number: whole(6, "Today's."),
    days: list(PaceDay, 'Up to five before today, today, and those to come: 15.'),
    opensAt: nullable(instant(), 'Today, or on the next day on which it opens.'),
    closesAt: nullable(instant()),
    sent: list(instant(), 'When what left today was handed over; the last 400.'),
    planned: list(instant(), 'When what waits for today would leave; the first 400.'),
    next: nullable(instant(), 'When the next would leave.'),
    facts: list(
      Type.Object({
        name: text('Emails a day'),
        value: text('7 of 30 used, 23 planned'),
        from: word(['own', 'workspace', 'usual'], { description: 'usual: nobody has said anything.' }),
      }),
      'Everything that holds for it, in words.',
    ),
  },
  { title: 'AccountPace' },
);

export const presentPace = ({
  sent,
  planned,
  next,
  opensAt,
  closesAt,
  rampUp,
  ...rest
}: KnownPace): Static<typeof AccountPace> => ({
  ...rest,
  rampUp: rampUp ?? null,
  opensAt: presentInstant(opensAt),
  closesAt: presentInstant(closesAt),
  sent: sent.map(iso),
  planned: planned.map(iso),
  next: presentInstant(next),
});

const PeriodUse = Type.Object(
  { used: whole(82), planned: whole(26), max: whole(100) },
  { title: 'PeriodUse' },
);
const use = nullable(PeriodUse, 'Null: no limit.');

export const Nearness = Type.Object(
  {
    items: list(
      Type.Object(
        {
          accountId: text('acc_1'),
          action: ActionWord,
          periods: Type.Object({ hour: use, day: use, week: use, month: use }),
          closestMs: nullable(Type.Integer(), 'The smallest time between two that left today.', 362_000),
        },
        { title: 'NearAccount' },
      ),
      'Those nearest to a limit first; 200 at most.',
    ),
    days: list(
      Type.Object({
        date: text('2026-11-18'),
        planned: whole(227, 'What all accounts have, today with what has left.'),
        room: whole(212, 'What they may have.'),
      }),
      'Days for which something is planned.',
    ),
  },
  { title: 'Nearness' },
);

export const presentNearness = ({ items, days }: KnownNearness): Static<typeof Nearness> => ({ items, days });
