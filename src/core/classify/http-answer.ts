import { READ_AT_MOST } from './rules.js';

/** What the body of an error says, whichever provider's shape it has. */
export interface ErrorWords {
  /** Machine-readable reasons in lower case: `userratelimitexceeded`, `invalid_grant`, `too_many_requests`. */
  readonly reasons: ReadonlySet<string>;
  /** What is meant for people, in the provider's own case. */
  readonly text: string;
}

const REASON_KEYS: ReadonlySet<string> = new Set(['reason', 'status', 'type', 'code', 'name', 'error']);
const TEXT_KEYS: ReadonlySet<string> = new Set(['message', 'error', 'error_description', 'detail', 'title']);

/** Enough for every documented shape; a hostile body ends the walk, not the process. */
const VISIT_AT_MOST = 200;

/**
 * Reads Google's `{ error: { errors: [{ reason }], status, message } }`, OAuth's `{ error, error_description }`,
 * RFC 7807's `{ type, title, detail }` and the flat `{ name, message }` of others, without caring which it is.
 */
export function readErrorWords(body: unknown): ErrorWords {
  const reasons = new Set<string>();
  const texts: string[] = typeof body === 'string' ? [body.slice(0, READ_AT_MOST)] : [];
  const open: unknown[] = [body];
  for (let visited = 0; visited < VISIT_AT_MOST && open.length > 0; visited += 1) {
    const node = open.shift();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(Array.isArray(node) ? node.slice(0, VISIT_AT_MOST) : node)) {
      if (typeof value === 'object') open.push(value);
      if (typeof value !== 'string') continue;
      if (REASON_KEYS.has(key)) addReason(reasons, value);
      if (TEXT_KEYS.has(key)) texts.push(value.slice(0, READ_AT_MOST));
    }
  }
  return { reasons, text: [...new Set(texts)].join(' ').slice(0, READ_AT_MOST) };
}

function addReason(reasons: Set<string>, value: string): void {
  const reason = value.slice(0, 128).toLowerCase();
  reasons.add(reason);
  // RFC 7807 types are paths: `provider/too_many_requests`.
  reasons.add(reason.slice(reason.lastIndexOf('/') + 1));
}
