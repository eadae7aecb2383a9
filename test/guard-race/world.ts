import type { Action } from '#pillarbox/core/message';
import { writeRetryPolicy } from '#pillarbox/core/retry';
import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from '#pillarbox/core/sending';
import { askCompiled, type Script } from '#pillarbox/store/script';
import { ensureAccount, ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { ensureGuardedChannel, reopen } from '#pillarbox/store/scripts/openings';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import type { NewMessage, Store } from '#pillarbox/store/store';
import type { House, Limits, Sender } from './judge.js';

const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Pacific/Fiji',
  'Asia/Kolkata',
  'America/Havana',
] as const;
const HOURS = [
  [0, 24],
  [9, 18],
  [0, 3],
  [1, 2],
] as const;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
/** Two pieces of a day, and neither begins with an hour. */
const IN_PIECES = Object.fromEntries(
  DAYS.map((day) => [
    day,
    [
      ['00:10', '00:45'],
      ['01:15', '12:00'],
    ],
  ]),
);
const ACCOUNTS = 50;
const OF_EACH_HOUSE = 10;
/** All of the first workspace together, which is less than its accounts could send. */
const BINDING_TOTAL = 8;
const UNBOUND = 100_000;
/** Night and day in which clocks go forward in Fiji and back in Havana and New York, a month ends and a week. */
export const NIGHT = {
  from: Date.parse('2015-10-31T13:00:00Z'),
  until: Date.parse('2015-11-02T03:00:00Z'),
  holiday: '2015-11-01',
};

export interface Account extends Sender {
  readonly type: 'email' | 'linkedin';
  readonly maxSpacingMs: number;
}

const FREE = {
  window: { sendingDays: EVERY_DAY, startHour: 0, endHour: 24 },
  holidays: [],
  limits: { day: UNBOUND },
  rampUp: undefined,
  spacingMs: 0,
  maxSpacingMs: 0,
};

/** Everybody who sends, and in whose name. */
export interface World {
  readonly houses: readonly House[];
  readonly accounts: readonly Account[];
}

const houses: readonly House[] = [1, 2, 3, 4, 5].map((id) => ({
  id,
  zone: id % 2 === 1 ? 'UTC' : 'America/New_York',
  dailyQuota: id === 1 ? BINDING_TOTAL : UNBOUND,
}));

/** Fifty accounts in five workspaces: no two of them are bound by quite the same things. */
export const MANY: World = {
  houses,
  accounts: Array.from({ length: ACCOUNTS }, (_, n) => accountOf(n + 1)),
};

/** One account in a workspace that has plenty, for what can be shown with little. */
export const only = (account: Partial<Account>): World => ({
  houses: [{ id: 1, zone: 'UTC', dailyQuota: UNBOUND }],
  accounts: [{ ...accountOf(1), type: 'email', actions: ['email'], zone: 'UTC', ...FREE, ...account }],
});

function accountOf(i: number): Account {
  const type = i % 5 === 1 || i % 7 === 3 ? 'linkedin' : 'email';
  const [startHour, endHour] = HOURS[i % HOURS.length]!;
  const limits: Limits = {
    day: 2 + (i % 3),
    ...(i % 8 === 0 && { hour: 1 }),
    ...(i % 9 === 0 && { week: 5 }),
    ...(i % 11 === 0 && { month: 4 }),
  };
  const spacing = [
    [0, 0],
    [30, 60],
    [60, 90],
    [30, 30],
  ][i % 4] as [number, number];
  return {
    id: i,
    house: Math.ceil(i / OF_EACH_HOUSE),
    type,
    zone: ZONES[(i + Math.floor(i / ZONES.length)) % ZONES.length]!,
    window: { startHour, endHour, sendingDays: EVERY_DAY, ...(i % 10 === 5 && { hours: IN_PIECES }) },
    holidays: i % 13 === 0 ? [NIGHT.holiday] : [],
    actions: type === 'linkedin' ? ['message', 'connection_request'] : ['email'],
    limits,
    rampUp: i % 6 === 0 ? { start: 2, step: 1 } : undefined,
    spacingMs: spacing[0] * 1_000,
    maxSpacingMs: spacing[1] * 1_000,
  };
}

