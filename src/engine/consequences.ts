import { consequencesOf } from '../core/outcome.js';
import { OutageLog, type Logger } from '../log/log.js';
import { writeConsequences, type Consequence } from '../store/scripts/consequences.js';
import type { Store } from '../store/store.js';
import { PatientWriter } from './patient-writer.js';
import { pauseAfter, type Pauses } from './pauses.js';
import type { Result } from './result.js';

/** How often to try what the database refuses: the result it belongs to waits for it. */
const TRIES = 3;
/** On SQLite nobody else has a turn while it is written. */
const LARGEST_GROUP = 100;

/**
 * Writes what results mean for accounts and addresses, those of many results in one commit. A database that is away is
 * waited for; what it refuses is given up after a few tries and told, because a result is worth more than what follows
 * from it.
 */
export class Consequences {
  readonly #writer: PatientWriter<Consequence, true>;

  constructor(
    store: Store,
    private readonly pauses: Pauses,
    private readonly log: Logger,
  ) {
    const outage = new OutageLog(
      log,
      'could not store what an error means; trying again',
      'what errors mean can be stored again',
    );
    const write = async (consequences: readonly Consequence[]) => {
      const now = await store.now();
      const stopped = await store.transaction(() => writeConsequences(store, consequences, now));
      for (const { accountId, reason } of stopped) this.#tellOfPause(accountId, reason);
      return consequences.map(() => true as const);
    };
    this.#writer = new PatientWriter(write, pauses, outage, { largest: LARGEST_GROUP });
  }

  /** Resolves when all of them are written, or given up. */
  async of(result: Result): Promise<void> {
    const { report, message, sender } = result;
    const { accountId } = sender;
    const found = contentToKeep(result);
    if (report?.status === 'sent' && sender.cooldowns > 0) {
      sender.cooldowns = 0;
      found.push({ kind: 'forget_cooldowns', accountId });
    }
    const { pauseAccount, coolAccount, suppress, softBounces } = report
      ? consequencesOf(report, message.recipient)
      : {};
    // What this worker has claimed before goes back untried: it would only be told the same.
    if (pauseAccount || coolAccount) sender.blockedTick = performance.now();
    if (pauseAccount) found.push({ kind: 'pause', accountId, ...pauseAccount });
    if (coolAccount) found.push({ kind: 'cool', accountId, ...coolAccount });
    const of = { workspaceId: message.workspaceId, messageId: message.id };
    // That addresses do not exist speaks of them, and, when they are many, of whoever writes to them.
    if (suppress) found.push({ kind: 'bounce', accountId, messageId: message.id });
    for (const address of suppress ?? []) found.push({ kind: 'suppress', ...of, address });
    for (const address of softBounces ?? []) found.push({ kind: 'soft_bounce', ...of, address });
    const written = await Promise.all(found.map((consequence) => this.#write(consequence, message.id)));
    if (pauseAccount && written.some((done) => done)) {
      this.#tellOfPause(accountId, pauseAccount.reason);
    }
    if (coolAccount) sender.cooldowns += 1;
  }

  #tellOfPause(accountId: number, reason: string): void {
    this.log.error({ accountId, reason }, 'paused an account; its mail waits for a person');
  }

  async #write(consequence: Consequence, message: number): Promise<boolean> {
    for (let failures = 0; ; failures += 1) {
      try {
        return (await this.#writer.write(consequence)) ?? false;
      } catch (error) {
        if (failures + 1 < TRIES) {
          await this.pauses.take(pauseAfter(failures));
          continue;
        }
        const { kind } = consequence;
        this.log.error({ err: error, kind, message }, 'what an error means cannot be stored; given up');
        return false;
      }
    }
  }
}

/** Somebody may have these bytes: no other try may say something else. */
const contentToKeep = ({ message, outcome, mayHaveLeft }: Result): Consequence[] =>
  mayHaveLeft && outcome.event !== 'accepted'
    ? [{ kind: 'keep_content', messageId: message.id, mail: JSON.stringify(mayHaveLeft) }]
    : [];
