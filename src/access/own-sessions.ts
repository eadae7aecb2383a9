import { createHash } from 'node:crypto';
import { formatId, parseId } from '../core/ids.js';
import { PillarboxError } from '../core/errors.js';
import { endSession, listSessions } from '../store/scripts/sessions.js';
import type { Store } from '../store/store.js';
import { isOver } from './session-age.js';
import { hashToken } from './token.js';

/** One place where somebody is logged in. */
export interface OwnSession {
  readonly id: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly seenAt: number;
  /** The one that asks. */
  readonly current: boolean;
}

const ID_BYTES = 6;

/** Where one person is logged in, for himself to look at and to end. */
export class OwnSessions {
  constructor(
    private readonly store: Store,
    private readonly userId: number,
    /** Of the session that asks. */
    private readonly token: string,
    private readonly now: () => number,
  ) {}

  /** Last used first. */
  async list(): Promise<readonly OwnSession[]> {
    const own = hashToken(this.token);
    return (await this.#present()).map(({ hash, createdAt, seenAt }) => ({
      id: formatId('session', numberOf(hash)),
      createdAt,
      seenAt,
      current: hash === own,
    }));
  }

  /** Throws `not_found` for whatever is not a session of this person. */
  async end(id: string): Promise<void> {
    const number = parseId('session', id);
    const meant = (await this.#present()).find(({ hash }) => numberOf(hash) === number);
    if (!meant) throw new PillarboxError('not_found', 'there is no such session of yours, or it has ended');
    await this.store.transaction(() => endSession(this.store, meant.hash));
  }

  async #present() {
    const now = this.now();
    const sessions = await this.store.read(listSessions(this.store, this.userId));
    return sessions.filter((session) => !isOver(session, now));
  }
}

/** Sessions have no number of their own. This one follows from what is stored, and nothing follows from it. */
function numberOf(hash: string): number {
  return createHash('sha256').update(`session id ${hash}`).digest().readUIntBE(0, ID_BYTES) + 1;
}
