import type { Attempt as KnownAttempt, Message as KnownMessage } from '../core/message.js';
import { Type, type Static } from '../vendor/typebox.js';
import { Attempt, presentAttempt } from './attempt.js';
import { iso } from './instant.js';
import { messageFields, presentMessage } from './message.js';
import { instant, list, nullable } from './shape.js';

export const MessageDetail = Type.Object(
  {
    ...messageFields,
    plannedAttempts: list(instant(), 'When the tries that are left would begin, the next one first.'),
    inlineAttempt: nullable(Attempt, 'The try of the caller himself, which counts as none.'),
    attemptLog: list(Attempt, 'The tries of the engine, the oldest first.'),
  },
  { title: 'MessageDetail' },
);
export type MessageDetail = Static<typeof MessageDetail>;

/** With the caller's own try, which counts as none, and the engine's. */
export const presentMessageWithTries = (
  message: KnownMessage,
  inline: KnownAttempt | null,
  attempts: readonly KnownAttempt[],
  planned: readonly number[],
): MessageDetail => ({
  ...presentMessage(message),
  plannedAttempts: planned.map(iso),
  inlineAttempt: inline && presentAttempt(inline),
  attemptLog: attempts.map(presentAttempt),
});
