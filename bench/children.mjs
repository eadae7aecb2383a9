// @ts-check
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
export const PROFILES = fileURLToPath(new URL('./results/profiles', import.meta.url));
/** Nothing that is measured here takes nearly as long. */
const PATIENCE_MS = 900_000;

/** @typedef {{ kind: string } & Record<string, any>} Message */

/**
 * A process that plays one role (a file of `roles/`). Everything that is measured runs in one of its own, so that
 * no contender inherits another's heap, or shares its event loop with whoever holds the watch.
 */
export class Child {
  /** @type {Map<string, ((message: Message) => void)[]>} */
  #waiting = new Map();
  /** @type {Map<string, (message: Message) => void>} */
  #listening = new Map();
  /** @type {Message[]} */
  #unheard = [];
  /** @type {Set<(error: Error) => void>} */
  #failing = new Set();
  /** @type {Error | undefined} */
  #failure;

  /**
   * @param {string} role
   * @param {Record<string, unknown>} args
   */
  constructor(role, args) {
    const execArgv = Child.profiling ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : [];
    this.process = fork(CHILD, [role, JSON.stringify(args)], { execArgv });
    this.process.on('message', (message) => this.#hear(/** @type {Message} */ (message)));
    this.process.once('error', (error) => this.#fail(error));
    /** @type {Promise<void>} */
    this.gone = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => {
        this.#fail(new Error(`the process that played ${role} ended with ${signal ?? code}`));
        resolve();
      });
    });
  }

  /** Whether children write CPU profiles. */
  static profiling = false;

  /** @param {Message} message */
  tell(message) {
    this.process.send(message);
  }

  /**
   * The next message of a kind, also if it came before anyone asked.
   *
   * @param {string} kind
   * @returns {Promise<Message>}
   */
  heard(kind) {
    const place = this.#unheard.findIndex((message) => message.kind === kind);
    if (place >= 0) return Promise.resolve(/** @type {Message} */ (this.#unheard.splice(place, 1)[0]));
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`nobody said ${kind}`)), PATIENCE_MS);
      const fail = (/** @type {Error} */ error) => {
        clearTimeout(late);
        reject(error);
      };
      this.#failing.add(fail);
      const waiting = this.#waiting.get(kind) ?? [];
      this.#waiting.set(kind, waiting);
      waiting.push((message) => {
        clearTimeout(late);
        this.#failing.delete(fail);
        resolve(message);
      });
    });
  }

  /**
   * Every message of a kind, as it comes.
   *
   * @param {string} kind
   * @param {(message: Message) => void} listen
   */
  onEach(kind, listen) {
    this.#listening.set(kind, listen);
  }

  /** Ends it in good order; by force if that takes too long. */
  async end() {
    if (this.process.connected) this.process.disconnect();
    const late = setTimeout(() => this.process.kill('SIGKILL'), 15_000);
    await this.gone;
    clearTimeout(late);
  }

  /** @param {Message} message */
  #hear(message) {
    const next = this.#listening.get(message.kind) ?? this.#waiting.get(message.kind)?.shift();
    if (next) next(message);
    else this.#unheard.push(message);
  }

  /** @param {Error} error */
  #fail(error) {
    this.#failure = error;
    for (const fail of this.#failing) fail(error);
    this.#failing.clear();
  }
}

/**
 * Plays a role from beginning to end and gives its result.
 *
 * @param {string} role
 * @param {Record<string, unknown>} args
 */
export async function play(role, args) {
  const child = new Child(role, args);
  try {
    return await child.heard('result');
  } finally {
    await child.end();
  }
}
