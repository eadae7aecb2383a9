import { setTimeout as sleep } from 'node:timers/promises';
import { fieldOf, isSuccess, type ApiEnd } from '../api/answer.js';
import type { LookupAnswer, Outgoing } from '../transport.js';

/** Runs one search over the mailbox: how many were found on its first page, undefined if it can't be told. */
export type Search = (query: string) => Promise<number | undefined>;

/** Clocks differ; a mail must not hide before the instant that we look from. */
const SLACK_SECONDS = 600;
/** What Gmail's search language takes as one word, whatever stands in it. */
const PLAIN_ADDRESS = /^[\w.+-]+@[\w.-]+$/;

/**
 * Is it among the sent mails? It is asked several times, because what was taken a moment ago may take a while to be
 * found. Gmail does not always keep the Message-ID that it was given: that ours is not there proves nothing while
 * any other mail to the same person is, so only then the answer is that it was not sent.
 */
export async function searchSent(
  message: Outgoing,
  search: Search,
  { waitsMs, signal }: { readonly waitsMs: readonly number[]; readonly signal: AbortSignal },
): Promise<LookupAnswer> {
  const ours = `rfc822msgid:${message.messageId.slice(1, -1)} in:sent`;
  for (const waitMs of [0, ...waitsMs]) {
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    const found = await search(ours);
    if (found === undefined) return 'unknown';
    if (found > 0) return 'sent';
  }
  const { email } = message.mail.to;
  if (!PLAIN_ADDRESS.test(email)) return 'unknown';
  const since = Math.floor(Math.min(message.date, Date.now()) / 1_000) - SLACK_SECONDS;
  return (await search(`in:sent to:${email} after:${String(since)}`)) === 0 ? 'unsent' : 'unknown';
}

/** Of `messages.list`. An answer that can't be read says nothing, also not that there is nothing. */
export function countOf(end: ApiEnd): number | undefined {
  if (!('answer' in end) || !isSuccess(end.answer) || !end.answer.whole) return undefined;
  const { body } = end.answer;
  if (typeof body !== 'object' || body === null) return undefined;
  const messages = fieldOf(body, 'messages');
  if (messages === undefined) return 0;
  return Array.isArray(messages) ? messages.length : undefined;
}
