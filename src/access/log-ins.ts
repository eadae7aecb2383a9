import { MOST_FAILURES, shutUntil, triesLeft, WINDOW_MS, type Failures } from '../core/log-in-throttle.js';
import { PillarboxError } from '../core/errors.js';
import {
  forgetLoginFailures,
  forgetOldLoginFailures,
  lastFailures,
  noteLoginFailure,
} from '../store/scripts/login-failures.js';
import { addSession, forgetOldSessions } from '../store/scripts/sessions.js';
import { changePassword, findUserByEmail, lockUser } from '../store/scripts/users.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { FamiliarPlaces } from './familiar-places.js';
import { checkPassword, type Passwords } from './password.js';
import { personOf } from './person.js';
import { LONGEST_SESSION_MS } from './session-age.js';
import { hashToken, makeToken } from './token.js';

/** Done with the hash that was looked at. False: another one stands there by now. */
type Consequence = (verified: string | null | undefined, now: number) => Promise<boolean>;

interface LogInRefusal {
  readonly text: string;
  readonly field?: string;
}

/** Who tries what, and from where. */
interface Try {
  readonly address: string;
  readonly place: string;
  readonly password: string;
}

const FEW_LEFT = 3;
/** More would fill the line before the door, in which others wait too. */
const AT_ONCE_FROM_PLACE = 32;
const FORGET_EVERY_MS = 60_000;

/**
 * Turns a password into a session, and slows down whoever guesses. Failures are counted in the database, for all
 * processes and over a restart. Tries for one address from one place are made one after another: a thousand at once
 * are not a thousand guesses.
 */
export class LogIns {
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #tryingFrom = new Map<string, number>();
  readonly #familiar = new FamiliarPlaces();
  #forgotAt = 0;

  constructor(
    private readonly store: Store,
    private readonly passwords: Passwords,
  ) {}

  /** The token of a new session. */
  async make(email: string, password: string, place: string): Promise<string> {
    const given = { address: personOf(email), place, password };
    const token = makeToken();
    const begin: Consequence = (verified, now) =>
      this.store.transaction(() => this.#begin(given, verified, token, now));
    await this.#whoKnows(given, begin, { text: 'the address or the password is wrong' });
    return token;
  }

  /** All sessions end but the one that is kept. */
  async changePassword(
    email: string,
    { current, password }: { readonly current: string; readonly password: string },
    keptSession: string,
    place: string,
  ): Promise<void> {
    const given = { address: personOf(email), place, password: current };
    checkPassword(password);
    const replace: Consequence = async (verified) => {
      const hash = await this.passwords.hash(password);
      return this.store.transaction(() => this.#replace(given, verified, hash, keptSession));
    };
    await this.#whoKnows(given, replace, {
      text: 'current: the password is wrong',
      field: 'current',
    });
  }

  /** Does it for him who knows the password. Everybody else is counted. */
  async #whoKnows(given: Try, whenRight: Consequence, otherwise: LogInRefusal): Promise<void> {
    const { place } = given;
    const trying = this.#tryingFrom.get(place) ?? 0;
    if (trying >= AT_ONCE_FROM_PLACE) throw tooMany(1);
    this.#tryingFrom.set(place, trying + 1);
    try {
      await this.#inTurn(ofPair(given), () => this.#try(given, whenRight, otherwise));
    } finally {
      const left = (this.#tryingFrom.get(place) ?? 1) - 1;
      if (left > 0) this.#tryingFrom.set(place, left);
      else this.#tryingFrom.delete(place);
    }
  }

  async #try(given: Try, whenRight: Consequence, otherwise: LogInRefusal): Promise<void> {
    const { store } = this;
    const { address, place, password } = given;
    const now = Date.now();
    const isFamiliar = this.#familiar.has(address, place);
    const until = shutUntil(await store.read(this.#failures(given, now)), isFamiliar);
    if (until !== undefined) throw tooMany(Math.max(1, Math.ceil((until - now) / 1_000)));
    const user = await store.read(findUserByEmail(store, address));
    const right = await this.passwords.verify(password, user?.password);
    if (right && (await whenRight(user?.password, now))) {
      this.#familiar.note(address, place);
      return;
    }
    await store.transaction(() => this.#note(given, now));
    const { text, field } = otherwise;
    const left = triesLeft(await store.read(this.#failures(given, now)), isFamiliar);
    throw new PillarboxError('wrong_credentials', text, {
      // Said while there is still something to be careful with. The same for an address that nobody has.
      triesLeft: left <= FEW_LEFT ? left : undefined,
      ...(field !== undefined && { field }),
    });
  }

  *#failures(given: Try, now: number): Script<Failures> {
    const { store } = this;
    const since = now - WINDOW_MS;
    const { ofPair: pair, ofAddress: address, ofPlace: place } = MOST_FAILURES;
    return {
      ofPair: yield* lastFailures(store, ofPair(given), since, pair),
      ofAddress: yield* lastFailures(store, ofAddress(given), since, address),
      ofPlace: yield* lastFailures(store, ofPlace(given), since, place),
    };
  }

  /** Each failure has cost a password's work, and is gone after a window: there are never many. */
  *#note(given: Try, now: number): Script<void> {
    const { store } = this;
    if (now - this.#forgotAt > FORGET_EVERY_MS) {
      this.#forgotAt = now;
      yield* forgetOldLoginFailures(store, now - WINDOW_MS);
    }
    yield* noteLoginFailure(store, [ofPair(given), ofAddress(given), ofPlace(given)], now);
  }

  /** False: the password was changed while we looked at the old one. */
  *#begin(given: Try, verified: string | null | undefined, token: string, now: number): Script<boolean> {
    const { store } = this;
    const user = yield* lockUser(store, given.address);
    if (!user || user.password !== verified) return false;
    yield* forgetOldSessions(store, now - LONGEST_SESSION_MS);
    yield* addSession(store, hashToken(token), user.id, now);
    yield* forgetLoginFailures(store, ofPair(given));
    return true;
  }

  /** False: as above. */
  *#replace(
    given: Try,
    verified: string | null | undefined,
    hash: string,
    keptSession: string,
  ): Script<boolean> {
    const { store } = this;
    const user = yield* lockUser(store, given.address);
    if (!user || user.password !== verified) return false;
    yield* changePassword(store, user.id, hash, keptSession);
    yield* forgetLoginFailures(store, ofPair(given));
    return true;
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

/** Whatever somebody calls an address, no two of these are the same: a place has no blanks. */
const ofPair = ({ address, place }: Try): string => `pair ${place} ${address}`;
const ofAddress = ({ address }: Try): string => `email ${address}`;
const ofPlace = ({ place }: Try): string => `place ${place}`;
const nothing = (): undefined => undefined;

const tooMany = (retryAfterSeconds: number): PillarboxError =>
  new PillarboxError('too_many_attempts', 'too many failed log-ins; wait a while', { retryAfterSeconds });
