import type { Attempt as KnownAttempt } from '../core/message.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, nullable, text, whole } from './shape.js';
import { ErrorClassWord, OutcomeWord } from './words.js';

/** What is told of a try wherever it is told. */
export const tryFields = {
  startedAt: nullable(instant(), undefined, '2026-11-16T14:00:00.120Z'),
  handedOverAt: nullable(
    instant(),
    'From then on it may have left; null: it never came that far.',
    '2026-11-16T14:00:00.480Z',
  ),
  finishedAt: instant(undefined, '2026-11-16T14:00:00.730Z'),
  outcome: OutcomeWord,
  errorClass: nullable(ErrorClassWord),
  errorCode: nullable(Type.String()),
  errorMessage: nullable(Type.String()),
  providerMessageId: nullable(Type.String()),
  workerId: nullable(text('web-1:4711')),
};

export const Attempt = Type.Object(
  { number: whole(1, 'Counts from 1, the oldest first.'), ...tryFields },
  { title: 'Attempt' },
);
export type Attempt = Static<typeof Attempt>;

export const presentAttempt = (attempt: KnownAttempt): Attempt => ({
  ...attempt,
  startedAt: presentInstant(attempt.startedAt),
  handedOverAt: presentInstant(attempt.handedOverAt),
  finishedAt: iso(attempt.finishedAt),
});
