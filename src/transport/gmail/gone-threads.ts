import { readErrorWords } from '../../core/classify/http-answer.js';
import type { ApiEnd } from '../api/answer.js';

/** More threads than anybody deletes between two mails; one that is forgotten is found to be gone once more. */
const MOST = 1_000;

/**
 * Threads that are in this mailbox no longer: their owner has deleted them. A mail that continues one is refused as a
 * whole, although all that it needs of it, `In-Reply-To` and `References`, stands in the mail. So it leaves without.
 */
export class GoneThreads {
  readonly #gone = new Set<string>();

  /** The thread to name, if it can be named. */
  among(threadId: string | undefined): string | undefined {
    return threadId !== undefined && this.#gone.has(threadId) ? undefined : threadId;
  }

  add(threadId: string): void {
    const [oldest] = this.#gone;
    if (oldest !== undefined && this.#gone.size >= MOST) this.#gone.delete(oldest);
    this.#gone.add(threadId);
  }
}

/** To a mail that named a thread: it is the thread that is not there (404), or never was one (400). Nothing left. */
export function saysThreadIsGone(end: ApiEnd): boolean {
  if (!('answer' in end)) return false;
  const { status, body } = end.answer;
  return status === 404 || (status === 400 && /thread[ _]?id/i.test(readErrorWords(body).text));
}
