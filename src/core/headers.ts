import { ADDRESS_FAULT_TEXT, parseAddress } from './address.js';
import type { Attachment, CalendarPart, Mail, Mailbox } from './mail.js';

/**
 * What may stand in a mail. Every value that reaches a line has its own rule here, and both the door and the
 * composer ask: what was taken can always be composed, and what came round the door is refused all the same.
 * Faults are refused, never cleaned: a mail that was silently changed is not the mail that somebody wrote.
 *
 * A rule answers what is wrong, in words that follow the name of the field, or undefined.
 */
type Fault = string | undefined;

export interface MailFault {
  /** As a path: `attachments.0.filename`. Never holds text of the caller that was not checked. */
  readonly field: string;
  readonly text: string;
}

// C0 and DEL, said the other way round.
const CONTROL = /[^ -~\u0080-\uffff]/;
const HEADER_NAME = /^[!-9;-~]{1,76}$/;
const MESSAGE_ID = /^<[!-;=?-~]{3,250}>$/;
// Under 998 with its header name, because a URL is never folded.
const UNSUBSCRIBE_URL = /^https?:\/\/[!-;=?-~]{1,900}$/;
const CONTENT_ID = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]{1,72}$/;
const CONTENT_TYPE =
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,73}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,73}(?:; ?[A-Za-z0-9-]{1,30}=(?:[A-Za-z0-9!#$&^_.+-]{1,40}|"[ !#-:<-[\]-~]{1,40}"))*$/;
const CONTENT_TYPE_MAX = 200;
const FILE_NAME_MAX = 255;
/** RFC 5322. */
const LINE_MAX = 998;
const LINKEDIN_ID = /^[!-~]{1,200}$/;
const CALENDAR_METHOD = /^[A-Za-z][A-Za-z-]{2,19}$/;

/** What the mail itself sets, or what only servers on the way may set. */
const REFUSED_HEADERS = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'apparently-to', 'subject', 'date', 'message-id'],
  ...['in-reply-to', 'references', 'mime-version', 'list-unsubscribe', 'list-unsubscribe-post'],
  ...['received', 'received-spf', 'return-path', 'delivered-to', 'authentication-results', 'dkim-signature'],
]);
const REFUSED_FAMILIES = /^(?:content|resent|arc)-/;

export function addressFault(email: string): Fault {
  const parsed = parseAddress(email);
  return 'fault' in parsed ? ADDRESS_FAULT_TEXT[parsed.fault] : undefined;
}

/** For everything that stands on one line: subject, names of people, header values, file names. */
export function lineFault(value: string): Fault {
  if (CONTROL.test(value)) return 'holds a line break or another control character';
  return value.isWellFormed() ? undefined : 'holds half of a surrogate pair';
}

/** For bodies: line ends of every kind are fine, the rest of what no mail can carry is not. */
export function bodyFault(value: string): Fault {
  if (value.includes('\0')) return 'holds a NUL character';
  return value.isWellFormed() ? undefined : 'holds half of a surrogate pair';
}

export function headerNameFault(name: string): Fault {
  if (!HEADER_NAME.test(name)) return 'has a name that is not of 1 to 76 printable ASCII characters';
  const known = name.toLowerCase();
  return REFUSED_HEADERS.has(known) || REFUSED_FAMILIES.test(known) ? 'cannot be set as a header' : undefined;
}

export function fileNameFault(name: string): Fault {
  if (name === '') return 'is empty';
  if (name.length > FILE_NAME_MAX) return `is longer than ${String(FILE_NAME_MAX)} characters`;
  return lineFault(name);
}

export function contentTypeFault(type: string): Fault {
  const isType = type.length <= CONTENT_TYPE_MAX && CONTENT_TYPE.test(type);
  if (!isType) return 'is not a media type such as image/png';
  // None may be base64, and their insides would be read as parts of this mail; a whole mail is let in below.
  return /^(?:multipart|message)\//i.test(type) && !isWholeMail(type)
    ? 'is a container of mail; attach it as application/octet-stream'
    : undefined;
}

/** A mail inside a mail, as a forward has it. It travels as it is: RFC 2046 allows it no base64. */
export const isWholeMail = (type: string): boolean => /^message\/rfc822$/i.test(type);

/** It stands between the lines of another, so it must be of lines that every server takes. */
export function wholeMailFault(contentBase64: string): Fault {
  const text = Buffer.from(contentBase64, 'base64').toString('latin1');
  if (!/^[!-9;-~]+:/.test(text)) return 'is not a mail: it does not begin with a header';
  const otherwise = 'attach it as application/octet-stream';
  if (/[^\t\r\n -~]/.test(text)) return `is a mail with bytes beyond ASCII; ${otherwise}`;
  return text.split(/[\r\n]/).some((line) => line.length > LINE_MAX)
    ? `is a mail with a line of more than ${String(LINE_MAX)} characters; ${otherwise}`
    : undefined;
}

