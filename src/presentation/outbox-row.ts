import type { Message } from '../core/message.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, nullable, text, whole, word } from './shape.js';
import { LaneWord, StateWord } from './words.js';

export const OutboxRow = Type.Object(
  {
    id: text('msg_4k7q'),
    toAddress: text('ada@example.org'),
    subject: nullable(Type.String(), undefined, 'Your room is booked'),
    status: word(['pending', 'failed']),
    state: StateWord,
    lane: LaneWord,
    attempts: whole(0),
    maxAttempts: whole(5),
    nextRetryAt: nullable(instant(), undefined, '2026-11-16T14:00:00.000Z'),
    lastError: nullable(Type.String()),
    createdAt: instant(),
  },
  { title: 'OutboxRow' },
);
export type OutboxRow = Static<typeof OutboxRow>;

/** What is taken out of the list is not shown in it again: only what became of it. */
export const OutboxRemoval = Type.Object({ id: text('msg_4k7q'), state: StateWord });

const FAILED: readonly string[] = ['dead', 'held'];

/** One row of the queue as the admin page lists it. */
export const presentOutboxRow = (message: Message): OutboxRow => ({
  id: message.id,
  toAddress: message.to.email,
  subject: message.subject,
  status: FAILED.includes(message.state) ? 'failed' : 'pending',
  state: message.state,
  lane: message.lane,
  attempts: message.attempts,
  maxAttempts: message.maxAttempts,
  nextRetryAt: presentInstant(message.nextAttemptAt),
  lastError: message.lastError && `${message.lastError.code} ${message.lastError.message}`.trim(),
  createdAt: iso(message.createdAt),
});
