import type { Action } from './message.js';

/** What a sequence is made of, and what makes it one. */
export const DELAY_UNITS = ['days', 'sendingDays', 'hours'] as const;
export type DelayUnit = (typeof DELAY_UNITS)[number];

export interface SequenceStep {
  /** From 1, without a gap. */
  readonly order: number;
  /** After the step before it, in `delayUnit`. */
  readonly delayDays: number;
  readonly delayUnit: DelayUnit;
  readonly action: Action;
  /** Null: it goes on in the thread that was begun, or has none. */
  readonly subject: string | null;
  readonly body: string;
  /** Null: it is made of the body. */
  readonly bodyText: string | null;
}

export const MOST_STEPS = 30;
export const LONGEST_SUBJECT = 2_000;
export const LONGEST_BODY = 200_000;
const LONGEST_DELAY: Readonly<Record<DelayUnit, number>> = { days: 365, sendingDays: 365, hours: 365 * 24 };
/** Of all steps together, as JSON. */
export const LARGEST_SEQUENCE = 2_000_000;

/** By which kind of account something leaves. */
export const accountTypeOf = (action: Action): 'email' | 'linkedin' =>
  action === 'email' ? 'email' : 'linkedin';

export interface StepsFault {
  /** As a path below the sequence: `steps.1.delayDays`. */
  readonly field: string;
  /** The order of the step. */
  readonly step: number;
  readonly text: string;
}

/** The first thing that keeps these from being a sequence. Templates are not looked at here. */
export function stepsFault(steps: readonly SequenceStep[]): StepsFault | undefined {
  return (
    orderFault(steps) ?? first(steps, (step) => delayFault(step) ?? partsFault(step)) ?? beginningFault(steps)
  );
}

function orderFault(steps: readonly SequenceStep[]): StepsFault | undefined {
  const seen = new Set<number>();
  return first(steps, ({ order }) => {
    if (seen.has(order)) return ['order', `${order} is there twice; steps are counted 1, 2, 3 …`];
    seen.add(order);
    return order > steps.length
      ? ['order', `is ${order} in a sequence of ${steps.length}; steps are counted 1, 2, 3 … without a gap`]
      : undefined;
  });
}

type Named = readonly [field: string, text: string];

function delayFault({ delayDays, delayUnit }: SequenceStep): Named | undefined {
  const most = LONGEST_DELAY[delayUnit];
  return delayDays > most ? ['delayDays', `is more than ${most} ${delayUnit}, which is a year`] : undefined;
}

function partsFault({ action, subject, body, bodyText }: SequenceStep): Named | undefined {
  const isLinkedIn = action !== 'email';
  if (isLinkedIn && bodyText !== null)
    return ['bodyText', 'belongs to email; LinkedIn takes one text, the body'];
  if (isLinkedIn && action !== 'inmail' && subject !== null)
    return ['subject', 'belongs to email and InMail'];
  if (subject?.trim() === '') return ['subject', 'is empty; leave it out to go on in the thread'];
  // A connection may be asked for without a word.
  return body.trim() === '' && action !== 'connection_request' ? ['body', 'is empty'] : undefined;
}

function beginningFault(steps: readonly SequenceStep[]): StepsFault | undefined {
  const emails = steps.filter(({ action }) => action === 'email');
  const opening = Math.min(...emails.map(({ order }) => order));
  return first(steps, ({ order, subject }) =>
    order === opening && subject === null
      ? ['subject', 'is missing; the first email begins the thread and needs one']
      : undefined,
  );
}

function first(
  steps: readonly SequenceStep[],
  rule: (step: SequenceStep) => Named | undefined,
): StepsFault | undefined {
  for (const [index, step] of steps.entries()) {
    const fault = rule(step);
    if (fault) return { field: `steps.${index}.${fault[0]}`, step: step.order, text: fault[1] };
  }
  return undefined;
}
