import {
  findCaught,
  forgetCaught,
  listCaught,
  type CaughtMail,
  type CaughtSummary,
} from '../store/scripts/caught.js';
import type { Store } from '../store/store.js';
import { readParts, type MailParts } from './mail-parts.js';

/** What the catcher took, in this or any other process on the same database. */
export class Inbox {
  constructor(private readonly store: Store) {}

  /** Newest first; the next page begins `before` the last id of this one. */
  list(page: {
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<readonly CaughtSummary[]> {
    return this.store.read(listCaught(this.store, page));
  }

  /** Undefined: there is no such mail, or it has made room for newer ones. */
  async read(id: number): Promise<(CaughtMail & MailParts) | undefined> {
    const mail = await this.store.read(findCaught(this.store, id));
    return mail && { ...mail, ...(await readParts(mail.raw)) };
  }

  /** Answers how many there were. */
  clear(): Promise<number> {
    return this.store.transaction(forgetCaught(this.store));
  }
}
