import { startCatcher, type Catcher } from '../catcher/catcher.js';
import type { Logger } from '../log/log.js';
import type { Store } from '../store/store.js';
import { Dice } from './dice.js';
import { rulesAt } from './provider-rules.js';

const MINUTE_MS = 60_000;

/**
 * Where the accounts of the demo send to: a catcher with a character. It takes most mails, and they stand in the
 * inbox; what it does to the others real servers do too, and every answer in a history is really its own.
 */
export class Provider {
  readonly #dice = new Dice(7);
  #catcher: Catcher | undefined;

  constructor(
    private readonly store: Store,
    private readonly log: Logger,
  ) {}

  /** Answers its URL. Only this machine can reach it. */
  async open(): Promise<string> {
    const { store, log } = this;
    this.#catcher ??= await startCatcher({ store, port: 0, log, random: () => this.#dice.throw() });
    return this.#catcher.url;
  }

  /** From the next mail on it is as it was, or will be, so long after the birth of the demo. */
  behaveAsAt(ageMs: number): void {
    this.#catcher?.behave(...rulesAt(ageMs / MINUTE_MS));
  }

  async close(): Promise<void> {
    await this.#catcher?.close();
    this.#catcher = undefined;
  }
}
