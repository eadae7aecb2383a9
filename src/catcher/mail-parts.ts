import PostalMime, { decodeWords, type Attachment } from 'postal-mime';

export interface MailHeader {
  readonly name: string;
  /** Unfolded, and with its encoded words read. */
  readonly value: string;
  /** The line as it came. */
  readonly raw: string;
}

export interface AttachedFile {
  readonly filename: string | null;
  readonly contentType: string;
  readonly size: number;
  /** Without angle brackets; the html shows it as `cid:…`. */
  readonly contentId: string | undefined;
  /** As it was before it was encoded; a calendar file as text in UTF-8. */
  readonly content: Buffer;
}

/** A mail as a person looks at it. */
export interface MailParts {
  readonly headers: readonly MailHeader[];
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly calendar: { readonly method: string | undefined; readonly content: string } | undefined;
  readonly attachments: readonly AttachedFile[];
}

/** Never throws: of what can't be read, the bytes are still there to look at. */
export async function readParts(raw: Buffer): Promise<MailParts> {
  const mail = await PostalMime.parse(raw).catch(() => undefined);
  if (!mail) return { headers: [], text: undefined, html: undefined, calendar: undefined, attachments: [] };
  const calendar = mail.attachments.find(isCalendarPart);
  return {
    headers: mail.headers.map(({ originalKey, value }, index) => ({
      name: originalKey,
      value: decodeWords(value),
      raw: mail.headerLines[index]?.line ?? '',
    })),
    text: mail.text,
    html: mail.html,
    calendar: calendar && { method: calendar.method, content: bytesOf(calendar).toString() },
    attachments: mail.attachments.filter((each) => each !== calendar).map(toFile),
  };
}

/** Only the head is read: it is all that a list needs, however large the mail. */
export async function readSubject(raw: Buffer): Promise<string> {
  const end = raw.indexOf('\r\n\r\n');
  const mail = await PostalMime.parse(end < 0 ? raw : raw.subarray(0, end + 2)).catch(() => undefined);
  // Neither database nor terminal should meet control characters in a line of text.
  return (mail?.subject ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, LONGEST_SUBJECT)
    .toWellFormed();
}

const LONGEST_SUBJECT = 998;

/** An invitation stands beside text and html; a calendar file is attached. */
const isCalendarPart = ({ mimeType, disposition }: Attachment): boolean =>
  mimeType === 'text/calendar' && disposition !== 'attachment';

function toFile(attachment: Attachment): AttachedFile {
  const content = bytesOf(attachment);
  return {
    filename: attachment.filename,
    contentType: attachment.mimeType,
    size: content.length,
    contentId: attachment.contentId?.replace(/^<(.*)>$/, '$1'),
    content,
  };
}

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' || content instanceof ArrayBuffer
    ? Buffer.from(content as string)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
