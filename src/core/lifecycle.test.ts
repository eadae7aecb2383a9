import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALL_EVENTS,
  ALL_STATES,
  finalState,
  finishedStatesBefore,
  mayHappen,
  MOVES,
  STATES,
  statesBefore,
  waitingState,
  type Event,
  type State,
} from './lifecycle.js';
import { lifecycleDocument } from './lifecycle-document.js';

const event = fc.constantFrom(...ALL_EVENTS);

describe('the lifecycle', () => {
  test('only a person or a late reply moves a message that is finished', () => {
    const people: Event[] = ['requeued', 'dismissed', 'confirmed', 'refuted', 'recalled'];
    for (const each of ALL_EVENTS.filter((name) => !people.includes(name))) {
      expect(finishedStatesBefore(each), each).toEqual([]);
    }
  });

  test('what was sent, skipped or expired is never moved again; what was cancelled only with the step before it', () => {
    for (const state of ['sent', 'skipped', 'expired', 'cancelled'] as const) {
      expect(
        ALL_EVENTS.filter((each) => mayHappen(state, each)),
        state,
      ).toEqual(state === 'cancelled' ? ['recalled'] : []);
    }
  });

  test('a message reaches "sent" only from a worker, or because someone says that it left', () => {
    const ways = ALL_EVENTS.filter((each) => finalState(each) === 'sent');
    expect(ways).toEqual(['accepted', 'confirmed']);
    expect(statesBefore('accepted')).toEqual(['sending']);
  });

  test('every state can be reached, and every state but the final ones can be left', () => {
    const reached = new Set<State>(['scheduled', ...ALL_EVENTS.flatMap((each) => [...MOVES[each].to])]);
    expect([...reached].sort()).toEqual([...ALL_STATES].sort());
  });

  test('any walk along legal moves stays inside the table and visits "sending" before "sent"', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: State = 'scheduled';
        let claimed = false;
        for (const each of events) {
          if (!mayHappen(state, each)) continue;
          const [to] = MOVES[each].to;
          claimed ||= each === 'claimed';
          if (to === 'sent' && each !== 'confirmed') expect(claimed).toBe(true);
          state = to;
          expect(Object.keys(STATES)).toContain(state);
        }
      }),
    );
  });

  test('a move that goes back may end in either waiting state; every other ends in exactly one', () => {
    for (const each of ALL_EVENTS) {
      const places = new Set(MOVES[each].to.map((state) => STATES[state].place));
      expect(places.size, each).toBe(1);
      if (finalState(each) !== undefined) expect(MOVES[each].to).toHaveLength(1);
    }
  });

  test('a waiting message is shown by its tries and by the broker', () => {
    expect(waitingState(false, null)).toBe('scheduled');
    expect(waitingState(true, null)).toBe('retry_scheduled');
    expect(waitingState(true, 17)).toBe('queued');
  });

  test('docs/lifecycle.md is what the table says', () => {
    const path = new URL('../../docs/lifecycle.md', import.meta.url);
    const wanted = lifecycleDocument();
    if (process.env['UPDATE_DOCS']) writeFileSync(path, wanted);
    expect(readFileSync(path, 'utf8'), 'run UPDATE_DOCS=1 npx vitest run src/core/lifecycle.test.ts').toBe(
      wanted,
    );
  });
});
