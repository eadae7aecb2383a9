import { hash } from 'node:crypto';
import { isWholeMail } from '../core/headers.js';
import type { Attachment, CalendarPart, Mail } from '../core/mail.js';
import { encodeText, wrapBase64 } from './encode.js';
import { foldedHeader } from './headers.js';
import { parameter } from './words.js';

/** A node of the mail's tree: its own headers, and what stands below them without the line end before a boundary. */
export interface Part {
  readonly head: string;
  readonly body: string;
}

/**
 * The tree of a mail: text, html and calendar as alternatives of one another, the plainest first; images that the
 * html shows beside it in multipart/related; other files around all of it in multipart/mixed.
 */
export function structureOf(mail: Mail, messageId: string): Part {
  const boundary = boundaryOf(messageId, wholeMailsOf(mail));
  const shown = (mail.attachments ?? []).filter((file) => isShown(file, mail));
  const files = (mail.attachments ?? []).filter((file) => !shown.includes(file));

  const alternatives: Part[] = [];
  if (mail.text !== undefined || (mail.html === undefined && mail.ics === undefined)) {
    alternatives.push(textPart('text/plain; charset=utf-8', mail.text ?? ''));
  }
  if (mail.html !== undefined) {
    const html = textPart('text/html; charset=utf-8', mail.html);
    const images = shown.map((file) => filePart(file, 'inline'));
    alternatives.push(wrap('related;\r\n type="text/html"', `${boundary}.r`, [html, ...images]));
  }
  if (mail.ics !== undefined) alternatives.push(calendarPart(mail.ics));

  const content = wrap('alternative', `${boundary}.a`, alternatives);
  const attached = files.map((file) => filePart(file, 'attachment'));
  return wrap('mixed', `${boundary}.m`, [content, ...attached]);
}

/** Text is never shown by its id: readers take a text inside multipart/related for a piece of the mail's own. */
function isShown(file: Attachment, mail: Mail): boolean {
  return mail.html !== undefined && file.contentId !== undefined && !/^text\//i.test(file.contentType);
}

/**
 * The same on every try. "=_" can occur neither in base64 nor in quoted-printable, and text that holds it is not
 * sent as 7bit: no content can be taken for a boundary, whoever wrote it.
 */
function boundaryOf(messageId: string, wholeMails: readonly string[]): string {
  const boundary = `=_${hash('sha256', messageId, 'hex').slice(0, 24)}`;
  // A mail inside this one is as it is. If it knows the boundary, it gets another one, and the same on every try.
  return wholeMails.some((text) => text.includes(boundary)) ? boundaryOf(boundary, wholeMails) : boundary;
}

const wholeMailsOf = ({ attachments = [] }: Mail): readonly string[] =>
  attachments.filter(({ contentType }) => isWholeMail(contentType)).map(textOfMail);

/** Seven bits, as the door saw to. */
const textOfMail = ({ contentBase64 }: Attachment): string =>
  Buffer.from(contentBase64, 'base64')
    .toString('latin1')
    .replace(/\r\n?|\n/g, '\r\n');

/** One part needs no wrapping. */
function wrap(kind: string, boundary: string, parts: readonly Part[]): Part {
  const [only, second] = parts;
  if (only !== undefined && second === undefined) return only;
  let body = '';
  for (const part of parts) body += `--${boundary}\r\n${part.head}\r\n${part.body}\r\n`;
  return {
    head: `Content-Type: multipart/${kind};\r\n boundary="${boundary}"\r\n`,
    body: `${body}--${boundary}--\r\n`,
  };
}

function textPart(type: string, text: string): Part {
  const { encoding, content } = encodeText(text);
  return { head: `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n`, body: content };
}

const calendarPart = (part: CalendarPart): Part =>
  textPart(`text/calendar; charset=utf-8; method=${part.method.toUpperCase()}`, part.content);

function filePart(file: Attachment, disposition: 'inline' | 'attachment'): Part {
  const id = file.contentId === undefined ? '' : foldedHeader('Content-ID', [`<${file.contentId}>`]);
  const whole = isWholeMail(file.contentType);
  return {
    head:
      foldedHeader('Content-Type', file.contentType.split(/(?<=;) ?/)) +
      `Content-Transfer-Encoding: ${whole ? '7bit' : 'base64'}\r\n${id}` +
      `Content-Disposition: ${disposition}${parameter('filename', file.filename)}\r\n`,
    body: whole ? textOfMail(file) : wrapBase64(file.contentBase64),
  };
}
