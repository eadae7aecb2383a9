import type { SmtpPhase } from '../../core/classify/smtp-rule.js';
import type { Reply } from './reply.js';

/**
 * How far a connection had come. `envelope`: MAIL, RCPT and DATA were on their way and no reply told them apart;
 * `idle`: between two mails.
 */
export type Phase = SmtpPhase;

/**
 * Why something ended. With a refusal of the server the code is `EREPLY` and the reply decides; else the code is
 * one of ours or of the operating system's, and a reply, if any, is only shown:
 *
 * - `ECLOSED`, `ETIMEDOUT`, `EPROTOCOL`: the connection closed, fell silent, or said what is no answer;
 * - `EHOST_REFUSED`, `EHOST_INVALID`: the host may not be, or cannot be, connected to;
 * - `ETLS_NOT_OFFERED`, `ETLS_INJECTION`: no STARTTLS, or bytes smuggled in behind it;
 * - `EAUTH_IN_CLEAR`, `EAUTH_NO_MECHANISM`: the password was not sent;
 * - `EADDRESS`, `ECOMPOSE`, `ESIZE`, `ESMTPUTF8`, `E8BITMIME`: refused here, before MAIL;
 * - `EGATE`: the gate refused or failed; `EBUSY`: two mails at once; `ESTOPPED`: the pool was drained.
 */
export interface Failure {
  readonly phase: Phase;
  readonly code: string;
  readonly reply?: Reply;
  /** In words, for the attempt's record. Never a secret. */
  readonly detail?: string;
}

export interface RecipientAnswer {
  readonly address: string;
  readonly accepted: boolean;
  readonly reply: Reply;
}

/**
 * What became of one mail on the wire. `yes`: a whole 2yz answered the dot. `no`: it did not leave, for certain:
 * the dot was never written, or a whole refusal answered it. `unknown`: the dot was written and no whole answer
 * came back.
 */
export type End =
  | { readonly left: 'yes'; readonly phase: 'reply'; readonly reply: Reply }
  | (Failure & { readonly left: 'no' | 'unknown' });

export type Transmission = End & {
  /** One per RCPT that was answered, in the envelope's order; empty if MAIL was refused. */
  readonly recipients: readonly RecipientAnswer[];
  /** The gate was asked and said yes. Known for certain: a transmission is given only after the gate has answered. */
  readonly gated: boolean;
};

/** Of a mail for which not one command was written. */
export const notBegun = (failure: Failure): Transmission => ({
  left: 'no',
  recipients: [],
  gated: false,
  ...failure,
});
