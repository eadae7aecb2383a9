import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { domainOf } from '../core/address.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { parseMailbox } from '../core/mailbox.js';
import type { SendReport } from '../core/report.js';
import { reportOfThrow } from '../core/sane-report.js';
import {
  mailOf,
  resultOf,
  resultOfReport,
  type MailMessage,
  type MailSender,
  type MailSendResult,
} from './mail-sender.js';
import type { Gate, Outgoing, Transport } from './transport.js';

/** Two more tries, quickly: they bridge a connection that was refused or broke, and nothing else. */
const WAITS_MS = [100, 400] as const;

export interface ReliableMailSenderOptions {
  /** Who mails are from that do not say so themselves; needed beside a transport. */
  readonly from?: string | undefined;
  /** Before the second try, the third … Default 100 and 400 ms. */
  readonly waitsMs?: readonly number[] | undefined;
}

const OPTIONS: OptionNames<ReliableMailSenderOptions> = { from: true, waitsMs: true };

/**
 * A sender that tries again by itself, but only while nothing can have left: over a transport until its gate is asked,
 * over another sender while that says so itself. What must be waited for longer, or may have left, is answered at once;
 * whoever keeps a queue decides. One call is one attempt, however often it tried inside. Never throws.
 */
export class ReliableMailSender implements MailSender {
  readonly #from: string;
  readonly #waitsMs: readonly number[];

  constructor(
    private readonly inner: Transport | MailSender,
    options: ReliableMailSenderOptions = {},
  ) {
    knownOptions(options, OPTIONS);
    this.#from = options.from ?? 'Pillarbox <pillarbox@localhost>';
    parseMailbox('from', this.#from);
    this.#waitsMs = options.waitsMs ?? WAITS_MS;
  }

  async send(message: MailMessage): Promise<MailSendResult> {
    const { inner } = this;
    if (!isTransport(inner)) {
      return patiently(this.#waitsMs, () => resultOf(inner, message), isWorthIt);
    }
    const outgoing = outgoingOf(message, this.#from);
    return resultOfReport(await sendPatiently(inner, outgoing, () => Promise.resolve(true), this.#waitsMs));
  }
}

/** The same for the engine: a transport whose sends are tried again while their gate has not been asked. */
export const reliableTransport = (
  transport: Transport,
  waitsMs: readonly number[] = WAITS_MS,
): Transport => ({
  kind: transport.kind,
  capacity: transport.capacity,
  send: (message, gate) => sendPatiently(transport, message, gate, waitsMs),
  ...(transport.lookup && { lookup: (message: Outgoing) => lookupOf(transport, message) }),
  close: () => transport.close(),
});

const lookupOf = (transport: Transport, message: Outgoing) =>
  transport.lookup?.(message) ?? Promise.resolve('unknown' as const);

function sendPatiently(
  transport: Transport,
  message: Outgoing,
  gate: Gate,
  waitsMs: readonly number[],
): Promise<SendReport> {
  let isAsked = false;
  const watched: Gate = () => {
    isAsked = true;
    return gate();
  };
  const attempt = async (): Promise<SendReport> => {
    try {
      return await transport.send(message, watched);
    } catch (error) {
      return reportOfThrow(transport.kind, error, isAsked);
    }
  };
  return patiently(waitsMs, attempt, (report) => !isAsked && isWorthIt(report));
}

async function patiently<T>(
  waitsMs: readonly number[],
  attempt: () => Promise<T>,
  isAgain: (answer: T) => boolean,
): Promise<T> {
  let answer = await attempt();
  for (const waitMs of waitsMs) {
    if (!isAgain(answer)) break;
    await wait(waitMs);
    answer = await attempt();
  }
  return answer;
}

/** A wait that was asked for is the queue's: greylisting is not outrun. */
const isWorthIt = (answer: MailSendResult | SendReport): boolean =>
  answer.status === 'retryable' && answer.error.retryAfterSeconds === undefined;

const isTransport = (inner: Transport | MailSender): inner is Transport => 'kind' in inner;

/** The same on every try of one key, as far as that goes without a record of it. */
function outgoingOf(message: MailMessage, from: string): Outgoing {
  const sender = message.from ?? parseMailbox('from', from);
  const id = createHash('sha256').update(message.dedupeKey).digest('hex').slice(0, 32);
  return {
    ...{ id, action: 'email', dedupeKey: message.dedupeKey, date: Date.now() },
    messageId: `<${id}@${domainOf(sender.email)}>`,
    mail: mailOf(message, sender),
  };
}
