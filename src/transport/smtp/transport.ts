import { classifyLocal, classifySmtp, toSendError } from '../../core/classify/index.js';
import type { RefusedRecipient, SendError, SendReport } from '../../core/report.js';
import { compose, toBytes } from '../../mime/compose.js';
import type { DkimKey } from '../../mime/dkim-key.js';
import { sign } from '../../mime/dkim.js';
import { envelopeOf } from '../../mime/envelope.js';
import type { HostPolicy } from '../hosts.js';
import type { Gate, Outgoing, Transport } from '../transport.js';
import { readAuthority } from './authority.js';
import { SmtpConnection } from './connection.js';
import { Deadlines, type TimeLimits } from './deadlines.js';
import type { HabitsByHost } from './habits.js';
import { SmtpPool, type PoolOptions } from './pool.js';
import { replyText, type Reply } from './reply.js';
import type { Transmission, Failure, Phase } from './report.js';
import { parseSmtpUrl } from './url.js';

export interface SmtpTransportOptions {
  /** `smtp://user:password@host:port` or `smtps://…` */
  readonly url: string;
  readonly maxConnections?: number | undefined;
  /** After so many mails a connection is replaced. Default 100. */
  readonly maxMailsPerConnection?: number | undefined;
  /** Mails without an answer on each connection, where the server offers CHUNKING. Default 1. */
  readonly mailsInFlight?: number | undefined;
  /** What is known of servers, shared by all accounts. */
  readonly habits?: HabitsByHost | undefined;
  readonly hosts: HostPolicy;
  readonly dkim?: DkimKey | undefined;
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string | undefined;
  /** For tests: another kind of connection. */
  readonly connect?: PoolOptions['connect'];
}

const PROVIDER = 'smtp';

/** Mail over SMTP: composed, signed, put on a pooled connection, and judged by what the server said and when. */
export class SmtpTransport implements Transport {
  readonly kind = PROVIDER;
  readonly #pool: SmtpPool;
  readonly #dkim: DkimKey | undefined;

  /** Throws `invalid_input` for a URL that can't work. */
  constructor({ url, hosts, dkim, ca, connect, habits, ...limits }: SmtpTransportOptions) {
    const { maxConnections, maxMailsPerConnection, mailsInFlight } = limits;
    const endpoint = endpointOf(url, hosts, ca);
    this.#dkim = dkim;
    this.#pool = new SmtpPool({
      connection: endpoint,
      ...(habits && { habits: habits.of(endpoint) }),
      ...(mailsInFlight !== undefined && { mailsInFlight }),
      ...(maxConnections !== undefined && { maxConnections }),
      ...(maxMailsPerConnection !== undefined && { maxMailsPerConnection }),
      ...(connect && { connect }),
    });
  }

  get capacity(): number {
    return this.#pool.capacity;
  }

  async send(message: Outgoing, gate: Gate): Promise<SendReport> {
    const { mail, messageId, date, gateLast = false } = message;
    try {
      const composed = compose(mail, { messageId, date });
      const signed = this.#dkim ? await sign(composed, this.#dkim) : composed;
      const { from, to } = envelopeOf(mail);
      const partial = to.length > 1 ? 'any' : 'all';
      const utf8 = signed.needsSmtpUtf8;
      return reportOf(await this.#pool.send({ from, to, utf8, partial }, toBytes(signed), gate, gateLast));
    } catch (error) {
      // The pool never rejects, so this came before it: no server has been offered anything.
      return failure(errorOfThrow(error));
    }
  }

  close(): Promise<void> {
    return this.#pool.drain();
  }
}

/** The URL may name a file of authorities; whoever takes URLs of others has seen to it that it does not. */
function endpointOf(url: string, hosts: HostPolicy, ca: string | undefined) {
  const { caFile, ...endpoint } = parseSmtpUrl(url);
  const trusted = ca ?? (caFile === undefined ? undefined : readAuthority(caFile));
  return { ...endpoint, hosts, ...(trusted !== undefined && { ca: trusted }) };
}

/** What one try to connect and log in came to: for `doctor` and for verifying an account. Sends nothing. */
export async function verifySmtp({
  url,
  hosts,
  ca,
  limits,
}: SmtpTransportOptions & { readonly limits?: Partial<TimeLimits> }): Promise<SendError | undefined> {
  const deadlines = new Deadlines();
  const connection = new SmtpConnection({
    ...endpointOf(url, hosts, ca),
    deadlines,
    ...(limits && { limits }),
  });
  const failure = await connection.open();
  connection.quit();
  return failure && errorOf(failure, false, 0);
}

/** `left` decides, then the reply, then the code. */
export function reportOf(transmission: Transmission): SendReport {
  const { recipients } = transmission;
  if (transmission.left === 'yes') {
    const refused = recipients
      .filter(({ accepted }) => !accepted)
      .map(({ address, reply }) => refusedBy(address, reply));
    const providerMessageId = replyText(transmission.reply);
    return { status: 'sent', provider: PROVIDER, providerMessageId, ...(refused.length > 0 && { refused }) };
  }
  const accepted = recipients.filter((recipient) => recipient.accepted).length;
  // If nobody was accepted, the refusal is that of the first: the one whom the mail is addressed to.
  return failure(errorOf(transmission, transmission.left === 'unknown', accepted));
}

function failure(error: SendError): SendReport {
  const status =
    error.class === 'in_doubt'
      ? 'in_doubt'
      : error.class === 'permanent' || error.class === 'recipient'
        ? 'failed'
        : 'retryable';
  return { status, provider: PROVIDER, error };
}

const refusedBy = (address: string, reply: Reply): RefusedRecipient => ({
  address,
  error: errorOf({ phase: 'rcpt', code: 'EREPLY', reply }, false, 1),
});

function errorOf(failure: Failure, mayHaveLeft: boolean, recipientCount: number): SendError {
  const { phase, code, reply, detail } = failure;
  if (code === 'EREPLY' && reply) return errorOfReply(phase, reply, recipientCount);
  const verdict = classifyLocal({ phase, code, gatePassed: mayHaveLeft });
  const said = reply ? `${reply.code} ${replyText(reply)}` : '';
  return toSendError(verdict, { code, message: [detail, said, `(${phase})`].filter(Boolean).join(' ') });
}

function errorOfReply(phase: Phase, reply: Reply, recipientCount: number): SendError {
  const { code, enhanced } = reply;
  const text = replyText(reply);
  const verdict = classifySmtp({
    phase,
    code,
    text,
    recipientCount,
    ...(enhanced !== undefined && { enhanced }),
  });
  return toSendError(verdict, { code: [code, enhanced].filter(Boolean).join(' '), message: text });
}

/** A mail that must not leave, or one that could not be signed. */
function errorOfThrow(error: unknown): SendError {
  const { code = 'EUNKNOWN', message } = error as { code?: string; message: string };
  return toSendError(classifyLocal({ code, gatePassed: false }), { code, message });
}
