import type { Sequence, SequenceStep } from '../../api/types';

/** A step while somebody writes it: it keeps its key wherever it is moved. */
export interface DraftStep extends Omit<SequenceStep, 'order'> {
  readonly key: number;
  /** Its number before anything was moved; of one that is new there is none. */
  readonly was?: number;
}

export interface Draft {
  readonly name: string;
  readonly steps: readonly DraftStep[];
}

let keys = 0;
function keyed(step: Omit<DraftStep, 'key' | 'was'>): DraftStep {
  keys += 1;
  const { delayDays, delayUnit, action, subject, body, bodyText } = step;
  return { delayDays, delayUnit, action, subject, body, bodyText, key: keys };
}

export const draftOf = ({ name, steps }: Pick<Sequence, 'name' | 'steps'>): Draft => ({
  name,
  steps: steps.map((step) => ({ ...keyed(step), was: step.order })),
});

/** As the API takes them: counted from 1, in the order in which they stand. */
export const stepsOf = ({ steps }: Draft): SequenceStep[] =>
  steps.map(({ delayDays, delayUnit, action, subject, body, bodyText }, n) => ({
    ...{ order: n + 1, delayDays, delayUnit, action, subject, body, bodyText },
  }));

/** What differs from what is saved, in words. */
export function changedWords(saved: Sequence, draft: Draft): readonly string[] {
  const before = saved.steps.map((step) => JSON.stringify(inOneOrder(step)));
  const after = stepsOf(draft).map((step) => JSON.stringify(inOneOrder(step)));
  const differing = after.flatMap((step, n) => (step === before[n] ? [] : [n + 1]));
  const fewer = before.length > after.length;
  return [
    ...(saved.name === draft.name ? [] : ['name']),
    ...differing.map((n) => `step ${String(n)}`),
    ...(fewer && differing.length === 0 ? ['steps'] : []),
  ];
}

const inOneOrder = (step: SequenceStep) => [
  step.delayDays,
  step.delayUnit,
  step.action,
  step.subject,
  step.body,
  step.bodyText,
];

export const withStep = (draft: Draft, at: number, part: Partial<DraftStep>): Draft => ({
  ...draft,
  steps: draft.steps.map((step, n) => (n === at ? { ...step, ...part } : step)),
});

/** So many places up or down; beyond the ends nothing moves. */
export function moved(draft: Draft, at: number, by: number): Draft {
  const to = at + by;
  const step = draft.steps[at];
  if (!step || to < 0 || to >= draft.steps.length) return draft;
  const steps = draft.steps.filter((_, n) => n !== at);
  return { ...draft, steps: [...steps.slice(0, to), step, ...steps.slice(to)] };
}

export const removed = (draft: Draft, at: number): Draft => ({
  ...draft,
  steps: draft.steps.filter((_, n) => n !== at),
});

export const added = (draft: Draft, step: Omit<DraftStep, 'key'> = FOLLOW_UP): Draft => ({
  ...draft,
  steps: [...draft.steps, keyed(step)],
});

const FOLLOW_UP: Omit<DraftStep, 'key'> = {
  ...{ delayDays: 3, delayUnit: 'sendingDays', action: 'email', subject: null },
  ...{ body: 'Did you see my last mail?\n', bodyText: null },
};

/** Another kind keeps what it can of what was written. */
export function asKind(step: DraftStep, action: DraftStep['action'], isFirstMail: boolean): DraftStep {
  if (action === 'email') return { ...step, action, subject: step.subject ?? (isFirstMail ? '' : null) };
  return { ...step, action, subject: action === 'inmail' ? (step.subject ?? '') : null, bodyText: null };
}

/** Whether a thread has been begun before it, which it may go on with. */
export const mayThread = (draft: Draft, at: number): boolean =>
  draft.steps.slice(0, at).some(({ action }) => action === 'email');

export const ACTION_WORDS: Record<DraftStep['action'], string> = {
  email: 'Email',
  connection_request: 'LinkedIn request',
  message: 'LinkedIn message',
  inmail: 'LinkedIn InMail',
};

const UNITS: Record<DraftStep['delayUnit'], readonly [one: string, many: string]> = {
  days: ['day', 'days'],
  sendingDays: ['sending day', 'sending days'],
  hours: ['hour', 'hours'],
};

/** "1 sending day later", "at once". */
export const delayWords = ({ delayDays, delayUnit }: Pick<DraftStep, 'delayDays' | 'delayUnit'>): string =>
  delayDays === 0
    ? 'as soon as it may'
    : `${String(delayDays)} ${UNITS[delayUnit][delayDays === 1 ? 0 : 1]} later`;
