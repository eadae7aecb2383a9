import { formatId } from '../core/ids.js';
import { ALL_STATES, type State } from '../core/lifecycle.js';
import { LANES, type Lane } from '../core/message.js';
import type { Dashboard as KnownDashboard } from '../overview/dashboard.js';
import type { Account } from '../store/scripts/accounts.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { figure, instant, list, nullable, optional, text, whole, word } from './shape.js';
import { LevelWord } from './words.js';

const countOfEach = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, whole(0)])) as Record<Name, ReturnType<typeof whole>>;

export const Counts = Type.Object(countOfEach<State>(ALL_STATES), {
  title: 'Counts',
  description: 'How many messages are in each state.',
});

const Need = Type.Object(
  {
    kind: word(['no_worker', 'late', 'dead', 'held', 'account_paused']),
    count: whole(2),
    sentence: text('2 mails are held.'),
    advice: optional(text('Nobody knows whether they left. Only you can decide.')),
  },
  { title: 'Need', description: 'Something that goes on until a person decides.' },
);

const AccountToday = Type.Object(
  {
    id: text('acc_1'),
    name: text('Bookings'),
    emailAddress: text('bookings@example.org'),
    type: text('email'),
    transport: text('smtp', 'How it sends.'),
    status: word(['active', 'paused']),
    pausedAt: nullable(instant()),
    pauseReason: nullable(Type.String()),
    cooldownUntil: nullable(instant()),
    cooldownReason: nullable(Type.String()),
    sentToday: whole(412),
    failedToday: whole(3),
  },
  { title: 'AccountToday' },
);

const Series = Type.Immutable(
  Type.Array(Type.Object({ at: instant(), sent: whole(12), failed: whole(0) }), {
    title: 'Series',
    description: 'How many left, and how many tries failed, in each stretch of time from `at` on.',
  }),
);

export const Dashboard = Type.Object(
  {
    pendingEmailCount: whole(17),
    failedEmailCount: whole(128),
    heldEmailCount: whole(2),
    sentToday: whole(1_204),
    sentTodayByLane: Type.Object(countOfEach<Lane>(LANES)),
    sendingNow: whole(4),
    oldestDueAgeSeconds: figure(0.4),
    next: Type.Object(
      { retryAt: nullable(instant()), scheduledAt: nullable(instant()) },
      { description: 'When the next of each may leave; null: nobody knows of one.' },
    ),
    oldestHeldAgeSeconds: nullable(figure(0), undefined, 3_600),
    deadToday: whole(3),
    caught: nullable(whole(0), 'How many mails the development inbox holds; null: there is none.'),
    states: Counts,
    health: Type.Object({
      level: LevelWord,
      sentence: text('Mail leaves. One thing needs you.'),
      evidence: text('The oldest due mail waits for less than a second.'),
      needs: list(Need),
    }),
    workers: Type.Object({
      alive: whole(3),
      senders: whole(2, 'Those of them that send; the others pass mail on to a broker.'),
      oldestSeenSeconds: nullable(figure(0), undefined, 1.2),
      items: list(
        Type.Object({ name: text('web-1:4711'), kind: word(['worker', 'relay']), seenAt: instant() }),
      ),
    }),
    accounts: list(AccountToday),
    series: Series,
  },
  { title: 'Dashboard' },
);
export type Dashboard = Static<typeof Dashboard>;

/** What the database alone does not know. */
interface Surroundings {
  readonly transportKindOf: (account: Account) => string;
  /** How many mails the development inbox holds; null: there is none to look into. */
  readonly caught: number | null;
}

export const presentDashboard = (
  dashboard: KnownDashboard,
  { transportKindOf, caught }: Surroundings,
): Dashboard => ({
  pendingEmailCount: dashboard.pending,
  failedEmailCount: dashboard.states.dead,
  heldEmailCount: dashboard.states.held,
  sentToday: dashboard.sentToday,
  sentTodayByLane: dashboard.sentTodayByLane,
  sendingNow: dashboard.states.sending,
  oldestDueAgeSeconds: (dashboard.oldestDueMs ?? 0) / 1_000,
  next: {
    retryAt: presentInstant(dashboard.next.retryAt),
    scheduledAt: presentInstant(dashboard.next.scheduledAt),
  },
  oldestHeldAgeSeconds: dashboard.oldestHeldMs === null ? null : dashboard.oldestHeldMs / 1_000,
  deadToday: dashboard.deadToday,
  caught,
  states: dashboard.states,
  health: dashboard.health,
  workers: {
    alive: dashboard.workers.alive,
    senders: dashboard.workers.senders,
    oldestSeenSeconds:
      dashboard.workers.oldestSeenMs === null ? null : dashboard.workers.oldestSeenMs / 1_000,
    items: dashboard.workers.items.map(({ seenAt, ...worker }) => ({ ...worker, seenAt: iso(seenAt) })),
  },
  accounts: dashboard.accounts.map(({ account, sentToday, failedToday }) => ({
    id: formatId('account', account.id),
    name: account.name,
    emailAddress: account.emailAddress,
    type: account.type,
    transport: transportKindOf(account),
    status: account.pausedAt === null ? 'active' : 'paused',
    pausedAt: presentInstant(account.pausedAt),
    pauseReason: account.pauseReason,
    cooldownUntil: account.cooldownUntil > dashboard.now ? iso(account.cooldownUntil) : null,
    cooldownReason: account.cooldownUntil > dashboard.now ? account.cooldownReason : null,
    sentToday,
    failedToday,
  })),
  series: dashboard.series.map(({ at, ...counts }) => ({ at: iso(at), ...counts })),
});
