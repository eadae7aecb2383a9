import type { Message } from '../../api/types';
import { STATE_LABELS } from '../../parts/glyphs';

/** The instant that matters in its state, and what it was. Null: it happens now. */
export function whenOf(message: Message): { readonly at: string; readonly label: string } | null {
  const { state } = message;
  switch (state) {
    case 'sending':
      return null;
    case 'scheduled':
    case 'queued':
      return message.nextAttemptAt === null ? null : { at: message.nextAttemptAt, label: 'Due' };
    case 'retry_scheduled':
      return message.nextAttemptAt === null ? null : { at: message.nextAttemptAt, label: 'Next try' };
    case 'sent':
      return { at: message.sentAt ?? message.updatedAt, label: 'Sent' };
    case 'held':
      return { at: message.updatedAt, label: 'Held since' };
    default:
      return { at: message.updatedAt, label: STATE_LABELS[state] };
  }
}
