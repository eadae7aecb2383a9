/** One whole reply of a server: every line present, one code, each line ended. Nothing less is a reply. */
export interface Reply {
  readonly code: number;
  /** Without code and separator, as text: UTF-8 where the bytes are that, else Latin-1. */
  readonly lines: readonly string[];
  /** `5.1.1`, as the server gave it. Where its class disagrees with the code, the code is right. */
  readonly enhanced?: string;
}

/** RFC 5321 allows 512; generous, and still bounded. */
const MAX_LINE_BYTES = 4096;
const MAX_REPLY_BYTES = 64 * 1024;
const MAX_TEXT = 500;

const REPLY_LINE = /^[2-5]\d\d(?:[ -]|$)/;
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3}(?= |$)/;

/**
 * Reads replies out of whatever pieces the network delivers. Strict, because a mail's fate hangs on it: a line
 * that is no reply, a code that changes inside a reply, or a reply without end is a fault, never a guess. After
 * a fault nothing more is read. Holds at most one unfinished reply in memory.
 */
export class ReplyReader {
  #rest = '';
  #code: string | undefined;
  #lines: string[] = [];
  #bytes = 0;
  #fault: string | undefined;

  /** What was wrong with the bytes, once something was. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Bytes were read that do not belong to a whole reply yet. */
  get midReply(): boolean {
    return this.#rest !== '' || this.#code !== undefined;
  }

  /** The replies that this chunk completed, up to the first fault. */
  read(chunk: Buffer): Reply[] {
    const replies: Reply[] = [];
    if (this.#fault !== undefined) return replies;
    const bytes = this.#rest + chunk.toString('latin1');
    let start = 0;
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
      const line = bytes.slice(start, end > start && bytes[end - 1] === '\r' ? end - 1 : end);
      start = end + 1;
      const fault = this.#faultOf(line);
      if (fault !== undefined) {
        this.#fault = fault;
        return replies;
      }
      const reply = this.#take(line);
      if (reply) replies.push(reply);
    }
    this.#rest = bytes.slice(start);
    if (this.#rest.length > MAX_LINE_BYTES) this.#fault = 'a reply line without end';
    return replies;
  }

  #faultOf(line: string): string | undefined {
    if (line.length > MAX_LINE_BYTES) return 'a reply line without end';
    if (!REPLY_LINE.test(line)) return 'a line that is not a reply';
    if (this.#code !== undefined && !line.startsWith(this.#code)) return 'a code that changed inside a reply';
    this.#bytes += line.length + 1;
    return this.#bytes > MAX_REPLY_BYTES ? 'a reply without end' : undefined;
  }

  #take(line: string): Reply | undefined {
    const code = line.slice(0, 3);
    this.#lines.push(decode(line.slice(4)));
    this.#code = code;
    if (line[3] === '-') return undefined;
    const lines = this.#lines;
    this.#code = undefined;
    this.#lines = [];
    this.#bytes = 0;
    return toReply(Number(code), lines);
  }
}

function toReply(code: number, lines: readonly string[]): Reply {
  const enhanced = lines.map((line) => ENHANCED.exec(line)?.[0]).find((found) => found !== undefined);
  return enhanced === undefined ? { code, lines } : { code, lines, enhanced };
}

function decode(line: string): string {
  if (!/[\x80-\xff]/.test(line)) return line;
  const text = Buffer.from(line, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? line : text;
}

/** The server's words for people: one line, no controls, no repeated enhanced codes, at most 500 characters. */
export function replyText(reply: Reply): string {
  return reply.lines
    .map((line) => line.replace(ENHANCED, ''))
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
}

export const isPositive = (reply: Reply): boolean => reply.code >= 200 && reply.code < 300;
export const isRefusal = (reply: Reply): boolean => reply.code >= 400;
/** 421: whatever was asked, the server is closing the channel. */
export const isClosing = (reply: Reply): boolean => reply.code === 421;

/** The server wants fewer connections from us. Providers say so in the same words and with many codes. */
export function wantsFewerConnections(reply: Reply): boolean {
  const text = replyText(reply);
  return (
    reply.code >= 400 &&
    reply.code < 500 &&
    /\b(connections?|sessions?|threads?)\b/i.test(text) &&
    /\b(too many|concurrent|simultaneous|limit|exceed(s|ed)?)\b/i.test(text)
  );
}
