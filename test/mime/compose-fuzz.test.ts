import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Mail, Mailbox } from '#pillarbox/core/mail';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { toWire } from '#pillarbox/transport/smtp/wire';
import { anyMail, anyStamp } from './mails.js';

/** Another seed is another 2,000 mails: `FUZZ_SEED=7 npx vitest run test/mime`. */
const seed = Number(process.env['FUZZ_SEED'] ?? 42);
const MANY = { numRuns: 2_000, seed };
const SOME = { numRuns: 500, seed };

/** Final line ends may come and go on the way through a parser; nothing else may. */
const textOf = (value: string | undefined): string =>
  (value ?? '').replace(/\r\n?|\n/g, '\n').replace(/\n*$/, '');

interface Read {
  readonly subject: string;
  readonly names: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly calendar: string;
  readonly files: readonly { filename: string; content: string }[];
}

const nameOf = (mailbox: Mailbox): string => (mailbox.name ?? '').trim();

/** What a reader should see: the mail as it was given, up to outer blanks and final line ends. */
function expected(mail: Mail): Read {
  return {
    subject: mail.subject.trim(),
    names: [mail.from, mail.to, ...(mail.cc ?? []), ...(mail.replyTo ? [mail.replyTo] : [])].map(nameOf),
    text: textOf(mail.text),
    html: textOf(mail.html),
    calendar: textOf(mail.ics?.content),
    files: (mail.attachments ?? [])
      .map((file) => ({ filename: file.filename.trim(), content: file.contentBase64 }))
      .sort(byName),
  };
}

const byName = (
  a: { filename: string; content: string },
  b: { filename: string; content: string },
): number => (`${a.filename}${a.content}` < `${b.filename}${b.content}` ? -1 : 1);

async function readByMailparser(bytes: Buffer): Promise<Read> {
  const mail = await simpleParser(bytes, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  });
  const namesIn = (header: typeof mail.to): string[] =>
    [header ?? []].flat().flatMap((addresses) => addresses.value.map((address) => address.name.trim()));
  const isCalendar = (file: { contentType: string }): boolean => file.contentType === 'text/calendar';
  return {
    subject: (mail.subject ?? '').trim(),
    names: [mail.from, mail.to, mail.cc, mail.replyTo].flatMap(namesIn),
    text: textOf(mail.text),
    html: textOf(mail.html === false ? '' : mail.html),
    calendar: textOf(mail.attachments.find(isCalendar)?.content.toString()),
    files: mail.attachments
      .filter((file) => !isCalendar(file))
      .map((file) => ({ filename: (file.filename ?? '').trim(), content: file.content.toString('base64') }))
      .sort(byName),
  };
}

async function readByPostalMime(bytes: Buffer): Promise<Read> {
  const mail = await PostalMime.parse(bytes);
  const addresses = [mail.from ? [mail.from] : [], mail.to, mail.cc, mail.replyTo].flatMap(
    (list) => list ?? [],
  );
  const contentOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);
  const isCalendar = (file: { mimeType: string }): boolean => file.mimeType === 'text/calendar';
  const calendar = mail.attachments.find(isCalendar);
  return {
    subject: (mail.subject ?? '').trim(),
    names: addresses.map((address) => address.name.trim()),
    text: textOf(mail.text),
    html: textOf(mail.html),
    calendar: calendar === undefined ? '' : textOf(contentOf(calendar.content).toString()),
    files: mail.attachments
      .filter((file) => !isCalendar(file))
      .map((file) => ({
        filename: (file.filename ?? '').trim(),
        content: contentOf(file.content).toString('base64'),
      }))
      .sort(byName),
  };
}

test('what two parsers read is what was given', async () => {
  await fc.assert(
    fc.asyncProperty(anyMail, anyStamp, async (mail, stamp) => {
      const bytes = toBytes(compose(mail, stamp));
      const wanted = expected(mail);
      expect(await readByMailparser(bytes)).toEqual(wanted);
      expect(await readByPostalMime(bytes)).toEqual(wanted);
    }),
    MANY,
  );
});

test('every mail is 7-bit, in CRLF lines of at most 78, and none begins with a dot', () => {
  const isLong = (line: string): boolean => line.length > (line.startsWith('List-Unsubscribe: ') ? 997 : 78);
  fc.assert(
    fc.property(anyMail, anyStamp, (mail, stamp) => {
      const bytes = toBytes(compose(mail, stamp));
      const raw = bytes.toString('latin1');
      expect(raw).not.toMatch(/[^\t\r\n -~]|\r(?!\n)|(?<!\r)\n/);
      expect(raw).not.toMatch(/(?:^|\r\n)(?:\.|From )|[ \t]\r\n/);
      expect(raw.endsWith('\r\n')).toBe(true);
      expect(raw.split('\r\n').filter(isLong)).toEqual([]);
      // Nothing to stuff: as many octets travel as were composed, and the dot.
      const wire = toWire(bytes);
      const travelled = [...(wire?.slices ?? []), wire?.last ?? Buffer.alloc(0)];
      expect(travelled.reduce((sum, piece) => sum + piece.length, 0)).toBe(bytes.length + 3);
    }),
    MANY,
  );
});

test('encoded-words stay within 75, their lines within 76, and hold whole characters', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  fc.assert(
    fc.property(anyMail, anyStamp, (mail, stamp) => {
      for (const line of compose(mail, stamp).head.split('\r\n')) {
        for (const [word, kind, content] of line.matchAll(/=\?UTF-8\?([QB])\?([^? ]*)\?=/g)) {
          expect(word.length).toBeLessThanOrEqual(75);
          expect(line.length).toBeLessThanOrEqual(76);
          const bytes =
            kind === 'B'
              ? Buffer.from(content ?? '', 'base64')
              : Buffer.from(
                  (content ?? '').replace(/=(..)/g, (_, hex: string) =>
                    String.fromCharCode(parseInt(hex, 16)),
                  ),
                  'latin1',
                );
          decoder.decode(bytes);
        }
      }
    }),
    SOME,
  );
});

test('a mail composed twice, also after it was stored, is the same to the byte', () => {
  fc.assert(
    fc.property(anyMail, anyStamp, (mail, stamp) => {
      const stored = JSON.parse(JSON.stringify(mail)) as Mail;
      expect(toBytes(compose(stored, stamp)).equals(toBytes(compose(mail, stamp)))).toBe(true);
    }),
    SOME,
  );
});

test('Bcc is nowhere in a mail', () => {
  fc.assert(
    fc.property(anyMail, anyStamp, (mail, stamp) => {
      const raw = toBytes(compose(mail, stamp)).toString();
      expect(raw).not.toMatch(/^bcc/im);
      expect(raw).not.toMatch(/hidden\.example|Secret/);
    }),
    SOME,
  );
});
