import { formatId, parseId } from '../core/ids.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import {
  countCaught,
  findCaught,
  forgetCaught,
  listCaught,
  type CaughtMail,
  type CaughtSummary,
} from '../store/scripts/caught.js';
import type { Store } from '../store/store.js';
import { readParts, type MailParts } from './mail-parts.js';

/** As everybody outside of the database knows it. */
export type Caught<Mail extends CaughtSummary = CaughtSummary> = Omit<Mail, 'id'> & { readonly id: string };

export const present = <Mail extends CaughtSummary>(mail: Mail): Caught<Mail> => ({
  ...mail,
  id: formatId('caught', mail.id),
});

/** What the catcher took, in this or any other process on the same database. */
export class Inbox {
  constructor(
    private readonly store: Store,
    /** Where the catcher takes mail, if it runs in this process. */
    readonly smtpUrl?: string,
  ) {}

  /** Newest first. */
  async list(page: {
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<{ readonly items: readonly Caught[]; readonly nextCursor: string | null }> {
    const { limit, cursor } = page;
    const before = cursor === undefined ? undefined : (parseId('caught', cursor) ?? badCursor());
    const items = (await this.store.read(listCaught(this.store, { before, limit }))).map(present);
    return { items, nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** Throws `not_found`, also for a mail that has made room for newer ones. */
  async read(id: string): Promise<Caught<CaughtMail> & MailParts> {
    const number = parseId('caught', id);
    const mail = number === undefined ? undefined : await this.store.read(findCaught(this.store, number));
    if (!mail) throw new PillarboxError('not_found', `there is no caught mail ${id.slice(0, 40)}`);
    return { ...present(mail), ...(await readParts(mail.raw)) };
  }

  count(): Promise<number> {
    return this.store.read(countCaught(this.store));
  }

  /** Answers how many there were. */
  clear(): Promise<number> {
    return this.store.transaction(() => forgetCaught(this.store));
  }
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}
