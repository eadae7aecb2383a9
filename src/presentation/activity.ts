import { formatId } from '../core/ids.js';
import type { Activity as KnownActivity } from '../store/scripts/activity.js';
import { Type, type Static } from '../vendor/typebox.js';
import { tryFields } from './attempt.js';
import { iso, presentInstant } from './instant.js';
import { Recipient } from './message.js';
import { flag, nullable, text } from './shape.js';
import { ActionWord, LaneWord } from './words.js';

/** One try by an account, with as much of its message as a list shows. */
export const Activity = Type.Object(
  {
    message: Type.Object({
      id: text('msg_4k7q'),
      lane: LaneWord,
      action: ActionWord,
      to: Recipient,
      subject: nullable(Type.String(), undefined, 'Your room is booked'),
    }),
    inline: flag(false, 'The try of the caller himself, in his own process.'),
    ...tryFields,
  },
  { title: 'Activity' },
);
export type Activity = Static<typeof Activity>;

export const presentActivity = (activity: KnownActivity): Activity => ({
  message: {
    id: formatId('message', activity.messageId),
    lane: activity.lane,
    action: activity.action,
    to: { email: activity.recipient, name: activity.recipientName },
    subject: activity.subject,
  },
  inline: activity.inline === 1,
  startedAt: presentInstant(activity.startedAt),
  handedOverAt: presentInstant(activity.handedAt),
  finishedAt: iso(activity.finishedAt),
  outcome: activity.outcome,
  errorClass: activity.errorClass,
  errorCode: activity.errorCode,
  errorMessage: activity.error,
  providerMessageId: activity.providerMessageId,
  workerId: activity.worker,
});
