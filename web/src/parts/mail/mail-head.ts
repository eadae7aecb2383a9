export interface MailHeader {
  readonly name: string;
  /** On one line, and with its encoded words read. */
  readonly value: string;
  /** The lines as they came. */
  readonly raw: string;
}

/** The headers of a mail, from its bytes as text. Never throws. */
export function readHead(mail: string): readonly MailHeader[] {
  const head = mail.split(/\r?\n\r?\n/, 1)[0] ?? '';
  return head
    .split(/\r?\n(?![ \t])/)
    .filter((raw) => raw.includes(':'))
    .map((raw) => {
      const colon = raw.indexOf(':');
      const value = raw.slice(colon + 1).replaceAll(/\r?\n(?=[ \t])/g, '');
      return { name: raw.slice(0, colon), value: decodeWords(value.trim()), raw };
    });
}

const WORD = /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;
/** Blanks between two encoded words only separate them. */
const BETWEEN = /(\?=)\s+(?==\?[\w-]+(?:\*[\w-]*)?\?[bq]\?)/gi;

const decodeWords = (value: string): string =>
  value.replaceAll(BETWEEN, '$1').replaceAll(WORD, (word, charset: string, kind: string, text: string) => {
    try {
      const bytes =
        kind.toLowerCase() === 'b'
          ? atob(text)
          : text
              .replaceAll('_', ' ')
              .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
      return new TextDecoder(charset).decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
    } catch {
      return word;
    }
  });