/** As its door would store it. */
function sendingOf(account: Account): AccountSending {
  const { zone, window, limits, rampUp, actions } = account;
  const { hour, day, week, month } = limits;
  const given = { hour, week, month };
  return {
    ...{ dailyLimitEmails: day, dailyLimitMessages: day, dailyLimitConnections: day },
    limits: actions.flatMap((action) =>
      (['hour', 'week', 'month'] as const).flatMap((period) =>
        given[period] === undefined ? [] : [{ action, period, max: given[period] }],
      ),
    ),
    window: { ...window, timezone: zone },
    rampUp: { start: 0, step: 0, ...rampUp, enabled: rampUp !== undefined },
    spacing: { minSeconds: account.spacingMs / 1_000, maxSeconds: account.maxSpacingMs / 1_000 },
    holidays: account.holidays,
  };
}

const settingsOf = ({ zone, dailyQuota }: House): SendingSettings => ({
  ...SENDING_DEFAULTS,
  timezone: zone,
  dailyQuota,
  spacing: { minSeconds: 0, maxSeconds: 0 },
});

/** Who a mail is for says who sends it. */
export interface Errand {
  readonly to: string;
  readonly account: Account;
  readonly action: Action;
}

/** Makes the world, and gives every channel so many mails to send. Answers them with the numbers they have. */
export async function populate(
  store: Store,
  { houses, accounts }: World,
  mails: number,
): Promise<readonly (Errand & { id: number })[]> {
  const channels = await store.transaction(function* () {
    const found: { account: Account; action: Action; channelId: number; workspaceId: number }[] = [];
    for (const house of houses) {
      const workspaceId = yield* ensureWorkspace(store, `house ${house.id}`, NIGHT.from);
      yield* writeSettings(store, workspaceId, 'sending', settingsOf(house));
      for (const account of accounts.filter((each) => each.house === house.id)) {
        const { id } = yield* ensureAccount(store, workspaceId, newAccount(account), NIGHT.from);
        yield* configure(store, id, account.type, sendingOf(account));
        for (const action of account.actions) {
          const channelId = yield* ensureGuardedChannel(store, id, action);
          found.push({ account, action, channelId, workspaceId });
        }
      }
    }
    return found;
  });
  const errands: (Errand & { id: number })[] = [];
  for (const { account, action, channelId, workspaceId } of channels) {
    const batch = Array.from({ length: mails }, (_, n) => `${action}${n}.a${account.id}@example.org`);
    const stored = await store.enqueue(
      batch.map((to, n) => ({
        ...aMail(to, action, n % 4 === 0 ? 'resend' : 'hold'),
        channelId,
        workspaceId,
      })),
    );
    errands.push(...batch.map((to, n) => ({ to, account, action, id: stored[n]!.id })));
  }
  return errands;
}

const newAccount = ({ id }: Account) => ({
  name: `a${id}`,
  emailAddress: `a${id}@example.net`,
  displayName: null,
  transport: '{}',
});

function* configure(store: Store, id: number, type: string, sending: AccountSending): Script<void> {
  yield* askCompiled({
    sql: `update ${store.at('accounts')} set type = '${type}', sending = '${JSON.stringify(sending)}' where id = ${id}`,
    parameters: [],
  });
}

/** Tried again at once, so that a run does not wait. */
const AT_ONCE = writeRetryPolicy({ maxAttempts: 50, delaysSeconds: [0] });

export const aMail = (
  to: string,
  action: Action,
  doubtPolicy: 'hold' | 'resend',
): Omit<NewMessage, 'channelId' | 'workspaceId'> => ({
  lane: 'outbox',
  action,
  idempotencyKey: null,
  bodyHash: null,
  recipient: to,
  recipientName: null,
  sender: 'box@example.net',
  subject: 'Hello',
  dueAt: NIGHT.from,
  expiresAt: null,
  retryPolicy: AT_ONCE,
  doubtPolicy,
  transactional: false,
  traceId: null,
  mail: JSON.stringify({
    from: { email: 'box@example.net' },
    to: { email: to },
    subject: 'Hello',
    text: 'Hello.',
  }),
});

/** From now on everybody may send what he likes: what is left of the world drains. */
export async function lift(store: Store, { houses, accounts }: World): Promise<void> {
  await store.transaction(function* () {
    for (const house of houses) {
      const workspaceId = yield* ensureWorkspace(store, `house ${house.id}`, NIGHT.from);
      yield* writeSettings(store, workspaceId, 'sending', settingsOf({ ...house, dailyQuota: UNBOUND }));
      for (const account of accounts.filter((each) => each.house === house.id)) {
        const { id } = yield* ensureAccount(store, workspaceId, newAccount(account), NIGHT.from);
        yield* configure(store, id, account.type, sendingOf({ ...account, ...FREE }));
      }
      yield* reopen(store, { workspaceId });
    }
  });
}
