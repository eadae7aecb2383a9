import type { Mail } from '../core/mail.js';
import type { Resolution } from '../core/outcome.js';
import type { SendReport } from '../core/report.js';

/** One message, ready to leave. The same on every try, byte for byte, once composed. */
export interface Outgoing {
  /** The public id, for logs and for the far side of test transports. */
  readonly id: string;
  readonly action: 'email' | 'message' | 'connection_request' | 'inmail';
  /** With angle brackets; fixed per message, never per try. */
  readonly messageId: string;
  /** Epoch ms of the first try, kept for all later ones. */
  readonly date: number;
  /** For providers that take an idempotency key. */
  readonly dedupeKey: string;
  /** The provider's name for the conversation that it continues. */
  readonly threadId?: string | undefined;
  /** Its gate is asked when its last byte could leave, and never ahead of that: what is open now may shut. */
  readonly gateLast?: boolean;
  readonly mail: Mail;
}

/**
 * The hand-over gate. A transport calls it once, when everything but the last byte (the final dot, the POST) has
 * gone or is ready to go, and lets that byte leave only if the answer is true: then the durable mark is written
 * and lease, cancellation, suppression and pause were checked again. On false, or a rejection, the connection is
 * closed and nothing leaves. A transport waits for the gate's answer before it gives its report, also when its
 * connection dies meanwhile: otherwise the settlement could overtake the mark.
 */
export type Gate = () => Promise<boolean>;

/**
 * Whether a mail whose outcome is unknown is at the provider. `unknown` also covers an error of the lookup. A
 * provider that takes idempotency keys need not be asked: for so long, sending again is the question.
 */
export type LookupAnswer = Resolution | 'unknown';

export interface Transport {
  /** For people and metrics: `smtp`, `gmail`, `file`. */
  readonly kind: string;
  /** How many sends it can do at once. The engine keeps more than that waiting in the queue. */
  readonly capacity: number;
  /** Never throws and never rejects. */
  send(message: Outgoing, gate: Gate): Promise<SendReport>;
  /** Only for providers that can be asked. */
  lookup?(message: Outgoing): Promise<LookupAnswer>;
  /** Lets go of connections. No send is under way when the engine calls it. */
  close(): Promise<void>;
}
