import { RESET, type Command, type Envelope } from './envelope.js';
import { isClosing, isPositive, isRefusal, type Reply } from './reply.js';
import type { End, Failure, Phase, RecipientAnswer } from './report.js';

/**
 * What to do after a reply:
 *
 * - `wait` for the next one; `write` the next command; `go`: the body was invited;
 * - `over`: this mail has come to its end, the connection lives;
 * - `drop`: it did not leave, and the connection must go;
 * - `decline`: the same, because the server invites the body of a mail that it refused;
 * - `unchunk`: the same, because the server does not know BDAT, whatever it offered;
 * - `doubt`: its last byte was written, what came back is no answer, and the connection must go.
 */
export type Step =
  | { readonly do: 'wait' }
  | { readonly do: 'write'; readonly line: string }
  | { readonly do: 'go' }
  | { readonly do: 'over'; readonly end: End }
  | { readonly do: 'drop' | 'decline' | 'unchunk' | 'doubt'; readonly failure: Failure };

/** It speaks of the command, not of the mail. */
const NOT_A_COMMAND: ReadonlySet<number> = new Set([500, 502, 504]);

/**
 * A mail transaction (RFC 5321, 3.3) from its first command to the answer to its last byte: which reply belongs to
 * which command, and what follows from it. Pure; the connection writes and reads.
 */
export class MailTransaction {
  readonly recipients: RecipientAnswer[] = [];
  #commands: readonly Command[];
  #answered = 0;
  #written: number;
  #refusal: Failure | undefined;
  #invited = false;
  #lastByteWritten: boolean;

  /** `together`: how many commands leave at once; 1 for a server without PIPELINING. */
  constructor(
    commands: readonly Command[],
    private readonly partial: NonNullable<Envelope['partial']>,
    together: number,
  ) {
    this.#commands = commands;
    this.#written = Math.min(together, commands.length);
    this.#lastByteWritten = commands.at(-1)?.phase === 'bdat';
  }

