import { VIOLATION_KINDS, type Simulation as Simulated } from '../core/simulation.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { figure, instant, list, nullable, text, whole, word } from './shape.js';

export const Simulation = Type.Object(
  {
    startedAt: instant('From when on it was looked ahead.'),
    until: instant('How far it was looked ahead, at most.'),
    days: list(
      Type.Object({
        date: text('2026-11-16', 'A local date of the account.'),
        accountId: text('acc_1'),
        sent: whole(20, 'What leaves of the campaign.'),
        others: whole(0, 'What else the account sends.'),
        quota: whole(20, 'What the account may send on that date.'),
      }),
      'The dates on which something leaves.',
    ),
    accounts: list(
      Type.Object({
        accountId: text('acc_1'),
        name: text('hello'),
        sent: whole(600),
        others: whole(0),
        use: figure(0.98, 'Of what it may send on those dates, from 0 to 1.'),
      }),
    ),
    sent: whole(3_000, 'Of the campaign: what leaves in that time.'),
    waiting: whole(0, 'What would still wait at the end of it.'),
    ended: whole(0, 'What has ended without leaving.'),
    endsAt: nullable(
      instant(),
      'When the last message leaves; null: not in that time.',
      '2026-12-18T16:12:00.000Z',
    ),
    violations: list(
      Type.Object({
        kind: word(VIOLATION_KINDS),
        accountId: nullable(Type.String(), 'Null: all accounts together.', 'acc_1'),
        when: text('2026-11-16'),
        sentence: text('21 email of at most 20.'),
      }),
      'What left against a window, a limit, a spacing or its order. There should be none.',
    ),
    warnings: list(text('12 would leave after the end of the campaign; not planned.')),
  },
  { title: 'Simulation' },
);
export type Simulation = Static<typeof Simulation>;

export const presentSimulation = (simulated: Simulated): Simulation => ({
  startedAt: iso(simulated.startedAt),
  until: iso(simulated.until),
  days: simulated.days,
  accounts: simulated.accounts.map((each) => ({ ...each, use: Math.round(each.use * 1_000) / 1_000 })),
  sent: simulated.sent,
  waiting: simulated.waiting,
  ended: simulated.ended,
  endsAt: presentInstant(simulated.endsAt),
  violations: simulated.violations,
  warnings: simulated.warnings,
});
