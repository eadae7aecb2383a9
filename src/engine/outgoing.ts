import { canonicalAddress, domainOf } from '../core/address.js';
import { formatId, messageIdOf } from '../core/ids.js';
import { providerKey } from '../core/key.js';
import type { Mail, Mailbox } from '../core/mail.js';
import type { RefusedRecipient, SendReport } from '../core/report.js';
import type { Suppression } from '../core/suppression.js';
import type { ClaimedMessage } from '../store/store.js';
import type { Outgoing } from '../transport/transport.js';

/** Whom the mail also goes to, each in its canonical form; undefined: nobody, as nearly always. */
export const copiesOf = ({ cc, bcc }: Mail): readonly string[] | undefined =>
  cc || bcc ? [...(cc ?? []), ...(bcc ?? [])].map(({ email }) => canonicalAddress(email)) : undefined;

/** A mail as it may go out. */
export interface Addressed {
  readonly mail: Mail;
  /** Whom it also goes to, in their canonical form; undefined: nobody. */
  readonly copies?: readonly string[];
  /** Whom it would also have gone to. */
  readonly leftOut?: readonly RefusedRecipient[];
}

/** The mail without the copies that must not be sent, neither in its envelope nor in its head. */
export function leaveOut(
  mail: Mail,
  copies: readonly string[],
  unwanted: ReadonlyMap<string, Suppression>,
): Addressed {
  if (unwanted.size === 0) return { mail, copies };
  const { cc, bcc, ...rest } = mail;
  const wanted = (mailboxes: readonly Mailbox[] = []) =>
    mailboxes.filter(({ email }) => !unwanted.has(canonicalAddress(email)));
  const [shown, hidden] = [wanted(cc), wanted(bcc)];
  return {
    mail: { ...rest, ...(shown.length > 0 && { cc: shown }), ...(hidden.length > 0 && { bcc: hidden }) },
    copies: copies.filter((copy) => !unwanted.has(copy)),
    leftOut: [...unwanted.values()].map(asRefused),
  };
}

/** Named like those whom the server refused. */
export function withLeftOut(report: SendReport, leftOut: readonly RefusedRecipient[] = []): SendReport {
  if (report.status !== 'sent' || leftOut.length === 0) return report;
  return { ...report, refused: [...(report.refused ?? []), ...leftOut] };
}

const asRefused = ({ address, reason }: Suppression): RefusedRecipient => ({
  address,
  error: {
    class: 'permanent',
    scope: 'recipient',
    code: 'suppressed',
    message: `left out, because it is on the suppression list (${reason})`,
  },
});

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
    messageId: messageIdOf(id, installation, domainOf(message.sender)),
    date: message.datedAt ?? claimedAt,
    dedupeKey: providerKey(installation, id, message),
    threadId: message.threadId ?? mail.threadId,
    gateLast: message.guarded,
    mail,
  };
}
