import type { Explanation } from './core/explain.js';
import type { Attempt, Message } from './core/message.js';
import type { DeadGroup } from './store/scripts/dead-groups.js';

/** What leaves this program as JSON: camelCase, instants as ISO 8601 in UTC. One shape for the CLI and HTTP. */

const iso = (instant: number): string => new Date(instant).toISOString();
export const presentInstant = (instant: number | null): string | null =>
  instant === null ? null : iso(instant);

export const presentMessage = (message: Message) => ({
  ...message,
  scheduledFor: iso(message.scheduledFor),
  nextAttemptAt: presentInstant(message.nextAttemptAt),
  expiresAt: presentInstant(message.expiresAt),
  lockedUntil: presentInstant(message.lockedUntil),
  sentAt: presentInstant(message.sentAt),
  createdAt: iso(message.createdAt),
  updatedAt: iso(message.updatedAt),
});

export const presentAttempt = (attempt: Attempt) => ({
  ...attempt,
  startedAt: presentInstant(attempt.startedAt),
  handedOverAt: presentInstant(attempt.handedOverAt),
  finishedAt: iso(attempt.finishedAt),
});

export const presentExplanation = (explanation: Explanation) => ({
  ...explanation,
  until: presentInstant(explanation.until),
});

export const presentDeadGroup = (group: DeadGroup) => ({
  ...group,
  firstAt: iso(group.firstAt),
  lastAt: iso(group.lastAt),
});
