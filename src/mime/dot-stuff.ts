const DOT = 0x2e;

/**
 * A mail as SMTP's DATA wants it: after it the final dot may follow, and nothing inside it can be taken for one.
 *
 * What the composer writes has no line that begins with a dot: then this is a search that finds nothing, and the
 * same bytes come back. Anything else may have bare CR or LF beside a dot, which careless servers take for the end
 * of the mail; its line ends are all made CRLF before its dots are doubled.
 */
export function dotStuff(bytes: Buffer): Buffer {
  const ended = bytes.length >= 2 && bytes.readUInt16BE(bytes.length - 2) === 0x0d0a;
  if (ended && bytes[0] !== DOT && !bytes.includes('\n.') && !bytes.includes('\r.')) return bytes;
  const lines = bytes.toString('latin1').split(/\r\n?|\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return Buffer.from(
    lines.map((line) => (line.startsWith('.') ? `.${line}\r\n` : `${line}\r\n`)).join(''),
    'latin1',
  );
}
