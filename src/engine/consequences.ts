import { consequencesOf } from '../core/outcome.js';
import { OutageLog, type Logger } from '../log/log.js';
import { endBounced, writeConsequences, type Consequence } from '../store/scripts/consequences.js';
import { enrolledAmong } from '../store/scripts/enrolments.js';
import type { Store } from '../store/store.js';
import { PatientWriter } from './patient-writer.js';
import { pauseAfter, type Pauses } from './pauses.js';
import type { Result } from './result.js';

/** How often to try what the database refuses: the result it belongs to waits for it. */
const TRIES = 3;
/** On SQLite nobody else has a turn while it is written. */
const LARGEST_GROUP = 100;

interface Bounced {
  readonly workspaceId: number;
  readonly address: string;
}

/**
 * Writes what results mean for accounts and addresses, those of many results in one commit. A database that is away is
 * waited for; what it refuses is given up after a few tries and told, because a result is worth more than what follows
 * from it.
 */
export class Consequences {
  readonly #writer: PatientWriter<Consequence, true>;
  readonly #ends: PatientWriter<Bounced, true>;

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
    // Looked up together, ended one by one: whoever plans or holds many of them takes them in another order.
    const end = async (bounced: readonly Bounced[]) => {
      const now = await store.now();
      for (const { workspaceId, address } of await store.read(enrolledAmong(store, bounced)))
        await store.transaction(() => endBounced(store, workspaceId, address, now));
      return bounced.map(() => true as const);
    };
    this.#ends = new PatientWriter(end, pauses, outage, { largest: LARGEST_GROUP });
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
    const id = message.id;
    const written = await Promise.all(
      found.map((each) => this.#write(each.kind, () => this.#writer.write(each), id)),
    );
    const { workspaceId } = message;
    for (const address of new Set([...(suppress ?? []), ...(softBounces ?? [])]))
      await this.#write('end', () => this.#ends.write({ workspaceId, address }), id);
    if (pauseAccount && written.some((done) => done)) {
      this.#tellOfPause(accountId, pauseAccount.reason);
    }
    if (coolAccount) sender.cooldowns += 1;
  }

  #tellOfPause(accountId: number, reason: string): void {
    this.log.error({ accountId, reason }, 'paused an account; its mail waits for a person');
  }

  async #write(
    kind: Consequence['kind'] | 'end',
    write: () => Promise<true | undefined>,
    message: number,
  ): Promise<boolean> {
    for (let failures = 0; ; failures += 1) {
      try {
        return (await write()) ?? false;
      } catch (error) {
        if (failures + 1 < TRIES) {
          await this.pauses.take(pauseAfter(failures));
          continue;
        }
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
