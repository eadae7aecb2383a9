import { invalidInput } from '../core/errors.js';
import type { AccountSending } from '../core/sending.js';
import { dayOfLabel, labelOf, zoneNamed } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { everyAccount } from '../store/scripts/accounts.js';
import { listChannels } from '../store/scripts/channels.js';
import type { LocalSpan } from '../store/scripts/message-list.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';

/** The first and the last of some dates, counted from 1970. */
export type Dates = readonly [first: number, last: number];

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `2026-11-17`, or from one date to another: `2026-11-16/2026-11-22`. Throws `invalid_input`. */
export function readDates(text: string): Dates {
  const [first = '', last = first, ...more] = text.split('/');
  const [from, to] = [dateOf(first), dateOf(last)];
  if (more.length > 0 || from === undefined || to === undefined || to < from)
    throw invalidInput('day', 'should be a date such as 2026-11-17, or two such as 2026-11-16/2026-11-22');
  return [from, to];
}

function dateOf(text: string): number | undefined {
  const day = DATE.test(text) ? dayOfLabel(text) : NaN;
  return Number.isNaN(day) || labelOf(day) !== text ? undefined : day;
}

/** When these dates are where each account sends from: what a calendar counts by. */
export function* localSpans(
  store: Store,
  workspaceId: number,
  [first, last]: Dates,
  now: number,
): Script<readonly LocalSpan[]> {
  const { timezone } = yield* readSending(store, workspaceId);
  const zones = new Map<number, string>();
  for (const { id, sending } of yield* everyAccount(store, workspaceId))
    zones.set(id, (JSON.parse(sending) as AccountSending).window?.timezone ?? timezone);
  const channels = new Map<string, number[]>();
  for (const { id, accountId } of yield* listChannels(store, workspaceId)) {
    const zone = zones.get(accountId) ?? timezone;
    channels.set(zone, [...(channels.get(zone) ?? []), id]);
  }
  return [...channels].map(([name, channelIds]) => {
    const zone = zoneNamed(name);
    const [from, until] = [zone.startOf(first), zone.startOf(last + 1)];
    return { channelIds, from, until, holdsNow: from <= now && now < until };
  });
}
