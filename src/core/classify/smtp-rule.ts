import type { Rule } from './rules.js';

/** Where in the dialogue something happened. `reply` is the wait for the answer to the final dot. */
export type SmtpPhase =
  | 'connect'
  | 'tls'
  | 'greeting'
  | 'ehlo'
  | 'auth'
  | 'idle'
  | 'rset'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'envelope'
  | 'body'
  | 'gate'
  | 'reply';

/** All that is named must hold. */
export interface SmtpCondition {
  readonly phases?: readonly SmtpPhase[];
  readonly codes?: readonly number[];
  /** First digit of the reply; `other` is everything that is neither 4yz nor 5yz. Not named: 4 or 5. */
  readonly digit?: 4 | 5 | 'other';
  /**
   * In RFC 3463's notation, `X.1.1`, `X.7.501-511`, `X.7.*`. The class is always X: where it disagrees with the
   * first digit of the reply the reply is right, and what follows the class is still believed.
   */
  readonly enhanced?: readonly string[];
  /** No enhanced code, or one that says nothing (X.0.0): the words are all there is. */
  readonly bare?: true;
  /** One of these, in lower case, is part of the text. */
  readonly words?: readonly string[];
}

export type SmtpSample = readonly [phase: SmtpPhase, reply: string];
export type SmtpRule = Rule<SmtpCondition, SmtpSample>;
