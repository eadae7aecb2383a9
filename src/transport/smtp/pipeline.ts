import type { MailTransaction, Step } from './mail-transaction.js';
import { isRefusal, type Reply } from './reply.js';
import type { End, Failure } from './report.js';

/** A mail on a connection, as far as its protocol is concerned. */
export interface OnTheWire {
  readonly transaction: MailTransaction;
}

/** What to do after a reply, and to which mail. Of nobody: nothing was asked, and the connection must go. */
export type Consequence<M> =
  { readonly of: M; readonly step: Step } | { readonly of: undefined; readonly failure: Failure };

/**
 * The mails of one connection, in the order in which they were written. A server answers in that order, so a reply
 * belongs to the first mail that waits for one; and a mail may be written behind another as soon as the last byte of
 * that one is (RFC 2920, 3.1: the end of a mail may open a group). Pure; the connection writes and reads.
 *
 * Its promise: whatever the server answers, and wherever the line breaks, each mail has an end of its own, and it
 * is true. `no` only if its last byte was not written or it was refused in so many words.
 */
export class Pipeline<M extends OnTheWire> {
  readonly #mails: M[] = [];

  get size(): number {
    return this.#mails.length;
  }

  /** The one that the next reply belongs to, or whose body comes next. */
  get first(): M | undefined {
    return this.#mails[0];
  }

  /** Another may be written behind what is there. */
  get isOpen(): boolean {
    return this.#mails.at(-1)?.transaction.mayHaveLeft ?? true;
  }

  /** Those that would be in doubt if the line broke now. */
  get inTheAir(): readonly M[] {
    return this.isOpen ? this.#mails : this.#mails.slice(0, -1);
  }

  /** It is about to be written. */
  add(mail: M): void {
    if (!this.isOpen) throw new Error('a mail was written into the middle of another');
    this.#mails.push(mail);
  }

  take(reply: Reply): Consequence<M> {
    const [mail] = this.#mails;
    if (!mail?.transaction.awaitsReply) {
      // Between 354 and the dot too: whatever it means, no dot may follow it.
      const code = isRefusal(reply) ? 'EREPLY' : 'EPROTOCOL';
      return { of: undefined, failure: { phase: mail?.transaction.phase ?? 'idle', code, reply } };
    }
    const step = mail.transaction.take(reply);
    if (step.do === 'over') this.#mails.shift();
    return { of: mail, step };
  }

  /** It has come to an end, and the connection with it. */
  remove(mail: M): void {
    const place = this.#mails.indexOf(mail);
    if (place >= 0) this.#mails.splice(place, 1);
  }

  /** The line is gone, because of one of them or of none: the end of each mail that was on it. */
  cut(
    failure: Failure,
    cause: M | undefined,
    leftWhenCut: (mayHaveLeft: boolean) => 'no' | 'unknown',
  ): readonly { readonly mail: M; readonly end: End }[] {
    return this.#mails.splice(0).map((mail) => {
      const { refusal, mayHaveLeft, phase } = mail.transaction;
      // What the server refused before it vanished stays refused.
      if (refusal) return { mail, end: { left: 'no', ...refusal } };
      const why = mail === cause ? failure : { ...INNOCENT, phase };
      return { mail, end: { left: leftWhenCut(mayHaveLeft), ...why } };
    });
  }
}

/** Of a mail that was on a connection that ended because of another. */
const INNOCENT = { code: 'ECLOSED', detail: 'the connection ended with the mail before it' };
