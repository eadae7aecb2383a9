import { reasonWords } from './event-words.js';
import type { State } from './lifecycle.js';
import { actorWords, windowText } from './subscription-words.js';
import { timeWords, type Clock } from './time-words.js';

/** A line of the history of a subscription, as people read it. */
export interface HappeningWords {
  readonly headline: string;
  /** Who, or how; empty: there is nothing to say. */
  readonly sentence: string;
  /** Before and after, of what was changed. */
  readonly changes: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** The state as it was told. */
  readonly snapshot: string | null;
}

interface Happened {
  readonly kind: string;
  readonly actor: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

const STATUS: Readonly<Record<string, string>> = {
  pending: 'not confirmed',
  unsubscribed: 'ended',
};
const statusWord = (status: unknown): string => STATUS[String(status)] ?? String(status);

const FIELDS: Readonly<Record<string, string>> = {
  notifyOn: 'tells when',
  maxNotifications: 'at most',
  deliveryWindow: 'hours',
  snoozeUntil: 'snoozed until',
  timezone: 'time zone',
};
const NOTHING: Readonly<Record<string, string>> = {
  notifyOn: 'anything',
  maxNotifications: 'no limit',
  deliveryWindow: 'any hour',
  snoozeUntil: 'not snoozed',
};

export function happeningWords({ kind, actor, details }: Happened, clock: Clock): HappeningWords {
  const sentence = actorWords(actor);
  const plain = { sentence, changes: [], snapshot: null };
  switch (kind) {
    case 'created':
      return { ...plain, headline: 'Subscribed', ...asWhat(details, sentence) };
    case 'confirmation_sent':
      return { ...plain, headline: 'Asked to confirm', sentence: 'by a mail with a link' };
    case 'notify_sent':
      return { ...plain, headline: 'Told', snapshot: snapshotOf(details) };
    case 'not_told':
      return { ...plain, ...notTold(details ?? {}) };
    case 'updated':
      return { ...plain, headline: 'Preferences changed', changes: changesOf(details ?? {}, clock) };
    case 'status_changed':
      return { ...plain, ...moved(details, actor, sentence) };
    default:
      return { ...plain, headline: kind.replaceAll('_', ' ') };
  }
}

function asWhat(
  details: Happened['details'],
  sentence: string,
): Pick<HappeningWords, 'sentence'> | Record<string, never> {
  const status = details?.['status'];
  if (status === undefined || status === 'active') return {};
  return { sentence: [sentence, statusWord(status)].filter(Boolean).join(', ') };
}

/** As a state of mails is called when it is what became of one person's. */
const NOT_TOLD: Readonly<Record<string, string>> = {
  skipped: 'Left out',
  expired: 'Came too late',
  dead: 'Mail died',
  cancelled: 'Stopped',
};

/** Why somebody was not told, in the words in which an event says it of one. */
function notTold({
  state,
  reason,
  statusAfter,
}: Readonly<Record<string, unknown>>): Pick<HappeningWords, 'headline' | 'sentence'> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    headline: NOT_TOLD[text(state)] ?? 'Not told',
    sentence: reasonWords(
      { state: text(state) as State, reason: text(reason), count: 1 },
      typeof statusAfter === 'string' ? statusAfter : null,
    ),
  };
}

/** What somebody's move is called. */
function moved(
  details: Happened['details'],
  actor: string | null,
  sentence: string,
): Pick<HappeningWords, 'headline' | 'sentence' | 'changes'> {
  const [before, after] = [details?.['before'], details?.['after']];
  const changes = [{ what: 'state', before: statusWord(before), after: statusWord(after) }];
  if (before === 'pending' && after === 'active' && actor === 'recipient')
    return { headline: 'Confirmed', sentence: 'by the link in the mail', changes: [] };
  if (after === 'unsubscribed') return { headline: 'Ended', sentence, changes: [] };
  if (after === 'paused') return { headline: 'Paused', sentence, changes: [] };
  if (before === 'paused' && after === 'active') return { headline: 'Resumed', sentence, changes: [] };
  return { headline: 'State changed', sentence, changes };
}

function changesOf(details: Readonly<Record<string, unknown>>, clock: Clock): HappeningWords['changes'] {
  return Object.entries(details).flatMap(([field, change]) => {
    if (typeof change !== 'object' || change === null) return [];
    const { before, after } = change as { readonly before?: unknown; readonly after?: unknown };
    const said = (value: unknown): string => valueWords(field, value, clock);
    return [{ what: FIELDS[field] ?? field, before: said(before), after: said(after) }];
  });
}

function valueWords(field: string, value: unknown, clock: Clock): string {
  if (value === null || value === undefined) return NOTHING[field] ?? 'none';
  if (field === 'snoozeUntil' && typeof value === 'number') return timeWords(value, clock);
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (field === 'deliveryWindow') return windowText(value as Parameters<typeof windowText>[0]);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const snapshotOf = (details: Happened['details']): string | null =>
  details === null
    ? null
    : Object.entries(details)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(', ');
