import type { Command, Envelope } from './envelope.js';
import { isClosing, isPositive, isRefusal, type Reply } from './reply.js';
import type { Failure, RecipientAnswer } from './report.js';

/** What to do after a reply. `end`: this mail is over, the connection lives. `drop`: the connection must go.
 * `decline`: it must go too, because the server invites the body of a mail that it refused. */
export type Step =
  | { readonly do: 'wait' }
  | { readonly do: 'write'; readonly line: string }
  | { readonly do: 'go' }
  | { readonly do: 'end' | 'drop' | 'decline'; readonly failure: Failure };

/**
 * A mail transaction (RFC 5321, 3.3) from its first command to the answer to DATA: which reply belongs to which command, and what follows from it.
 * Pure; the connection writes and reads.
 */
export class MailTransaction {
  readonly recipients: RecipientAnswer[] = [];
  #answered = 0;
  #written: number;
  #refusal: Failure | undefined;

  /** `together`: how many commands leave at once; 1 for a server without PIPELINING. */
  constructor(
    private readonly commands: readonly Command[],
    private readonly partial: NonNullable<Envelope['partial']>,
    together: number,
  ) {
    this.#written = Math.min(together, commands.length);
  }

  /** What to write first. */
  get opening(): string {
    return this.commands
      .slice(0, this.#written)
      .map(({ line }) => `${line}\r\n`)
      .join('');
  }

  /** MAIL or the recipients were refused. Definite, whatever becomes of the connection. */
  get refusal(): Failure | undefined {
    return this.#refusal;
  }

  take(reply: Reply): Step {
    const command = this.commands[this.#answered++];
    if (!command) throw new Error('a reply was handed to a mail transaction that is over');
    if (command.phase === 'data') return this.#answerToData(reply);
    const refusal: Failure = { phase: command.phase, code: 'EREPLY', reply };
    if (isClosing(reply)) return { do: 'drop', failure: this.#refusal ?? refusal };
    if (!isPositive(reply) && !isRefusal(reply)) return this.#broken(command.phase, reply);
    if (command.phase === 'rset' && isRefusal(reply)) return { do: 'drop', failure: refusal };
    if (command.phase === 'mail' && isRefusal(reply)) this.#refusal = refusal;
    if (command.phase === 'rcpt') this.#recipientAnswered(command.address ?? '', reply);
    return this.#next();
  }

  #recipientAnswered(address: string, reply: Reply): void {
    // After a refused MAIL the server says 503 to each RCPT: that speaks of no recipient.
    if (this.#refusal) return;
    this.recipients.push({ address, accepted: isPositive(reply), reply });
    if (this.commands[this.#answered]?.phase !== 'data') return;
    const refused = this.recipients.find(({ accepted }) => !accepted);
    const enough = this.partial === 'all' ? !refused : this.recipients.some(({ accepted }) => accepted);
    if (refused && !enough) this.#refusal = { phase: 'rcpt', code: 'EREPLY', reply: refused.reply };
  }

  #next(): Step {
    if (this.#answered < this.#written) return { do: 'wait' };
    if (this.#refusal) return { do: 'end', failure: this.#refusal };
    const command = this.commands[this.#written++];
    return command ? { do: 'write', line: `${command.line}\r\n` } : { do: 'wait' };
  }

  /** Only 354 invites a body. After a refusal, the 503 or 554 to DATA only echoes it: the refusal counts. */
  #answerToData(reply: Reply): Step {
    const refusal = this.#refusal;
    if (reply.code === 354) return refusal ? { do: 'decline', failure: refusal } : { do: 'go' };
    if (!isRefusal(reply)) return refusal ? { do: 'drop', failure: refusal } : this.#broken('data', reply);
    const failure = refusal ?? { phase: 'data', code: 'EREPLY', reply };
    return { do: isClosing(reply) ? 'drop' : 'end', failure };
  }

  #broken(phase: Command['phase'], reply: Reply): Step {
    const detail = `the server answered ${reply.code}, which is no answer to this command`;
    return { do: 'drop', failure: this.#refusal ?? { phase, code: 'EPROTOCOL', reply, detail } };
  }
}
