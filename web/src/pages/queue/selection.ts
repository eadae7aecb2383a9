import { STATES } from '../../api/names';
import type { Counts, Message, State } from '../../api/types';
import { STATE_LABELS } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { REQUESTS, type Decision } from './decisions';

export type Selection = ReadonlySet<string>;

export function toggled(selection: Selection, id: string): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All between the two, as they are listed; the rest stays as it is. */
export function ranged(
  selection: Selection,
  ids: readonly string[],
  from: string | undefined,
  to: string,
): Selection {
  const [a, b] = [ids.indexOf(from ?? to), ids.indexOf(to)];
  if (a < 0 || b < 0) return toggled(selection, to);
  return new Set([...selection, ...ids.slice(Math.min(a, b), Math.max(a, b) + 1)]);
}

/** How many of each state. */
export type Mix = Partial<Record<State, number>>;

export function mixOf(messages: readonly Message[]): Mix {
  const mix: Mix = {};
  for (const { state } of messages) mix[state] = (mix[state] ?? 0) + 1;
  return mix;
}

/** What counters say of all that match, where they can. */
export const countedMix = (states: readonly State[], counts: Counts): Mix =>
  Object.fromEntries(states.filter((state) => counts[state] > 0).map((state) => [state, counts[state]]));

/** "1 dead, 1 held, 1 retry later". What needs a person comes first. */
export function mixWords(mix: Mix): string {
  const order: readonly State[] = ['dead', 'held', ...STATES.filter((s) => s !== 'dead' && s !== 'held')];
  return order
    .flatMap((state) => {
      const n = mix[state];
      return n === undefined ? [] : `${numberWords(n)} ${STATE_LABELS[state].toLowerCase()}`;
    })
    .join(', ');
}

/** How many of them a decision may touch. */
export const touchedBy = (decision: Decision, mix: Mix): number =>
  REQUESTS[decision].states.reduce((sum, state) => sum + (mix[state] ?? 0), 0);
