import { PillarboxError } from '../errors.js';
import {
  addSession,
  countFailures,
  forgetLoginFailures,
  forgetOldSessions,
  noteLoginFailure,
  tooManyFailures,
} from '../store/scripts/sessions.js';
import { changePassword, findUserByEmail, lockUser } from '../store/scripts/users.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { checkPassword, hashPassword, verifyPassword } from './password.js';
import { personOf } from './person.js';
import { LONGEST_SESSION_MS } from './session-age.js';
import { hashToken, makeToken } from './token.js';

/** Done with the hash that was looked at. False: another one stands there by now. */
type Deed = (verified: string | null | undefined, now: number) => Promise<boolean>;

interface Refusal {
  readonly text: string;
  readonly field?: string;
}

const WINDOW_MS = 15 * 60_000;
/** Of one address, and of one place from which many are tried. */
const FAILURES_OF_ADDRESS = 10;
const FAILURES_OF_PLACE = 100;
const FEW_LEFT = 3;

/**
 * Turns a password into a session, and slows down whoever guesses. Failures are counted in the database, for all
 * processes and over a restart. Tries for one address are made one after another: a thousand at once are not a
 * thousand guesses.
 */
export class LogIns {
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #tryingFrom = new Map<string, number>();

  constructor(private readonly store: Store) {}

  /** The token of a new session. */
  async make(email: string, password: string, place: string): Promise<string> {
    const address = personOf(email);
    const token = makeToken();
    const begin: Deed = (verified, now) => this.store.transaction(this.#begin(address, verified, token, now));
    await this.#whoKnows(address, password, place, begin, { text: 'the address or the password is wrong' });
    return token;
  }

  /** All sessions end but the one that is kept. */
  async changePassword(
    email: string,
    { current, password }: { readonly current: string; readonly password: string },
    keptSession: string,
    place: string,
  ): Promise<void> {
    const address = personOf(email);
    checkPassword(password);
    const replace: Deed = async (verified) => {
      const hash = await hashPassword(password);
      return this.store.transaction(this.#replace(address, verified, hash, keptSession));
    };
    await this.#whoKnows(address, current, place, replace, {
      text: 'current: the password is wrong',
      field: 'current',
    });
  }

  /** Does it for him who knows the password. Everybody else is counted. */
  async #whoKnows(
    address: string,
    password: string,
    place: string,
    deed: Deed,
    otherwise: Refusal,
  ): Promise<void> {
    const trying = this.#tryingFrom.get(place) ?? 0;
    if (trying >= FAILURES_OF_PLACE) throw tooMany(1);
    this.#tryingFrom.set(place, trying + 1);
    try {
      await this.#inTurn(address, () => this.#try(address, password, place, deed, otherwise));
    } finally {
      const left = (this.#tryingFrom.get(place) ?? 1) - 1;
      if (left > 0) this.#tryingFrom.set(place, left);
      else this.#tryingFrom.delete(place);
    }
  }

  async #try(
    address: string,
    password: string,
    place: string,
    deed: Deed,
    otherwise: Refusal,
  ): Promise<void> {
    const { store } = this;
    const now = Date.now();
    await this.#throttle(ofAddress(address), FAILURES_OF_ADDRESS, now);
    await this.#throttle(ofPlace(place), FAILURES_OF_PLACE, now);
    const user = await store.read(findUserByEmail(store, address));
    const right = await verifyPassword(password, user?.password);
    if (right && (await deed(user?.password, now))) return;
    for (const subject of [ofAddress(address), ofPlace(place)]) {
      await store.transaction(noteLoginFailure(store, subject, now, WINDOW_MS));
    }
    const { text, field } = otherwise;
    const triesLeft = await this.#fewLeft(address, now);
    throw new PillarboxError('wrong_credentials', text, { triesLeft, ...(field !== undefined && { field }) });
  }

  /** False: the password was changed while we looked at the old one. */
  *#begin(address: string, verified: string | null | undefined, token: string, now: number): Script<boolean> {
    const { store } = this;
    const user = yield* lockUser(store, address);
    if (!user || user.password !== verified) return false;
    yield* forgetOldSessions(store, now - LONGEST_SESSION_MS);
    yield* addSession(store, hashToken(token), user.id, now);
    yield* forgetLoginFailures(store, ofAddress(address));
    return true;
  }

  /** False: as above. */
  *#replace(
    address: string,
    verified: string | null | undefined,
    hash: string,
    keptSession: string,
  ): Script<boolean> {
    const { store } = this;
    const user = yield* lockUser(store, address);
    if (!user || user.password !== verified) return false;
    yield* changePassword(store, user.id, hash, keptSession);
    yield* forgetLoginFailures(store, ofAddress(address));
    return true;
  }

  /** Said while there is still something to be careful with. The same for an address that nobody has. */
  async #fewLeft(address: string, now: number): Promise<number | undefined> {
    const since = now - WINDOW_MS;
    const failures = await this.store.read(countFailures(this.store, ofAddress(address), since));
    const left = Math.max(0, FAILURES_OF_ADDRESS - failures);
    return left <= FEW_LEFT ? left : undefined;
  }

  async #throttle(subject: string, limit: number, now: number): Promise<void> {
    const oldest = await this.store.read(tooManyFailures(this.store, subject, limit, now - WINDOW_MS));
    if (oldest === undefined) return;
    throw tooMany(Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1_000)));
  }

  #inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#turns.get(subject) ?? Promise.resolve()).then(work);
    const over = mine.then(nothing, nothing);
    this.#turns.set(subject, over);
    void over.then(() => {
      if (this.#turns.get(subject) === over) this.#turns.delete(subject);
    });
    return mine;
  }
}

const ofAddress = (address: string): string => `email ${address}`;
const ofPlace = (place: string): string => `place ${place}`;
const nothing = (): undefined => undefined;

const tooMany = (retryAfterSeconds: number): PillarboxError =>
  new PillarboxError('too_many_attempts', 'too many failed log-ins; wait a while', { retryAfterSeconds });
