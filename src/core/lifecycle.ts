/**
 * Every state of a message and every legal move. What may follow what stands here and nowhere else: the
 * conditions of the statements, the constraint on `outcomes.state`, the API's enum and the diagram in
 * `docs/lifecycle.md` are all read from this table.
 *
 * A state is also a place. What waits has a row in `due`, what is in flight is named by a lease, everything
 * else has a row in `outcomes`. A move takes the message out of one place and puts it into another, in one step.
 */
export const STATES = {
  scheduled: { place: 'due', meaning: 'waits for its time' },
  retry_scheduled: { place: 'due', meaning: 'failed for now, waits for the next try' },
  queued: { place: 'due', meaning: 'published to the broker, waits for a sender' },
  sending: { place: 'lease', meaning: 'leased by one worker' },
  sent: { place: 'outcome', meaning: 'accepted by the transport' },
  held: { place: 'outcome', meaning: 'in doubt: handed over, outcome unknown; a person decides' },
  dead: { place: 'outcome', meaning: 'no more automatic tries' },
  skipped: { place: 'outcome', meaning: 'nothing to do: suppressed or unsubscribed' },
  expired: { place: 'outcome', meaning: 'too late to be useful' },
  cancelled: { place: 'outcome', meaning: 'stopped by a person or by its campaign' },
} as const;

export type State = keyof typeof STATES;
export type WaitingState = Extract<State, 'scheduled' | 'retry_scheduled' | 'queued'>;
export type FinishedState = Exclude<State, WaitingState | 'sending'>;

const WAITING = ['scheduled', 'retry_scheduled', 'queued'] as const;

interface Move {
  readonly from: readonly State[];
  /** More than one only for a message that goes back to where it was. */
  readonly to: readonly State[];
  readonly when: string;
}

export const MOVES = {
  claimed: { from: WAITING, to: ['sending'], when: 'a worker takes it under a lease' },
  published: { from: WAITING, to: ['queued'], when: 'a relay passes it on to the broker' },
  returned: {
    from: ['queued'],
    to: ['scheduled', 'retry_scheduled'],
    when: 'the broker did not take it, or its account may not send now',
  },
  accepted: {
    from: ['sending'],
    to: ['sent'],
    when: 'the transport took it, or doubt is assumed to be success',
  },
  deferred: { from: ['sending'], to: ['retry_scheduled'], when: 'the try failed for now, tries are left' },
  released: {
    from: ['sending'],
    to: ['scheduled', 'retry_scheduled'],
    when: 'it did not leave and that was not its fault: shutdown, pause, cool-down, a lease lost before the gate',
  },
  rejected: { from: ['sending'], to: ['dead'], when: 'the error is permanent' },
  exhausted: { from: ['sending'], to: ['dead'], when: 'the try failed and no tries are left' },
  poisoned: { from: ['sending'], to: ['dead'], when: 'it took its worker down with it too often' },
  doubted: { from: ['sending'], to: ['held'], when: 'the outcome is unknown and may not be guessed' },
  restored: {
    from: [...WAITING, 'sending'],
    to: ['held'],
    when: 'the database was restored from a backup: it may have left since',
  },
  suppressed: { from: ['sending'], to: ['skipped'], when: 'the recipient must not be written to' },
  expired: { from: [...WAITING, 'sending'], to: ['expired'], when: 'its time ran out before it left' },
  cancelled: { from: [...WAITING, 'sending'], to: ['cancelled'], when: 'stopped before the gate' },
  confirmed: {
    from: ['held', ...WAITING],
    to: ['sent'],
    when: 'a person, or a late reply, says that it left',
  },
  refuted: { from: ['held'], to: ['retry_scheduled'], when: 'a late reply says that it did not leave' },
  requeued: { from: ['dead', 'held'], to: ['scheduled'], when: 'a person asks for another round of tries' },
  recalled: {
    from: ['cancelled'],
    to: ['scheduled'],
    when: 'it was to follow a step that had ended, and that one is tried again',
  },
  dismissed: { from: ['dead', 'held'], to: ['cancelled'], when: 'a person wants to see it no more' },
} as const satisfies Record<string, Move>;

export type Event = keyof typeof MOVES;

export const ALL_STATES = Object.keys(STATES) as readonly State[];
export const ALL_EVENTS = Object.keys(MOVES) as readonly Event[];
export const FINISHED_STATES = ALL_STATES.filter(
  (state): state is FinishedState => STATES[state].place === 'outcome',
);

/** The states in which an event may happen: the WHERE of every statement that moves a message. */
export const statesBefore = (event: Event): readonly State[] => MOVES[event].from;

/** The part of `statesBefore` that has a row in `outcomes`. */
export const finishedStatesBefore = (event: Event): readonly FinishedState[] =>
  statesBefore(event).filter((state): state is FinishedState => STATES[state].place === 'outcome');

export const mayHappen = (state: State, event: Event): boolean => statesBefore(event).includes(state);

/** The state that `event` ends in if it ends a message's way; undefined if the message goes back to waiting. */
export function finalState(event: Event): FinishedState | undefined {
  const [to] = MOVES[event].to;
  return STATES[to].place === 'outcome' ? (to as FinishedState) : undefined;
}

/**
 * Since when, or from when on, a row of `due` could leave. One that was passed on to a broker has its time moved ahead,
 * so that nobody else passes it on; it could have left since it was first passed on.
 */
export const leavesAt = (dueAt: number, queuedAt: number | null): number => queuedAt ?? dueAt;

/** How a row of `due` is shown: the three waiting states are one place. */
export function waitingState(tried: boolean, queuedAt: number | null): WaitingState {
  if (queuedAt !== null) return 'queued';
  return tried ? 'retry_scheduled' : 'scheduled';
}
