import { hash, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Composed } from './compose.js';
import type { DkimKey } from './dkim-key.js';
import { foldedHeader } from './headers.js';

/** What a signature covers where it is there. RFC 8058 wants both List-Unsubscribe headers among them. */
const SIGNED = [
  ...['from', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['list-unsubscribe', 'list-unsubscribe-post', 'list-id', 'feedback-id', 'auto-submitted'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
];

// With a callback the signature is made in libuv's threads: an RSA signature costs more than all else in a mail.
const signInThread = promisify(signBytes);

/**
 * The mail with a DKIM-Signature on top, relaxed/relaxed. Rejects rather than answering an unsigned mail. The same
 * mail and key give the same bytes. For a second signature, sign the result again with another key.
 */
export async function sign(composed: Composed, key: DkimKey): Promise<Composed> {
  const { field, input } = signatureInput(composed, key);
  const signature =
    key.algorithm === 'rsa-sha256'
      ? await signInThread('sha256', input, key.privateKey)
      : // RFC 8463: Ed25519 signs the SHA-256 of the input, not the input.
        await signInThread(null, hash('sha256', input, 'buffer'), key.privateKey);
  const value = signature.toString('base64').replace(/.{72}(?=.)/g, '$&\r\n ');
  return { ...composed, head: `${field}${value}\r\n${composed.head}` };
}

/** The header up to the empty `b=`, and the bytes that are signed. */
function signatureInput(composed: Composed, key: DkimKey): { field: string; input: Buffer } {
  const fields = relaxedFields(composed.head);
  const covered = SIGNED.filter((name) => fields.has(name));
  // From once more than it occurs: a second one, added on the way, breaks the signature.
  const names = [...covered, 'from'].join(':');
  const tags = foldedHeader('DKIM-Signature', [
    ...['v=1;', `a=${key.algorithm};`, 'c=relaxed/relaxed;', `d=${key.domain};`, `s=${key.selector};`],
    ...(`h=${names};`.match(/.{1,60}[:;]/g) ?? []),
    `bh=${bodyHash(composed.body)};`,
  ]);
  const field = `${tags} b=`;
  const lines = covered.map((name) => `${name}:${fields.get(name) ?? ''}\r\n`).join('');
  const own = relaxed(field.slice(field.indexOf(':') + 1));
  return { field, input: Buffer.from(`${lines}dkim-signature:${own}`) };
}

function relaxedFields(head: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of head.split(/\r\n(?![ \t])/)) {
    const colon = field.indexOf(':');
    if (colon > 0) fields.set(field.slice(0, colon).toLowerCase(), relaxed(field.slice(colon + 1)));
  }
  return fields;
}

const relaxed = (value: string): string => value.replace(/[ \t\r\n]+/g, ' ').trim();

function bodyHash(body: string): string {
  const canonical = body.replace(/[ \t]+/g, ' ').replace(/ \r\n/g, '\r\n');
  let end = canonical.length;
  while (canonical.endsWith('\r\n', end)) end -= 2;
  // Empty lines at the end do not count, and a body of nothing else is hashed as nothing.
  const text = end === 0 ? '' : `${canonical.slice(0, end)}\r\n`;
  return hash('sha256', text, 'base64');
}
