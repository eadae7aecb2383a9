import { LANES, STATES } from '../../api/names';
import type { Counts, State } from '../../api/types';
import type { MessageFilter } from '../../api/queries';
import { numberWords } from '../../parts/number-words';
import { without } from './without';

/** In the order in which they are shown, and in which Backspace takes them away from the end. */
const FILTER_NAMES = [
  ...(['state', 'lane', 'accountId', 'to', 'campaignId'] as const),
  ...(['eventId', 'reason', 'subscriptionId', 'step', 'day', 'fingerprint', 'q'] as const),
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type QueueSearch = Readonly<Partial<Record<FilterName | 'cursor' | 'tab', string>>>;

const isState = (word: string): word is State => STATES.some((state) => state === word);

export const statesOf = (list: string | undefined): readonly State[] =>
  (list ?? '').split(',').filter(isState);

/** What of an address is a filter. A word that the API would refuse is none. */
export function filterOf(search: QueueSearch): MessageFilter {
  const given = { ...search, state: statesOf(search.state).join(',') };
  const filter = Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = given[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  ) as MessageFilter;
  const refused = [
    ...(filter.lane === undefined || LANES.some((lane) => lane === filter.lane) ? [] : ['lane' as const]),
    ...(filter.eventId === undefined ? ['reason' as const] : []),
    ...(filter.campaignId !== undefined && STEP.test(filter.step ?? '') ? [] : ['step' as const]),
    ...(filter.campaignId !== undefined && areDates(filter.day ?? '') ? [] : ['day' as const]),
  ];
  return without(filter, ...refused);
}

const STEP = /^[1-9]\d?$/;

/** One date, or two of which the second is not before the first. */
function areDates(text: string): boolean {
  const [first = '', last = first, ...more] = text.split('/');
  return more.length === 0 && isDate(first) && isDate(last) && first <= last;
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** What is only asked of one of these. */
const asks = (name: FilterName): readonly FilterName[] =>
  name === 'campaignId' ? ['step', 'day'] : name === 'eventId' ? ['reason'] : [];

/** Without this one, and without what asks for it. */
export const dropped = (filter: MessageFilter, name: FilterName): MessageFilter =>
  without(filter, name, ...asks(name));

/** As a body says it: there a number is one. */
export const bodyOf = ({ step, ...filter }: MessageFilter): object => ({
  ...filter,
  ...(step !== undefined && { step: Number(step) }),
});

export const namesIn = (filter: MessageFilter): readonly FilterName[] =>
  FILTER_NAMES.filter((name) => filter[name] !== undefined);

/** The list begins anew with each change of its filter. */
export function withFilter(search: QueueSearch, name: FilterName, value: string | undefined): QueueSearch {
  const rest = without(search, 'cursor', name, ...asks(name));
  return value === undefined || value === '' ? rest : { ...rest, [name]: value };
}

/** How many match, where counters know it: without a filter, or by state alone. */
export function countedOf(filter: MessageFilter, counts: Counts | undefined): number | undefined {
  if (!counts || namesIn(filter).some((name) => name !== 'state')) return undefined;
  const states = filter.state === undefined ? STATES : statesOf(filter.state);
  return states.reduce((sum, state) => sum + counts[state], 0);
}

/** "51,084 messages", or as many as were seen: "50+ messages". Never an invented total. */
export function totalWords(
  counted: number | undefined,
  seen: { readonly shown: number; readonly more: boolean; readonly older: boolean },
): string | undefined {
  if (counted !== undefined) return messages(counted);
  // On a later page nobody knows how many came before it.
  if (seen.older) return undefined;
  return seen.more ? `${numberWords(seen.shown)}+ messages` : messages(seen.shown);
}

const messages = (n: number): string => `${numberWords(n)} ${n === 1 ? 'message' : 'messages'}`;
