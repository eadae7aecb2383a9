import { domainOf } from '../core/address.js';
import { formatId, formatMessageId } from '../core/ids.js';
import type { Mail } from '../core/mail.js';
import type { ClaimedMessage } from '../store/store.js';
import type { Outgoing } from '../transport/transport.js';

/** What a transport gets. Date is the claim of the first try: known to a successor even if the worker dies. */
export function outgoingOf(
  message: ClaimedMessage,
  claimedAt: number,
  installation: string,
  mail: Mail,
): Outgoing {
  const id = formatId('message', message.id);
  return {
    id,
    action: message.action,
    messageId: formatMessageId(message.id, installation, domainOf(message.sender)),
    date: message.datedAt ?? claimedAt,
    dedupeKey: message.idempotencyKey ?? id,
    ...(message.threadId !== null && { threadId: message.threadId }),
    mail,
  };
}
