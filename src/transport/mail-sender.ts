import { classifyNamed } from '../core/classify/named.js';
import type { Mail, Mailbox } from '../core/mail.js';
import type { SendError, SendReport } from '../core/report.js';
import { forPeople } from '../core/text.js';
import type { Gate, Outgoing, Transport } from './transport.js';

/** A mail as senders that others write see it: whole, and with what a provider wants to know beside it. */
export interface MailMessage {
  readonly to: Mailbox;
  /** Default: the sender's own. */
  readonly from?: Mailbox;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly locale?: string;
  readonly templateId?: string;
  readonly templateVersion?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly manageUrl?: string;
  readonly unsubscribeUrl?: string;
  /** The message's own, the same on every try: what a provider with idempotency keys is to be given. */
  readonly dedupeKey: string;
  readonly traceId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * How one try ended. `retryable` and `failed` are definite: nothing left. `in_doubt`: it may have left, and nobody knows;
 * whoever is not sure must say so.
 */
export type MailSendResult =
  | { readonly status: 'sent'; readonly provider: string; readonly providerMessageId?: string }
  | {
      readonly status: 'retryable' | 'failed' | 'in_doubt';
      readonly provider: string;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly retryAfterSeconds?: number;
      };
    };

/** Never throws and never rejects: outcomes are values. */
export interface MailSender {
  send(message: MailMessage): Promise<MailSendResult>;
}

export interface SenderTransportOptions {
  /** For people and metrics. Default `sender`. */
  readonly kind?: string;
  /** How many sends it can do at once. Default 10. */
  readonly capacity?: number;
}

/**
 * A sender of one's own as a transport of the engine. It can't be asked when its last byte leaves, so its gate is asked
 * before it begins; and one that throws although it must not leaves a doubt, because something may have left.
 */
export const senderTransport = (
  sender: MailSender,
  { kind = 'sender', capacity = 10 }: SenderTransportOptions = {},
): Transport => ({
  kind,
  capacity,
  async send({ mail, dedupeKey, messageId }: Outgoing, gate: Gate): Promise<SendReport> {
    const opened = await gate().catch(() => false);
    if (!opened) return notBegun(kind);
    const { from, to, subject, html, text, headers, unsubscribeUrl } = mail;
    const message: MailMessage = {
      ...{ from, to, subject, dedupeKey, metadata: { messageId } },
      ...(html !== undefined && { html }),
      ...(text !== undefined && { text }),
      ...(headers !== undefined && { headers }),
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    };
    return reportOf(await resultOf(sender, message, kind));
  },
  close: () => Promise.resolve(),
});

/** What a sender answers, also one that breaks its word. */
export async function resultOf(
  sender: MailSender,
  message: MailMessage,
  provider = 'sender',
): Promise<MailSendResult> {
  try {
    const result = (await sender.send(message)) as MailSendResult | undefined;
    if (result?.status === 'sent' || (result && STATUSES.includes(result.status))) return result;
    return doubt(provider, 'SENDER_SILENT', 'the sender gave no answer that says how it ended');
  } catch (error) {
    return doubt(provider, 'SENDER_THREW', error instanceof Error ? error.message : String(error));
  }
}

const STATUSES = ['retryable', 'failed', 'in_doubt'];

const doubt = (provider: string, code: string, words: string): MailSendResult => ({
  ...{ status: 'in_doubt', provider },
  error: { code, message: forPeople(words, 500) },
});

/** In the words of the engine: the class decides what becomes of message, account and address. */
export function reportOf(result: MailSendResult): SendReport {
  if (result.status === 'sent') return result;
  const { status, provider, error } = result;
  const { code, message, retryAfterSeconds } = error;
  const named = classifyNamed(code);
  const isForNow = named.class === 'retryable' || named.class === 'rate_limited';
  // What the sender says of this try counts; the name of its error only tells more of it.
  const told: Pick<SendError, 'class' | 'scope'> =
    status === 'in_doubt'
      ? { class: 'in_doubt', scope: 'message' }
      : isForNow === (status === 'retryable')
        ? { class: named.class, scope: named.scope }
        : { class: status === 'retryable' ? 'retryable' : 'permanent', scope: 'message' };
  return {
    status,
    provider,
    error: { ...told, code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  };
}

export const resultOfReport = (report: SendReport): MailSendResult => {
  if (report.status === 'sent') {
    const { status, provider, providerMessageId } = report;
    return { status, provider, ...(providerMessageId !== undefined && { providerMessageId }) };
  }
  const { status, provider, error } = report;
  const { code, message, retryAfterSeconds } = error;
  return {
    ...{ status, provider },
    error: { code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  };
};

const notBegun = (provider: string): SendReport => ({
  ...{ status: 'retryable', provider },
  error: {
    ...{ class: 'retryable', scope: 'message', code: 'ELEASE' },
    message: 'the gate did not open, and nothing was begun',
  },
});

/** The mail of a message, for a transport. */
export const mailOf = (message: MailMessage, from: Mailbox): Mail => {
  const { to, subject, html, text, headers, unsubscribeUrl } = message;
  return {
    ...{ from: message.from ?? from, to, subject },
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(headers !== undefined && { headers }),
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
  };
};
