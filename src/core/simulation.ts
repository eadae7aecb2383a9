import { invalidInput } from './errors.js';
import type { Action } from './message.js';
import { isTimezone } from './sending.js';

/** What a simulation is asked for, and what it comes to. */

/** A campaign that nobody has made: so many people, so many mails each, from so many accounts. */
export interface Description {
  readonly people: number;
  readonly steps: number;
  readonly accounts: number;
  /** What each account may send on a local day. */
  readonly quota: number;
  /** Between one mail to a person and the next, in local days. */
  readonly delayDays: number;
  /** Where the window of 9 to 18 o'clock, Monday to Friday, is. */
  readonly timezone: string;
}

/** Where the numbers of a description, and the days of every simulation, may lie. */
export const SIMULATION_BOUNDS = {
  people: [1, 1_000_000],
  steps: [1, 20],
  accounts: [1, 200],
  quota: [0, 100_000],
  delayDays: [0, 365],
  days: [1, 1_000],
} as const;

export const SIMULATED_DAYS = 90;

export interface SimulatedDay {
  /** A local date of the account. */
  readonly date: string;
  readonly accountId: string;
  /** What left of the campaign. */
  readonly sent: number;
  /** And of everything else that the account sends. */
  readonly others: number;
  /** What the account may send on that date. */
  readonly quota: number;
}

export const VIOLATION_KINDS = [
  'window',
  'hour',
  'day',
  'week',
  'month',
  'ramp_up',
  'total',
  'spacing',
  'order',
  'twice',
  'ended',
  'campaign_start',
  'campaign_day',
  'campaign_new',
] as const;

/** Something that left although it should not have. */
export interface SimulatedViolation {
  readonly kind: (typeof VIOLATION_KINDS)[number];
  /** Null: it concerns all accounts of the workspace, or of the campaign, together. */
  readonly accountId: string | null;
  /** A date, the Monday of a week, a month, or an instant. */
  readonly when: string;
  readonly sentence: string;
}

export interface SimulatedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly sent: number;
  readonly others: number;
  /** Of what it might have sent on the days on which it sent, from 0 to 1. */
  readonly use: number;
}

export interface Simulation {
  readonly startedAt: number;
  /** So far it was looked ahead, at most. */
  readonly until: number;
  readonly days: readonly SimulatedDay[];
  readonly accounts: readonly SimulatedAccount[];
  /** Of the campaign: what left, what would still wait, and what ended without leaving. */
  readonly sent: number;
  readonly waiting: number;
  readonly ended: number;
  /** When its last message leaves; null: not within that time, or nothing leaves at all. */
  readonly endsAt: number | null;
  readonly violations: readonly SimulatedViolation[];
  /** What planning had to say. */
  readonly warnings: readonly string[];
}

/** One message as the far side saw it. */
export interface Departure {
  readonly messageId: number;
  readonly accountId: number;
  readonly action: Action;
  readonly at: number;
}

/** What must be said of a campaign that nobody has made; the rest is the usual. */
export type DescriptionInput = Pick<Description, 'people' | 'steps' | 'accounts' | 'quota'> &
  Partial<Description>;

/** Throws `invalid_input` with the field. */
export function readDescription(given: DescriptionInput): Description {
  const description = { delayDays: 3, timezone: 'UTC', ...given };
  for (const field of ['people', 'steps', 'accounts', 'quota', 'delayDays'] as const)
    checkNumber(field, description[field]);
  if (!isTimezone(description.timezone))
    throw invalidInput('timezone', 'is not a time zone such as Europe/Berlin');
  return description;
}

/** Throws `invalid_input` with the field. */
export function readDays(days: number = SIMULATED_DAYS): number {
  checkNumber('days', days);
  return days;
}

function checkNumber(field: keyof typeof SIMULATION_BOUNDS, value: number): void {
  const [least, most] = SIMULATION_BOUNDS[field];
  if (!Number.isInteger(value) || value < least || value > most)
    throw invalidInput(field, `should be a whole number from ${least} to ${most}`);
}
