import { formatId } from '../core/ids.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
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
}

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
}

/** Whoever lacks more than that has chosen the wrong list. */
const MOST_LACKING = 10;

const things = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`;

export function warningsOf(looked: Looked): readonly Warning[] {
  return [...blocks(looked), ...reads(looked)];
}

/** What keeps anything from ever leaving. */
export function blocks({ world, campaign, total, homeless }: Looked): readonly Warning[] {
  const { accounts, terms, steps, now } = world;
  const own = `/campaigns/${formatId('campaign', campaign.id)}/set-up`;
  const block = (code: string, sentence: string, to: string | null = own): Warning => ({
    ...{ code, level: 'block', sentence, count: 1, to },
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
        '/settings',
      ),
    ];
  return [];
}

function reads({
  world,
  campaign,
  homeless,
  leftOut,
  others,
  people,
  lacking = [],
  postalAddress,
}: Looked): readonly Warning[] {
  const { terms, now, accounts } = world;
  const found: Warning[] = [];
  const tell = (
    level: 'read' | 'note',
    code: string,
    count: number,
    sentence: string,
    to: string | null = null,
  ) => {
    if (count > 0) found.push({ code, level, sentence, count, to });
  };
  const list = `/campaigns/${formatId('campaign', campaign.id)}/people`;
  tell(
    'read',
    'does_not_fit',
    homeless,
    `${things(homeless, 'message has', 'messages have')} no time in the years to come.`,
  );
  tell(
    'read',
    'after_end',
    leftOut.late,
    `${things(leftOut.late, 'message', 'messages')} would leave after the end of the campaign; they are not planned.`,
  );
  tell(
    'read',
    'known',
    leftOut.known,
    `${things(leftOut.known, 'message', 'messages')} would go to people who have had this sequence; they are left out.`,
    list,
  );
  tell(
    'read',
    'suppressed',
    leftOut.suppressed,
    `${things(leftOut.suppressed, 'message', 'messages')} would go to people who must not be written to; they are left out.`,
    '/suppressions',
  );
  tell(
    'read',
    'unreachable',
    leftOut.unreachable,
    `${things(leftOut.unreachable, 'message', 'messages')} would go to people who have no address for it, or no account of it can do it.`,
    list,
  );
  for (const { name, step, count } of lacking.slice(0, MOST_LACKING))
    tell(
      'read',
      'missing_variable',
      count,
      `${things(count, 'person has', 'people have')} no ${name}, which step ${step} needs; their mail would not be sent.`,
      list,
    );
  tell(
    'read',
    'others',
    others,
    `${things(others, 'person is', 'people are')} in another campaign as well.`,
    list,
  );
  tell('read', 'nobody', people === 0 && campaign.enrolled === 0 ? 1 : 0, 'Nobody is in it yet.', list);
  tell(
    'read',
    'no_new_people',
    terms.maxNewPerDay === 0 ? 1 : 0,
    'It takes no new people: maxNewPerDay is 0.',
  );
  if (postalAddress === '')
    tell(
      'read',
      'no_postal_address',
      1,
      'The workspace has no postal address; mails leave without one.',
      '/settings/workspace',
    );
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
    '/accounts',
  );
  return found;
}
