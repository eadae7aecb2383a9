import { shownDkim } from '../access/sealed-dkim.js';
import { isOfProcess } from '../access/sealed-transport.js';
import type { AccountPatch } from './input.js';
import { outlineOf } from '../core/day-hours.js';
import { formatId } from '../core/ids.js';
import {
  DAILY_LIMITS,
  LINKEDIN_LIMITS,
  MAX_CONNECTIONS,
  type AccountSending,
  type SendingWindow,
} from '../core/sending.js';
import type { Account } from '../store/scripts/accounts.js';
import type { Transports } from './transports.js';

const SENDING_FIELDS = [
  'dailyLimitEmails',
  'dailyLimitMessages',
  'dailyLimitConnections',
  'dailyLimitInmails',
  'limits',
  'window',
  'rampUp',
  'spacing',
  'holidays',
  'maxConnections',
  'mailsInFlight',
] as const satisfies readonly (keyof AccountSending)[];

/** What is named replaces what was; null takes it away. */
export function sendingOf(
  present: AccountSending,
  patch: Pick<AccountPatch, keyof AccountSending>,
): AccountSending {
  const given = { ...patch, ...(patch.window && { window: windowOf(patch.window) }) };
  const merged = SENDING_FIELDS.map((field) => [
    field,
    given[field] === undefined ? present[field] : given[field],
  ]);
  return Object.fromEntries(
    merged.filter(([, value]) => value !== undefined && value !== null),
  ) as AccountSending;
}

/** Whole: what may be left out beside `hours` is what they come to. */
function windowOf({ hours, ...rest }: NonNullable<AccountPatch['window']>): SendingWindow {
  return hours ? { ...outlineOf(hours), ...rest, hours } : (rest as SendingWindow);
}

/** An account as people see it. Instants are epoch ms; the HTTP edge writes ISO 8601. */
export type AccountView = ReturnType<typeof accountView>;

export function accountView(account: Account, transports: Transports, now: number) {
  const ofProcess = isOfProcess(account);
  const sending = JSON.parse(account.sending) as AccountSending;
  const cooling = account.cooldownUntil > now;
  return {
    id: formatId('account', account.id),
    name: account.name,
    type: account.type,
    emailAddress: account.emailAddress === '' ? null : account.emailAddress,
    displayName: account.displayName,
    /** Made and kept by the process, from its own settings. */
    isDefault: ofProcess,
    transport: transports.shown(account),
    dkim: shownDkim(account),
    ...DAILY_LIMITS,
    limits: account.type === 'linkedin' ? LINKEDIN_LIMITS : [],
    // Null: the workspace's.
    window: null,
    rampUp: null,
    spacing: null,
    holidays: null,
    maxConnections: MAX_CONNECTIONS,
    mailsInFlight: 1,
    ...sending,
    ...(ofProcess && { maxConnections: transports.ownMaxConnections }),
    status: account.pausedAt === null ? ('active' as const) : ('paused' as const),
    pauseReason: account.pauseReason,
    cooldownUntil: cooling ? account.cooldownUntil : null,
    cooldownReason: cooling ? account.cooldownReason : null,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
  };
}
