import type { Capabilities } from './capabilities.js';
import { planEnvelope, type Envelope } from './envelope.js';
import type { PeerHabits } from './habits.js';
import { MailTransaction } from './mail-transaction.js';
import type { Failure } from './report.js';
import { toWire, type Wire } from './wire.js';

/** How a mail will travel to this server. */
export interface PlannedMail {
  readonly transaction: MailTransaction;
  readonly wire: Wire;
  /** It travels with its envelope, in one group that its gate opens. Undefined: it is invited first, by 354. */
  readonly chunk: Buffer | undefined;
}

/** Or why it can't be offered to this server at all. `uninvited`: it may bring its body with it. */
export function planMail(
  envelope: Envelope,
  bytes: Buffer,
  offered: Capabilities,
  habits: PeerHabits,
  uninvited: boolean,
): PlannedMail | { readonly failure: Failure } {
  const wire = toWire(bytes);
  if (!wire) {
    return { failure: { phase: 'mail', code: 'ECOMPOSE', detail: 'the mail has a bare CR or LF' } };
  }
  const { to, partial = 'all' } = envelope;
  // All of several recipients can only be insisted on if the last byte waits for what is said of them.
  const chunk = uninvited && (to.length === 1 || partial === 'any') ? wire.plain : undefined;
  const plan = planEnvelope(envelope, wire, offered, chunk !== undefined);
  if ('failure' in plan) return plan;
  const { commands } = plan;
  const inOneGroup = commands.length - (chunk || habits.dataInGroup ? 0 : 1);
  const transaction = new MailTransaction(commands, partial, offered.pipelining ? inOneGroup : 1);
  return { transaction, wire, chunk };
}