export function contentIdFault(id: string): Fault {
  return CONTENT_ID.test(id) ? undefined : 'is not 1 to 72 characters of an id without angle brackets';
}

export function base64Fault(content: string): Fault {
  // Decoding skips whatever is not base64; what comes back the same had nothing to skip.
  return Buffer.from(content, 'base64').toString('base64') === content
    ? undefined
    : 'is not base64 (standard alphabet, padded, without blanks or line breaks)';
}

export function messageIdFault(id: string): Fault {
  return MESSAGE_ID.test(id) ? undefined : 'is not a Message-ID such as <id@example.org>';
}

export function unsubscribeUrlFault(url: string): Fault {
  return UNSUBSCRIBE_URL.test(url) ? undefined : 'is not a URL of at most 900 ASCII characters';
}

function calendarFault(part: CalendarPart): MailFault | undefined {
  const field = 'ics.method';
  if (!CALENDAR_METHOD.test(part.method)) return { field, text: 'is not a method such as REQUEST' };
  // Receivers that find the two different show no invitation at all, or cancel what should be booked.
  const lines = part.content.matchAll(/(?:^|[\r\n])METHOD(?:;[^:\r\n]*)?:([^\r\n]*)/gi);
  const methods = Array.from(lines, (line) => line[1]?.trim().toUpperCase());
  if (methods.length === 0 || methods.some((method) => method !== part.method.toUpperCase())) {
    return { field, text: 'does not agree with the METHOD line of the calendar' };
  }
  return faultIn('ics.content', part.content, bodyFault);
}

export const linkedinIdFault = (id: string): Fault =>
  LINKEDIN_ID.test(id) ? undefined : 'is not of 1 to 200 printable ASCII characters';

function mailboxFault(field: string, mailbox: Mailbox): MailFault | undefined {
  return (
    faultIn(`${field}.email`, mailbox.email, addressFault) ??
    faultIn(`${field}.name`, mailbox.name, lineFault)
  );
}

function attachmentFault(field: string, attachment: Attachment): MailFault | undefined {
  return (
    faultIn(`${field}.filename`, attachment.filename, fileNameFault) ??
    faultIn(`${field}.contentType`, attachment.contentType, contentTypeFault) ??
    faultIn(`${field}.contentId`, attachment.contentId, contentIdFault) ??
    faultIn(`${field}.contentBase64`, attachment.contentBase64, base64Fault) ??
    (isWholeMail(attachment.contentType)
      ? faultIn(`${field}.contentBase64`, attachment.contentBase64, wholeMailFault)
      : undefined)
  );
}

function headersFault(headers: Readonly<Record<string, string>>): MailFault | undefined {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    // A malformed name must not reach logs and answers as part of the path.
    const field = HEADER_NAME.test(name) ? `headers.${name}` : 'headers';
    const fault = headerNameFault(name) ?? lineFault(value);
    if (fault !== undefined) return { field, text: fault };
    const known = name.toLowerCase();
    if (seen.has(known)) return { field, text: 'is given twice' };
    seen.add(known);
  }
  return undefined;
}

/** The first thing in a mail that must not leave, or undefined. */
export function mailFault(mail: Mail): MailFault | undefined {
  return (
    mailboxFault('from', mail.from) ??
    mailboxFault('to', mail.to) ??
    faultIn('linkedinId', mail.linkedinId, linkedinIdFault) ??
    firstFault('cc', mail.cc, mailboxFault) ??
    firstFault('bcc', mail.bcc, mailboxFault) ??
    (mail.replyTo && mailboxFault('replyTo', mail.replyTo)) ??
    faultIn('subject', mail.subject, lineFault) ??
    faultIn('text', mail.text, bodyFault) ??
    faultIn('html', mail.html, bodyFault) ??
    (mail.ics && calendarFault(mail.ics)) ??
    firstFault('attachments', mail.attachments, attachmentFault) ??
    (mail.headers && headersFault(mail.headers)) ??
    faultIn('inReplyTo', mail.inReplyTo, messageIdFault) ??
    firstFault('references', mail.references, (field, id) => faultIn(field, id, messageIdFault)) ??
    faultIn('threadId', mail.threadId, lineFault) ??
    faultIn('unsubscribeUrl', mail.unsubscribeUrl, unsubscribeUrlFault)
  );
}

/** What is not there is never at fault. */
function faultIn(
  field: string,
  value: string | undefined,
  rule: (value: string) => Fault,
): MailFault | undefined {
  const text = value === undefined ? undefined : rule(value);
  return text === undefined ? undefined : { field, text };
}

function firstFault<T>(
  field: string,
  list: readonly T[] | undefined,
  rule: (field: string, entry: T) => MailFault | undefined,
): MailFault | undefined {
  if (list === undefined) return undefined;
  for (const [index, entry] of list.entries()) {
    const fault = rule(`${field}.${String(index)}`, entry);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