  /** What to write first. The body of a mail that is not invited first comes behind it, in the same write. */
  get opening(): string {
    return this.#commands
      .slice(0, this.#written)
      .map(({ line }) => `${line}\r\n`)
      .join('');
  }

  /** To be told before anything is written. */
  resetFirst(): void {
    this.#commands = [RESET, ...this.#commands];
    if (this.#written > 1) this.#written += 1;
  }

  /** MAIL or the recipients were refused. Definite, whatever becomes of the connection. */
  get refusal(): Failure | undefined {
    return this.#refusal;
  }

  /** From here on a silence is a doubt. */
  get mayHaveLeft(): boolean {
    return this.#lastByteWritten;
  }

  /** Something was written that has not been answered. */
  get awaitsReply(): boolean {
    return this.#answered < this.#written || this.#lastByteWritten;
  }

  /** Not one of its commands was answered. */
  get isUntouched(): boolean {
    return this.#answered === 0;
  }

  /** How far it has come. */
  get phase(): Phase {
    if (this.#lastByteWritten) return 'reply';
    return this.#invited ? 'gate' : 'envelope';
  }

  /** The dot is about to be written: its gate has passed. */
  endBody(): void {
    if (!this.#invited) throw new Error('the body of a mail was ended that was never invited');
    this.#lastByteWritten = true;
  }

  take(reply: Reply): Step {
    const command = this.#commands[this.#answered++];
    if (!command) {
      if (!this.#lastByteWritten) throw new Error('a reply was handed to a mail that waits for none');
      return this.#answerToLastByte(reply);
    }
    if (command.phase === 'data') return this.#answerToData(reply);
    if (command.phase === 'bdat') return this.#answerToChunk(reply);
    const refusal: Failure = { phase: command.phase, code: 'EREPLY', reply };
    if (isClosing(reply)) return { do: 'drop', failure: this.#refusal ?? refusal };
    if (!isPositive(reply) && !isRefusal(reply)) return this.#broken(command.phase, reply);
    // What was left of the mail before would be mixed with this one.
    if (command.phase === 'rset' && isRefusal(reply)) return this.#unfit(refusal);
    if (command.phase === 'mail' && isRefusal(reply)) this.#refusal = refusal;
    if (command.phase === 'rcpt') this.#recipientAnswered(command.address ?? '', reply);
    return this.#next();
  }

  #recipientAnswered(address: string, reply: Reply): void {
    // After a refused MAIL the server says 503 to each RCPT: that speaks of no recipient.
    if (this.#refusal) return;
    this.recipients.push({ address, accepted: isPositive(reply), reply });
    if (this.#commands[this.#answered]?.phase === 'rcpt') return;
    const refused = this.recipients.find(({ accepted }) => !accepted);
    const enough = this.partial === 'all' ? !refused : this.recipients.some(({ accepted }) => accepted);
    if (refused && !enough) this.#refusal = { phase: 'rcpt', code: 'EREPLY', reply: refused.reply };
  }

  #next(): Step {
    if (this.#answered < this.#written) return { do: 'wait' };
    if (this.#refusal) return notLeft(this.#refusal);
    const command = this.#commands[this.#written++];
    return command ? { do: 'write', line: `${command.line}\r\n` } : { do: 'wait' };
  }

  /** Only 354 invites a body. After a refusal, the 503 or 554 to DATA only echoes it: the refusal counts. */
  #answerToData(reply: Reply): Step {
    const refusal = this.#refusal;
    if (reply.code === 354) {
      if (refusal) return { do: 'decline', failure: refusal };
      this.#invited = true;
      return { do: 'go' };
    }
    if (!isRefusal(reply)) return refusal ? { do: 'drop', failure: refusal } : this.#broken('data', reply);
    const failure = refusal ?? { phase: 'data', code: 'EREPLY', reply };
    return isClosing(reply) ? { do: 'drop', failure } : notLeft(failure);
  }

  /** A mail that nobody was accepted for went nowhere, whatever a careless server says of its bytes. */
  #answerToChunk(reply: Reply): Step {
    const refusal = this.#refusal;
    if (!refusal && NOT_A_COMMAND.has(reply.code)) {
      const detail = 'the server offers CHUNKING and does not know BDAT';
      return { do: 'unchunk', failure: { phase: 'idle', code: 'EPROTOCOL', reply, detail } };
    }
    if (!refusal) return this.#answerToLastByte(reply);
    const goesOn = !isClosing(reply) && (isPositive(reply) || isRefusal(reply));
    return goesOn ? notLeft(refusal) : { do: 'drop', failure: refusal };
  }

  #answerToLastByte(reply: Reply): Step {
    if (isPositive(reply)) return { do: 'over', end: { left: 'yes', phase: 'reply', reply } };
    const failure: Failure = { phase: 'reply', code: 'EREPLY', reply };
    if (isClosing(reply)) return { do: 'drop', failure };
    if (isRefusal(reply)) return notLeft(failure);
    // Not even the reply is passed on: it says nothing about the mail.
    const detail = `the server answered the end of the mail with ${reply.code}`;
    return { do: 'doubt', failure: { phase: 'reply', code: 'EPROTOCOL', detail } };
  }

  #broken(phase: Exclude<Command['phase'], 'bdat'>, reply: Reply): Step {
    const detail = `the server answered ${reply.code}, which is no answer to this command`;
    return this.#unfit({ phase, code: 'EPROTOCOL', reply, detail });
  }

  /** The rest of the dialogue can't be trusted. What was refused before stays refused. */
  #unfit(failure: Failure): Step {
    if (this.#refusal || !this.#lastByteWritten) return { do: 'drop', failure: this.#refusal ?? failure };
    return { do: 'doubt', failure };
  }
}

const notLeft = (failure: Failure): Step => ({ do: 'over', end: { left: 'no', ...failure } });
