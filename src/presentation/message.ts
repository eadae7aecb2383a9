import { DEAD_REASONS, RESCHEDULE_REASONS, type Message as KnownMessage } from '../core/message.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, nullable, text, whole, word } from './shape.js';
import { ActionWord, ErrorClassWord, LaneWord, StateWord } from './words.js';

export const Recipient = Type.Object({
  email: text('ada@example.org'),
  name: nullable(Type.String(), undefined, 'Ada Lovelace'),
});

export const SendFault = Type.Object({
  code: text('550 5.1.1', 'Short and searchable.'),
  message: text('no such user here', 'In the words of the server.'),
  class: ErrorClassWord,
});

export const messageFields = {
  id: text('msg_4k7q'),
  number: whole(149_751, 'Later ones have larger ones.'),
  workspaceId: text('wsp_1'),
  lane: LaneWord,
  action: ActionWord,
  accountId: text('acc_1'),
  to: Recipient,
  subject: nullable(Type.String(), undefined, 'Your room is booked'),
  state: StateWord,
  idempotencyKey: nullable(Type.String(), undefined, 'booking-4711'),
  dedupeKey: text('outbox:booking-4711'),
  messageId: text('<msg_4k7q.5d41402a@example.org>', 'As in the header of the mail; the same on every try.'),
  scheduledFor: instant(),
  queuedAt: nullable(instant(), 'Since when it is with the broker, for the try to come.'),
  nextAttemptAt: nullable(instant(), undefined, '2026-11-16T14:00:00.000Z'),
  attempts: whole(0),
  maxAttempts: whole(5),
  leaseLosses: whole(0, 'So often a worker died, or was too slow, while it had this message.'),
  lastError: nullable(SendFault),
  deadReason: nullable(word(DEAD_REASONS)),
  reason: nullable(Type.String(), 'Why it was skipped, held or cancelled, as a searchable word.'),
  rescheduleReason: nullable(word(RESCHEDULE_REASONS), 'Why what waits will not leave at its time.'),
  expiresAt: nullable(instant()),
  traceId: nullable(Type.String()),
  threadId: nullable(Type.String(), 'The name that the provider has for the conversation.'),
  campaignId: nullable(Type.String()),
  contactId: nullable(Type.String()),
  sequenceId: nullable(Type.String()),
  stepNumber: nullable(Type.Integer()),
  eventId: nullable(Type.String()),
  subscriptionId: nullable(Type.String()),
  lockedBy: nullable(Type.String(), 'The worker that has it now.'),
  lockedUntil: nullable(instant()),
  sentAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
};

export const Message = Type.Object(messageFields, { title: 'Message' });
export type Message = Static<typeof Message>;

export const presentMessage = (message: KnownMessage): Message => ({
  ...message,
  scheduledFor: iso(message.scheduledFor),
  queuedAt: presentInstant(message.queuedAt),
  nextAttemptAt: presentInstant(message.nextAttemptAt),
  expiresAt: presentInstant(message.expiresAt),
  lockedUntil: presentInstant(message.lockedUntil),
  sentAt: presentInstant(message.sentAt),
  createdAt: iso(message.createdAt),
  updatedAt: iso(message.updatedAt),
});
