import { hash } from 'node:crypto';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { lineFault, mailFault } from '../core/headers.js';
import type { Mail, Mailbox } from '../core/mail.js';
import { DELIVERY_DEFAULTS, type LaneDelivery } from '../core/delivery-settings.js';
import type { DoubtPolicy } from '../core/message.js';
import { writeRetryPolicy } from '../core/retry.js';
import { invalidInput } from '../errors.js';
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
}

/** As JSON, attachments in base64 included. Most servers take 25 MB on the wire. */
const LARGEST_MAIL_BYTES = 32 * 1024 * 1024;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Checks everything that can be wrong with a mail before anything is stored. Throws `invalid_input` with the field.
 * `lane`: what holds unless the mail says otherwise.
 */
export function freeze(
  input: unknown,
  from: Mailbox,
  lane: LaneDelivery = DELIVERY_DEFAULTS.lanes.outbox,
): FrozenMail {
  const given = withoutUndefined(input);
  checkShape(given);
  const mail = toMail(given, from);
  const fault = mailFault(mail);
  if (fault) throw invalidInput(fault.field, fault.text);
  checkKey('idempotencyKey', given.idempotencyKey);
  checkKey('traceId', given.traceId);
  // To take it and not obey it would be a lie.
  if (given.guarded) throw invalidInput('guarded', 'is not possible yet: sending limits are not enforced');
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
    retryPolicy: writeRetryPolicy(given.retryPolicy ?? lane.retryPolicy),
    doubtPolicy: given.onDoubt ?? lane.onDoubt,
    transactional: given.transactional ?? false,
    traceId: given.traceId ?? null,
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
  const instant = INSTANT.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant)) {
    throw invalidInput(field, 'is not an ISO 8601 instant with its offset, such as 2026-11-16T14:00:00Z');
  }
  if (instant < EARLIEST || instant >= LATEST)
    throw invalidInput(field, 'is not between the years 2000 and 2100');
  return instant;
}

/** The 31st of February is read as the 3rd of March by Date.parse; nobody means that. */
const isDay = (day: string): boolean => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
};
