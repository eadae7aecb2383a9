import { hash } from 'node:crypto';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { lineFault, mailFault } from '../core/headers.js';
import { parseInstant } from '../core/instant.js';
import type { Mail, Mailbox } from '../core/mail.js';
import { DELIVERY_DEFAULTS, type LaneDelivery } from '../core/delivery-settings.js';
import type { DoubtPolicy } from '../core/message.js';
import { writeRetryPolicy, type RetryPolicy } from '../core/retry.js';
import { invalidInput } from '../core/errors.js';
import { checkShape, type MailInput } from './mail-input.js';

/** A mail that has been checked and will not change: what is stored, and what every try sends. */
export interface FrozenMail {
  readonly mail: Mail;
  readonly json: string;
  /** Of the content, whoever sends it; null without a key, because nobody will ask. */
  readonly hash: string | null;
  readonly idempotencyKey: string | null;
  readonly sendAt: number | null;
  readonly expiresAt: number | null;
  readonly accountId: string | undefined;
  readonly retryPolicy: string;
  readonly doubtPolicy: DoubtPolicy;
  readonly transactional: boolean;
  readonly traceId: string | null;
  /** Leaves when its account may send, not at once. */
  readonly guarded: boolean;
}

/** As JSON, attachments in base64 included. Most servers take 25 MB on the wire. */
const LARGEST_MAIL_BYTES = 32 * 1024 * 1024;

/**
 * Checks everything that can be wrong with a mail before anything is stored. Throws `invalid_input` with the field.
 * `lane`: what holds unless the mail says otherwise; `dispatcher`: what an operator has made of that policy.
 */
export function freeze(
  input: unknown,
  from: Mailbox,
  lane: LaneDelivery = DELIVERY_DEFAULTS.lanes.outbox,
  dispatcher?: RetryPolicy,
): FrozenMail {
  const given = withoutUndefined(input);
  checkShape(given);
  const mail = toMail(given, from);
  const fault = mailFault(mail);
  if (fault) throw invalidInput(fault.field, fault.text);
  checkKey('idempotencyKey', given.idempotencyKey);
  checkKey('traceId', given.traceId);
  const sendAt = toInstant('sendAt', given.sendAt);
  const expiresAt = toInstant('expiresAt', given.expiresAt);
  if (expiresAt !== null && sendAt !== null && expiresAt <= sendAt) {
    throw invalidInput('expiresAt', 'is not after sendAt; the mail could never leave');
  }
  const json = JSON.stringify(mail);
  if (json.length > LARGEST_MAIL_BYTES) {
    throw invalidInput(
      'mail',
      `is larger than ${String(LARGEST_MAIL_BYTES / 1024 / 1024)} MB with its attachments`,
    );
  }
  return {
    mail,
    json,
    hash: given.idempotencyKey === undefined ? null : contentHash(json, from),
    idempotencyKey: given.idempotencyKey ?? null,
    sendAt,
    expiresAt,
    accountId: given.accountId,
    retryPolicy: writeRetryPolicy(given.retryPolicy ?? lane.retryPolicy, dispatcher),
    doubtPolicy: given.onDoubt ?? lane.onDoubt,
    transactional: given.transactional ?? false,
    traceId: given.traceId ?? null,
    guarded: given.guarded ?? lane.guarded,
  };
}

/** The sender comes first in the JSON and is the account's matter: a new display name is not a new mail. */
const contentHash = (json: string, from: Mailbox): string =>
  hash('sha256', json.slice(`{"from":${JSON.stringify(from)}`.length), 'base64url').slice(0, 22);

/** `{ text: undefined }` means the same as no text at all. */
function withoutUndefined(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** Field by field, in one order: the same mail always gives the same JSON, and so the same hash. */
function toMail(given: MailInput, from: Mailbox): Mail {
  const cc = toMailboxes('cc', given.cc);
  const bcc = toMailboxes('bcc', given.bcc);
  return {
    from,
    to: toMailbox('to', given.to),
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(given.replyTo !== undefined && { replyTo: toMailbox('replyTo', given.replyTo) }),
    subject: given.subject,
    ...(given.text !== undefined && { text: given.text }),
    ...(given.html !== undefined && { html: given.html }),
    ...(given.ics && { ics: { content: given.ics.content, method: given.ics.method } }),
    ...(given.attachments && { attachments: given.attachments }),
    ...(given.headers && { headers: given.headers }),
    ...(given.inReplyTo !== undefined && { inReplyTo: given.inReplyTo }),
    ...(given.references && { references: given.references }),
  };
}

type AddressInput = MailInput['to'];

function toMailbox(field: string, input: AddressInput): Mailbox {
  const { email, name } = typeof input === 'string' ? { email: input, name: undefined } : input;
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw invalidInput(field, ADDRESS_FAULT_TEXT[parsed.fault]);
  return { email: parsed.address, ...(name !== undefined && name !== '' && { name }) };
}

function toMailboxes(field: string, input: AddressInput | AddressInput[] | undefined): Mailbox[] {
  if (input === undefined) return [];
  return Array.isArray(input)
    ? input.map((address, index) => toMailbox(`${field}.${String(index)}`, address))
    : [toMailbox(field, input)];
}

function checkKey(field: string, value: string | undefined): void {
  const fault = value === undefined ? undefined : lineFault(value);
  if (fault) throw invalidInput(field, fault);
}

function toInstant(field: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const parsed = parseInstant(text);
  if ('fault' in parsed) throw invalidInput(field, parsed.fault);
  return parsed.instant;
}
