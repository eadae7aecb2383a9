/** What a server said it can do, in its last EHLO. */
export interface Capabilities {
  readonly startTls: boolean;
  readonly pipelining: boolean;
  /** RFC 3030: a mail may come with its size, in the same group as its envelope. */
  readonly chunking: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly size: boolean;
  /** The largest mail it takes; undefined when it names no limit. */
  readonly sizeLimit: number | undefined;
  readonly authMechanisms: ReadonlySet<string>;
}

/** From the lines of a 250 to EHLO. The first is the server's name; HELO gives no more than that. */
export function parseCapabilities(lines: readonly string[]): Capabilities {
  const offered = new Map<string, readonly string[]>();
  for (const line of lines.slice(1)) {
    // "AUTH=LOGIN" is how servers wrote it before there was a standard, and some still do.
    const [keyword = '', ...parameters] = line.trim().toUpperCase().split(/[ =]+/);
    offered.set(keyword, [...(offered.get(keyword) ?? []), ...parameters]);
  }
  const limit = Number(offered.get('SIZE')?.[0] ?? 0);
  return {
    startTls: offered.has('STARTTLS'),
    pipelining: offered.has('PIPELINING'),
    chunking: offered.has('CHUNKING'),
    eightBitMime: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    size: offered.has('SIZE'),
    sizeLimit: Number.isSafeInteger(limit) && limit > 0 ? limit : undefined,
    authMechanisms: new Set(offered.get('AUTH')),
  };
}
