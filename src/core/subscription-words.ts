import type { SubscriptionStatus } from './mail-job.js';
import { nextOpening, type DailyWindow, type Preferences } from './preferences.js';
import { SUBSCRIPTION_STATUSES } from './subscription.js';
import type { Suppression, SuppressionReason } from './suppression.js';
import { dateWords, timeWords, type Clock } from './time-words.js';

/** Its status, or what makes that say too little: snoozed by the person, or on the list of those that nobody writes to. */
export const SUBSCRIPTION_STATES = [...SUBSCRIPTION_STATUSES, 'snoozed'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** What became of a subscription so far. */
export interface SubscriptionFigures {
  /** How often it was told, as far as that is kept; not counted further than a thousand. */
  readonly told: number;
  readonly lastToldAt: number | null;
  /** When its confirmation was asked for last. */
  readonly askedAt: number | null;
  /** Of its newest mails. */
  readonly dead: number;
  readonly waiting: number;
  readonly nextAt: number | null;
  /** Other topics of the same contact, up to a hundred. */
  readonly others: number;
  /** Who changed its status last, and when. */
  readonly changedBy: string | null;
  readonly changedAt: number | null;
}

export interface SubscriptionFacts extends SubscriptionFigures {
  readonly status: SubscriptionStatus;
  readonly preferences: Preferences;
  readonly notified: number;
  readonly timezone: string | null;
  /** Stands in the way of a notification. */
  readonly suppression: Suppression | undefined;
}

export interface SubscriptionPlate {
  readonly level: 'fine' | 'look';
  readonly sentence: string;
  readonly evidence?: string;
}

export function subscriptionState(
  { status, preferences: { snoozeUntil }, suppression }: SubscriptionFacts,
  now: number,
): SubscriptionState {
  if (status === 'unsubscribed' || status === 'pending') return status;
  if (suppression || status === 'suppressed') return 'suppressed';
  if (status === 'active' && snoozeUntil !== null && snoozeUntil > now) return 'snoozed';
  return status;
}

const WHY: Record<SuppressionReason, string> = {
  hard_bounce: 'its mailbox is gone',
  soft_bounces: 'it bounced again and again',
  complaint: 'a complaint came back',
  unsubscribed: 'the person wants nothing more from this sender',
  manual: 'somebody put it on the list',
};

const number = (n: number): string => n.toLocaleString('en');
const mails = (n: number): string => `${number(n)} ${n === 1 ? 'mail' : 'mails'}`;

/** Is this person told, and if not, why not. `clock` is the workspace's. */
export function subscriptionPlate(facts: SubscriptionFacts, clock: Clock): SubscriptionPlate {
  const { suppression, askedAt, preferences } = facts;
  switch (subscriptionState(facts, clock.now)) {
    case 'pending':
      return {
        level: 'fine',
        sentence: 'Not confirmed yet. Nothing is sent before.',
        evidence: askedAt === null ? 'Nobody was asked yet.' : `Asked ${ago(askedAt, clock)}.`,
      };
    case 'paused':
      return { level: 'fine', sentence: 'Paused. Nothing is sent.', evidence: changed(facts, clock) };
    case 'unsubscribed':
      return {
        level: 'fine',
        sentence: `Ended${facts.changedBy === 'recipient' ? ' by the person' : ''}. Coming back needs the person.`,
        evidence: changed(facts, clock),
      };
    case 'suppressed':
      return {
        level: 'look',
        sentence: suppression
          ? `Suppressed since ${dateWords(suppression.createdAt, clock)}: ${WHY[suppression.reason]}. Nothing is sent.`
          : 'Suppressed. Nothing is sent.',
      };
    case 'snoozed':
      return {
        level: 'fine',
        sentence: `Snoozed until ${timeWords(preferences.snoozeUntil ?? 0, clock)}. Nothing is sent before.`,
        evidence: `${told(facts, clock)} ${waits(facts)}`,
      };
    case 'active':
      return active(facts, clock);
  }
}

function active(facts: SubscriptionFacts, clock: Clock): SubscriptionPlate {
  const { waiting, nextAt, dead, timezone } = facts;
  const there = { now: clock.now, timezone: timezone ?? 'UTC' };
  const hours = hoursWords(facts, there);
  const died = dead === 0 ? '' : ` ${mails(dead)} died.`;
  const level = dead === 0 ? 'fine' : 'look';
  if (waiting > 0 && nextAt !== null && nextAt > clock.now)
    return {
      level,
      sentence: `Waits for ${timeIn(nextAt, there)} in ${placeOf(timezone)}; ${mails(waiting)}.${died}`,
      evidence: `${told(facts, clock)} ${hours}`,
    };
  return { level, sentence: `${told(facts, clock)}${died}`, evidence: `${hours} ${waits(facts)}` };
}

const waits = ({ waiting }: SubscriptionFacts): string =>
  waiting === 0 ? 'Nothing waits.' : `${mails(waiting)} ${waiting === 1 ? 'waits' : 'wait'}.`;

function told(facts: SubscriptionFacts, clock: Clock): string {
  const { preferences, notified, lastToldAt } = facts;
  const { maxNotifications: most } = preferences;
  const last = lastToldAt === null ? '' : `, last ${ago(lastToldAt, clock)}`;
  if (most === null)
    return facts.told === 0
      ? 'Not told of anything yet.'
      : `Told ${facts.told === 1 ? 'once' : `${number(facts.told)} times`}${last}.`;
  const left = Math.max(0, most - notified);
  const rest = left === 0 ? 'No further ones.' : `${number(left)} more, then no further ones.`;
  return `Told ${number(notified)} of ${number(most)} times${last}. ${rest}`;
}

function changed({ changedBy, changedAt }: SubscriptionFacts, clock: Clock): string {
  if (changedAt === null) return 'It came like this.';
  return `${capital(actorWords(changedBy) || 'by the engine')}, ${timeWords(changedAt, clock)}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Who did it, as people say it; empty: the engine. */
export function actorWords(actor: string | null): string {
  if (actor === null) return '';
  if (actor === 'recipient') return 'by the person';
  if (actor === 'library') return 'by a program';
  return actor === 'import' ? 'by an import' : `by ${actor}`;
}

function hoursWords({ preferences: { deliveryWindow }, timezone }: SubscriptionFacts, there: Clock): string {
  if (!deliveryWindow || !nextOpening(deliveryWindow, there.timezone, there.now))
    return 'Mails may leave at any hour.';
  return `Mails may leave ${windowText(deliveryWindow)} in ${placeOf(timezone)}, where it is ${timeIn(there.now, there)}.`;
}

/** "08:00–20:00". */
export const windowText = ({ startMinutes, endMinutes }: DailyWindow): string =>
  `${clockText(startMinutes)}–${clockText(endMinutes)}`;

const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');

/** "Paris", of Europe/Paris. */
const placeOf = (timezone: string | null): string =>
  (timezone ?? 'UTC').split('/').at(-1)?.replaceAll('_', ' ') ?? 'UTC';

/** Without the zone, which is named beside it: "08:00", on another day "Tue 17 Nov, 08:00". */
const timeIn = (instant: number, clock: Clock): string => timeWords(instant, clock).replace(/ \S+$/, '');

const STEPS = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/** "31 s ago"; two days and more by their date. */
function ago(instant: number, clock: Clock): string {
  const ms = Math.max(0, clock.now - instant);
  if (ms >= 2 * 86_400_000) return `on ${dateWords(instant, clock)}`;
  const [size, unit] = STEPS.find(([step]) => ms >= step) ?? [1_000, 's'];
  return `${String(Math.floor(ms / size))} ${unit} ago`;
}
