import { formatId, parseId } from '../core/ids.js';
import { dateWords } from '../core/time-words.js';
import { dayOfLabel } from '../core/zone.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { lackOf } from './concerned.js';
import type { Needed } from './lacking.js';
import type { LeftOut } from './page.js';
import type { World } from './world.js';

export const WARNING_LEVELS = ['block', 'read', 'note'] as const;

/** Something to know before a launch. Only where nothing could ever leave it is in the way. */
export interface Warning {
  /** A searchable word. */
  readonly code: string;
  readonly level: (typeof WARNING_LEVELS)[number];
  readonly sentence: string;
  readonly count: number;
  /** Where to do something about it. */
  readonly to: string | null;
  /** What to do about it, as a button says it. */
  readonly verb: string | null;
  /** What the verb does at once; null: it leads to `to`. */
  readonly act: Act | null;
  /** Whom it concerns, as the list of people takes it. */
  readonly concern: string | null;
  /** The local date that it is about. */
  readonly date: string | null;
}

export const ACTS = ['leave_out', 'make_holiday'] as const;
export type Act = (typeof ACTS)[number];

export interface Looked {
  readonly world: World;
  readonly campaign: CampaignRow;
  readonly total: number;
  readonly people: number;
  readonly homeless: number;
  readonly leftOut: LeftOut;
  /** How many of its people are in another campaign that runs. */
  readonly others: number;
  /** What the templates need and how many people have none of it. */
  readonly lacking?: readonly (Needed & { readonly count: number })[];
  /** Empty: none. Not given: it is not asked about. */
  readonly postalAddress?: string;
  /** By account and date, and when each account is done. Not given: it is not asked about. */
  readonly days?: readonly { readonly date: string; readonly count: number }[];
  readonly capacity?: readonly { readonly accountId: string; readonly doneOn: string | null }[];
}

/** Whoever lacks more than that has chosen the wrong list. */
const MOST_LACKING = 10;

