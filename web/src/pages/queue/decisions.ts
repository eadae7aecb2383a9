import type { State } from '../../api/types';
import { numberWords } from '../../parts/number-words';

/** What a person may decide about a message; `again` may send it twice. */
export type Decision = 'retry' | 'dismiss' | 'cancel' | 'sent' | 'again';

/** An action that the state forbids is absent. While a worker has a mail, nobody decides about it. */
const BY_STATE: Partial<Record<State, readonly Decision[]>> = {
  dead: ['retry', 'dismiss'],
  held: ['sent', 'again', 'dismiss'],
  scheduled: ['cancel'],
  queued: ['cancel'],
  retry_scheduled: ['cancel'],
};

export const decisionsIn = (state: State): readonly Decision[] => BY_STATE[state] ?? [];

const WAITING: readonly State[] = ['scheduled', 'queued', 'retry_scheduled'];

/** As the API has it: of one message, and of many. */
export const REQUESTS: Record<
  Decision,
  { readonly action: string; readonly as?: 'sent' | 'unsent'; readonly states: readonly State[] }
> = {
  retry: { action: 'retry', states: ['dead'] },
  dismiss: { action: 'dismiss', states: ['dead', 'held'] },
  cancel: { action: 'cancel', states: WAITING },
  sent: { action: 'resolve', as: 'sent', states: ['held'] },
  again: { action: 'resolve', as: 'unsent', states: ['held'] },
};

const DONE: Record<Decision, { readonly verb: string; readonly past: string }> = {
  retry: { verb: 'Retried', past: 'been retried' },
  dismiss: { verb: 'Dismissed', past: 'been dismissed' },
  cancel: { verb: 'Cancelled', past: 'left or ended' },
  sent: { verb: 'Noted as sent:', past: 'been decided' },
  again: { verb: 'Sending again:', past: 'been decided' },
};

/** "Retried 40. 1 had already been retried." */
export function reportWords(decision: Decision, done: number, conflicts: number): string {
  const { verb, past } = DONE[decision];
  const first = `${verb} ${numberWords(done)}.`;
  return conflicts === 0 ? first : `${first} ${numberWords(conflicts)} had already ${past}.`;
}

export const doneWords = (decision: Decision): string =>
  ({
    retry: 'Retried. It is due now.',
    dismiss: 'Dismissed.',
    cancel: 'Cancelled. It will not be sent.',
    sent: 'Noted as sent.',
    again: 'It is sent again.',
  })[decision];
