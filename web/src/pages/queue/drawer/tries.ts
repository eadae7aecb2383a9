import type { Attempt } from '../../../api/types';

/** Tries in a row that ended with the same words. */
export interface Tries {
  readonly attempts: readonly Attempt[];
}

const replyOf = ({ outcome, errorClass, errorCode, errorMessage, handedOverAt }: Attempt): string =>
  JSON.stringify([outcome, errorClass, errorCode, errorMessage, handedOverAt === null]);

/** Oldest first; equal replies fold. A success says something new each time. */
export function foldTries(attempts: readonly Attempt[]): readonly Tries[] {
  const folded: Attempt[][] = [];
  for (const attempt of attempts) {
    const last = folded.at(-1);
    if (last?.[0] && attempt.outcome !== 'success' && replyOf(last[0]) === replyOf(attempt))
      last.push(attempt);
    else folded.push([attempt]);
  }
  return folded.map((each) => ({ attempts: each }));
}

/** The gate in words: before it nothing left, after it there may be doubt. */
export function gateWords({ outcome, handedOverAt }: Attempt): string {
  if (handedOverAt === null) return 'Not handed over: nothing left.';
  if (outcome === 'success') return 'Handed over and taken.';
  if (outcome === 'in_doubt') return 'Handed over, and no answer came: it may have left.';
  return 'Handed over; the answer was a refusal.';
}

/** Code and text as the server gave them; the text often repeats the code. */
export function replyWords({ errorCode, errorMessage, providerMessageId }: Attempt): string | undefined {
  const [code, message] = [errorCode?.trim() ?? '', errorMessage?.trim() ?? ''];
  if (code === '' && message === '') return providerMessageId ?? undefined;
  return message.startsWith(code) ? message : `${code} ${message}`.trim();
}

/** How long it took before and after the gate, in ms. Undefined: nobody knows when it began. */
export function phasesOf({ startedAt, handedOverAt, finishedAt }: Attempt) {
  if (startedAt === null) return undefined;
  const [start, end] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const gate = handedOverAt === null ? end : Date.parse(handedOverAt);
  return { before: Math.max(0, gate - start), after: handedOverAt === null ? 0 : Math.max(0, end - gate) };
}