const number = (n: number): string => n.toLocaleString('en-GB');
const things = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${number(count)} ${many}`;

export function warningsOf(looked: Looked): readonly Warning[] {
  return [...blocks(looked), ...reads(looked)];
}

/** What keeps anything from ever leaving. */
export function blocks({ world, campaign, total, homeless }: Looked): readonly Warning[] {
  const { accounts, terms, steps, now } = world;
  const own = `/campaigns/${formatId('campaign', campaign.id)}/set-up`;
  const block = (code: string, sentence: string, to: string = own, verb = 'Set it up'): Warning => ({
    ...{ ...PLAIN, code, level: 'block', sentence, count: 1, to, verb },
  });
  if (accounts.size === 0) return [block('no_account', 'None of its accounts is there any more.')];
  if (terms.endAt !== null && terms.endAt <= now)
    return [block('ended', 'Its end is in the past: nothing could leave.')];
  const kinds = new Set([...accounts.values()].map(({ account }) => account.type));
  const wanted = new Set(steps.map(({ action }) => (action === 'email' ? 'email' : 'linkedin')));
  if (wanted.size > 0 && ![...wanted].some((kind) => kinds.has(kind)))
    return [block('no_account', 'None of its accounts can do what its steps ask for.')];
  if (campaign.sequence_id !== null && steps.length === 0)
    return [block('no_sequence', 'Its sequence is not there any more.')];
  if (homeless > 0 && total === 0)
    return [
      block(
        'does_not_fit',
        'Its accounts have no time for a single message in the years to come.',
        '/limits',
        'See the limits',
      ),
    ];
  return [];
}

/** Without a door, about nobody and no day in particular. */
const PLAIN = { to: null, verb: null, act: null, concern: null, date: null } as const;

function reads(looked: Looked): readonly Warning[] {
  const { world, campaign, homeless, leftOut, others, people, lacking = [], postalAddress } = looked;
  const { terms, now, accounts } = world;
  const found: Warning[] = [];
  const tell = (
    level: 'read' | 'note',
    code: string,
    count: number,
    sentence: string,
    more: Partial<Warning> = {},
  ) => {
    if (count > 0) found.push({ ...PLAIN, code, level, sentence, count, ...more });
  };
  const own = `/campaigns/${formatId('campaign', campaign.id)}`;
  const show = (concern: string, verb: string): Partial<Warning> => ({
    ...{ concern, verb, to: `${own}/people?${new URLSearchParams({ concern }).toString()}` },
  });
  tell(
    'read',
    'does_not_fit',
    homeless,
    `${things(homeless, 'message has', 'messages have')} no time in the years to come.`,
    { to: '/limits', verb: 'See the limits' },
  );
  tell(
    'read',
    'after_end',
    leftOut.late,
    `${things(leftOut.late, 'message', 'messages')} would leave after the end of the campaign; they are not planned.`,
  );
  tell(
    'note',
    'known',
    leftOut.known,
    `${things(leftOut.known, 'message', 'messages')} would go to people who have had this sequence; they are left out.`,
    show('known', 'Show them'),
  );
  tell(
    'note',
    'suppressed',
    leftOut.suppressed,
    `${things(leftOut.suppressed, 'message', 'messages')} would go to people who must not be written to; they are left out.`,
    show('suppressed', 'Show them'),
  );
  tell(
    'note',
    'unreachable',
    leftOut.unreachable,
    `${things(leftOut.unreachable, 'message', 'messages')} would go to people who have no address for it, or no account of it can do it.`,
    show('unreachable', 'Show them'),
  );
  for (const { name, step, count } of lacking.slice(0, MOST_LACKING))
    tell(
      'read',
      'missing_variable',
      count,
      `${things(count, 'person has', 'people have')} no ${name}, which step ${step} needs; their mail would not be sent.`,
      show(lackOf(name), `Show ${number(count)}`),
    );
  tell(
    'read',
    'others',
    others,
    `${things(others, 'person is', 'people are')} in another campaign as well, and could get two mails on one day.`,
    { ...show('others', `Leave ${number(others)} out`), act: 'leave_out' },
  );
  tell('read', 'nobody', people === 0 && campaign.enrolled === 0 ? 1 : 0, 'Nobody is in it yet.', {
    ...{ to: `${own}/launch/people`, verb: 'Choose people' },
  });
  tell(
    'read',
    'no_new_people',
    terms.maxNewPerDay === 0 ? 1 : 0,
    'It takes no new people: maxNewPerDay is 0.',
    { to: `${own}/set-up`, verb: 'Set it up' },
  );
  if (postalAddress === '')
    tell('read', 'no_postal_address', 1, 'The workspace has no postal address; mails leave without one.', {
      to: '/settings/workspace',
      verb: 'Add it',
    });
  tell(
    'note',
    'start_in_past',
    terms.startAt !== null && terms.startAt < now ? 1 : 0,
    'Its start is in the past: it begins now, without a burst.',
  );
  const paused = [...accounts.values()].filter(({ account }) => account.pausedAt !== null).length;
  tell(
    'read',
    'account_paused',
    paused,
    `${things(paused, 'of its accounts is', 'of its accounts are')} paused; its mail waits.`,
    { to: '/accounts', verb: 'Open accounts' },
  );
  found.push(...byDate(looked));
  return found;
}

/** One account that goes on so many days longer than all others is worth a look. */
const MUCH_LATER_DAYS = 3;
/** Days on which hardly anybody reads mail, wherever he is: month and day. */
const KEPT_BY_MANY = ['01-01', '12-25'];

/**
 * What concerns one day: which account ends it, and days that many keep. Public holidays are the workspace's to choose, by
 * country: for days of which it has said nothing, that is said.
 */
function byDate({ world, days = [], capacity = [] }: Looked): readonly Warning[] {
  const found: Warning[] = [];
  const done = capacity
    .flatMap(({ accountId, doneOn }) => (doneOn === null ? [] : [{ accountId, doneOn }]))
    .sort((one, other) => (one.doneOn < other.doneOn ? 1 : -1));
  const [last, before] = done;
  if (last && before && dayOfLabel(last.doneOn) - dayOfLabel(before.doneOn) > MUCH_LATER_DAYS) {
    const name = world.accounts.get(parseId('account', last.accountId) ?? 0)?.account.name ?? last.accountId;
    found.push({
      ...{ ...PLAIN, code: 'ends_it', level: 'read', count: 1, date: last.doneOn },
      sentence: `${name} ends it on ${day(last.doneOn)}; the others are done on ${day(before.doneOn)}.`,
      ...{ to: `/accounts/${last.accountId}?tab=limits`, verb: `Raise ${name}` },
    });
  }
  const byDay = new Map<string, number>();
  for (const { date, count } of days) byDay.set(date, (byDay.get(date) ?? 0) + count);
  for (const [date, count] of byDay) {
    if (!KEPT_BY_MANY.includes(date.slice(5))) continue;
    found.push({
      ...{ ...PLAIN, code: 'holiday', level: 'read', count, date, act: 'make_holiday' },
      sentence: `${things(count, 'mail', 'mails')} would leave on ${day(date)}, which many keep as a holiday.`,
      ...{ to: '/settings/sending', verb: 'Make it a holiday' },
    });
  }
  const chosen = new Set(world.settings.holidays.map(yearOf));
  const unchosen = days.filter(({ date }) => !chosen.has(yearOf(date)));
  const beyond = unchosen.reduce((sum, { count }) => sum + count, 0);
  const years = [...new Set(unchosen.map(({ date }) => yearOf(date)))].sort();
  if (beyond > 0)
    found.push({
      ...{ ...PLAIN, code: 'holidays_unknown', level: 'note', count: beyond },
      sentence: `The workspace has no holidays${chosen.size === 0 ? '' : ` of ${years.join(' and ')}`}: ${things(beyond, 'mail', 'mails')} could leave on one.`,
      ...{ to: '/settings/sending', verb: 'Choose a country’s' },
    });
  return found;
}

const yearOf = (date: string): string => date.slice(0, 4);

const day = (date: string): string =>
  dateWords(Date.parse(`${date}T12:00:00Z`), { now: Date.parse(`${date}T12:00:00Z`), timezone: 'UTC' });
