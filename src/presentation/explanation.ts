import type { Explanation as KnownExplanation } from '../core/explain.js';
import { Type, type Static } from '../vendor/typebox.js';
import { presentInstant } from './instant.js';
import { instant, nullable, text } from './shape.js';
import { StateWord } from './words.js';

export const Explanation = Type.Object(
  {
    state: StateWord,
    reason: text('scheduled', 'A searchable word.'),
    until: nullable(instant(), 'When that reason ends, if that is known.', '2026-11-16T14:00:00.000Z'),
    headline: text('It is scheduled for 14:00:00.', 'What is true now.'),
    evidence: nullable(Type.String(), 'What the headline rests on.'),
    sentence: text('It is scheduled for 14:00:00.', 'Both.'),
  },
  { title: 'Explanation' },
);
export type Explanation = Static<typeof Explanation>;

export const presentExplanation = (explanation: KnownExplanation): Explanation => ({
  ...explanation,
  until: presentInstant(explanation.until),
});
