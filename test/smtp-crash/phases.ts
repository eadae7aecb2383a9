/**
 * How far a mail has come on the wire, in order. What arrives at a line is passed on only after its phase:
 *
 * - `connect`: the worker has connected; `greeting`: it has been greeted;
 * - `ehlo`, `rset`, `mail`, `rcpt`, `data`, `quit`: the worker has written this command, the server has not got it;
 * - `go`: the server has answered 354, the worker has not got it;
 * - `content`: half of the mail has been passed on;
 * - `before_dot`: all of it but the dot;
 * - `dot`: the server has the dot and has not answered;
 * - `reply`: it has answered, and the worker has not got the answer.
 */
export const PHASES = [
  'connect',
  'greeting',
  'ehlo',
  'rset',
  'mail',
  'rcpt',
  'data',
  'go',
  'content',
  'before_dot',
  'dot',
  'reply',
  'quit',
] as const;
export type Phase = (typeof PHASES)[number];

/** A small mail and its dot leave the worker in one write, after the gate: in all of these it has written both. */
export const AFTER_THE_DOT_LEFT: readonly Phase[] = ['content', 'before_dot', 'dot', 'reply'];
/** In these the server has taken the mail, whoever knows of it. */
export const TAKEN: readonly Phase[] = ['dot', 'reply'];
/** A line that comes to one of these carries no mail yet, or none any more. */
export const WITHOUT_MAIL: readonly Phase[] = ['connect', 'greeting', 'ehlo', 'rset', 'quit'];

/** How a line ends: RST, FIN, or nothing ever again while it stays open. */
export const CUTS = ['reset', 'end', 'silence'] as const;
export type Cut = (typeof CUTS)[number];

/** A line that has come to a phase. */
export interface Passing {
  readonly phase: Phase;
  /** Who the mail on it is for, once that can be known. */
  readonly to: string | undefined;
  /** To tell one line from another. */
  readonly line: object;
}

export type Conduct = 'pass' | Cut;
/** Asked at every phase of every line. What it takes to answer, the line stands still. */
export type Script = (passing: Passing) => Conduct | Promise<Conduct>;
