import type { AccountDay } from './account-day.js';
import { numberWords, spacingWords } from './limit-words.js';
import { limitsAt, type Use } from './limits.js';
import type { Action } from './message.js';
import { rampQuota } from './opening.js';
import type { Rules } from './rules.js';
import { LINKEDIN_LIMITS, type AccountSending, type SendingSettings } from './sending.js';
import { clockWords, zoneWords } from './time-words.js';
import { windowWords } from './window-words.js';

/** One thing that holds for an account, in words, and who says so. */
export interface AccountFact {
  readonly name: string;
  readonly value: string;
  readonly from: 'own' | 'workspace' | 'usual';
}

export interface HoldingFacts {
  readonly action: Action;
  readonly type: 'email' | 'linkedin';
  readonly rules: Rules;
  readonly use: Use;
  readonly day: Pick<AccountDay, 'used' | 'planned'>;
  readonly account: AccountSending;
  readonly workspace: SendingSettings;
  readonly lastSentAt: number | null;
  readonly bounced: {
    readonly bounces: number;
    readonly sends: number;
    readonly bouncePercent: number;
    readonly days: number;
  };
}

const NAMES: Readonly<Record<Action, string>> = {
  email: 'Emails',
  message: 'Messages',
  connection_request: 'Requests',
  inmail: 'InMails',
};
const FIELDS = {
  email: 'dailyLimitEmails',
  message: 'dailyLimitMessages',
  connection_request: 'dailyLimitConnections',
  inmail: 'dailyLimitInmails',
} as const satisfies Record<Action, keyof AccountSending>;
const PERIODS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' } as const;

/** Everything that holds for one thing that an account does, those that are counted first. */
export function accountFacts(facts: HoldingFacts): AccountFact[] {
  const { action, rules, account, workspace } = facts;
  const window = account.window ?? workspace;
  const zone = zoneWords(facts.use.now, window.timezone);
  return [
    ...countedFacts(facts),
    {
      name: 'Spacing',
      value: [spacingWords(rules.spacing), lastWords(facts)].filter((text) => text !== '').join('; '),
      from: account.spacing && isLarger(account, workspace) ? 'own' : 'workspace',
    },
    {
      name: 'Days, hours',
      value: `${windowWords(window)} ${zone}`,
      from: account.window ? 'own' : 'workspace',
    },
    ...(workspace.holidays.length + (account.holidays ?? []).length > 0 ? [holidayFact(facts)] : []),
    ...(action === 'email' ? [healthFact(facts)] : []),
  ];
}

function countedFacts({ action, type, rules, use, day, account }: HoldingFacts): AccountFact[] {
  const own = (period: keyof typeof PERIODS): AccountFact['from'] => {
    const given = account.limits ?? (type === 'linkedin' ? LINKEDIN_LIMITS : []);
    const named = given.some((limit) => limit.action === action && limit.period === period);
    const said = period === 'day' && account[FIELDS[action]] !== undefined;
    return said || (named && account.limits !== undefined) ? 'own' : 'usual';
  };
  const found = limitsAt(rules, action, use.now, use).flatMap((limit): AccountFact[] => {
    const { kind, period = 'day', max, used } = limit;
    const share = `${numberWords(used)} of ${numberWords(max)} used`;
    if (kind === 'total') return [{ name: 'All accounts, a day', value: share, from: 'workspace' }];
    if (kind !== 'limit') return [];
    const planned = period === 'day' && day.planned > 0 ? `, ${numberWords(day.planned)} planned` : '';
    return [{ name: `${NAMES[action]} ${PERIODS[period]}`, value: `${share}${planned}`, from: own(period) }];
  });
  const ofDay = found.findIndex(({ name }) => name.endsWith(PERIODS.day));
  const first = found.splice(Math.max(0, ofDay), 1);
  return [...first, rampFact(rules, action, use, account), ...found];
}

function rampFact(
  { rampUp, limits }: Rules,
  action: Action,
  { taken }: Use,
  account: AccountSending,
): AccountFact {
  const from = account.rampUp ? 'own' : 'workspace';
  if (!rampUp) return { name: 'Ramp-up', value: 'off', from };
  const { day } = limits[action];
  const now = rampQuota(day, rampUp, taken.daysSent);
  const on = `${numberWords(now)} on day ${numberWords(taken.daysSent + 1)}`;
  return { name: 'Ramp-up', value: now < day ? `${on}, binds now` : `${on}, the full limit`, from };
}

const isLarger = ({ spacing }: AccountSending, workspace: SendingSettings): boolean =>
  spacing !== undefined &&
  (spacing.minSeconds > workspace.spacing.minSeconds || spacing.maxSeconds > workspace.spacing.maxSeconds);

const lastWords = ({ lastSentAt, rules, use }: HoldingFacts): string =>
  lastSentAt === null
    ? ''
    : `last sent ${clockWords(lastSentAt, { now: use.now, timezone: rules.calendar.zone.name })}`;

function holidayFact({ account, workspace, use }: HoldingFacts): AccountFact {
  const today = new Date(use.now).toISOString().slice(0, 10);
  const all = [...new Set([...workspace.holidays, ...(account.holidays ?? [])])].sort();
  const coming = all.filter((date) => date >= today);
  const more = coming.length > 3 ? ` and ${numberWords(coming.length - 3)} more` : '';
  return {
    name: 'Holidays',
    value: coming.length === 0 ? 'none to come' : `${coming.slice(0, 3).map(dateWords).join(', ')}${more}`,
    from: (account.holidays ?? []).length > 0 ? 'own' : 'workspace',
  };
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateWords = (date: string): string => FORMAT.format(Date.parse(`${date}T00:00:00Z`));

function healthFact({ bounced: { bounces, sends, bouncePercent, days } }: HoldingFacts): AccountFact {
  const percent = sends === 0 ? 0 : (bounces * 100) / sends;
  const share =
    bounces === 0 ? 'nothing bounced' : `${percent.toFixed(1)} % of ${numberWords(sends)} bounced`;
  const name = `Health, ${numberWords(days)} ${days === 1 ? 'day' : 'days'}`;
  return { name, value: `${share}; limit ${bouncePercent} %`, from: 'workspace' };
}
