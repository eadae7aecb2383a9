import { setImmediate as othersFirst } from 'node:timers/promises';
import { AUDIT_DAYS } from '../core/delivery-settings.js';
import type { Logger } from '../log/log.js';
import { AGED, AGED_IN_WORKSPACE, forgetAged } from '../store/scripts/ages.js';
import { forgetEvents, forgetHistories } from '../store/scripts/events.js';
import { forgetAudit } from '../store/scripts/audit.js';
import { eraseInFlight, isErasing } from '../store/scripts/erase.js';
import { forgetIdleCauses } from '../store/scripts/idle-causes.js';
import { giveBackLeftOver } from '../store/scripts/reservations.js';
import { forgetOldImports } from '../store/scripts/imports.js';
import { readKeptDays } from '../store/scripts/settings.js';
import {
  expireWaiting,
  foldTallies,
  forgetFinished,
  forgetStragglers,
  isExpiring,
  keepMsIn,
} from '../store/scripts/sweep.js';
import { forgetRelayMinutes } from '../store/scripts/relay-minutes.js';
import { forgetWorkers } from '../store/scripts/workers.js';
import { listWorkspaceIds } from '../store/scripts/workspaces.js';
import type { Store } from '../store/store.js';

const EXPIRE_AT_ONCE = 500;
const EXPIRE_ROUNDS = 20;
const ROWS_AT_ONCE = 500;
/** Each may have a large payload. */
const EVENTS_AT_ONCE = 50;
const DAY_MS = 24 * 3_600_000;
const FOLD_EVERY_MS = 20_000;
const ROUND_EVERY_MS = 3_600_000;
/** What a worker of the version before may have left over, and how often to look for it. */
const LEFT_OVER_MS = 60_000;
/** Of a turn. The rest of the second belongs to the mail. */
const TURN_MS = 30;

/** One short transaction. True: there is more of it to do. */
type Step = () => Promise<boolean>;

/**
 * The slow chores of the queue. Any number of workers may do them at the same time. What grows is gone through once
 * an hour, in steps: a few in each turn, and whoever has more to do goes to the end of the line, so that a workspace
 * with a million old messages does not keep the others waiting.
 */
export class Sweeper {
  readonly #line: Step[] = [];
  #foldAt = 0;
  #roundAt = 0;
  #leftOverAt = 0;

  constructor(
    private readonly store: Store,
    private readonly retentionMs: number,
    private readonly log: Logger,
  ) {}

  async sweep(): Promise<void> {
    const { store } = this;
    const now = await store.now();
    const rounds = (await store.read(isExpiring(store, now))) ? EXPIRE_ROUNDS : 0;
    for (let round = 0; round < rounds; round += 1) {
      if ((await store.transaction(() => expireWaiting(store, now, EXPIRE_AT_ONCE))) < EXPIRE_AT_ONCE) break;
      await othersFirst();
    }
    if (performance.now() >= this.#foldAt) {
      const more = await store.transaction(() => foldTallies(store, now));
      if (!more) this.#foldAt = performance.now() + FOLD_EVERY_MS;
    }
    if (performance.now() >= this.#leftOverAt) {
      const before = now - LEFT_OVER_MS * store.speed;
      const more = await store.transaction(() => giveBackLeftOver(store, before, ROWS_AT_ONCE));
      if (!more) this.#leftOverAt = performance.now() + LEFT_OVER_MS;
    }
    if (await store.read(isErasing(store, now)))
      await store.wipe(() => eraseInFlight(store, now, ROWS_AT_ONCE));
    await this.#workOff();
  }

  async #workOff(): Promise<void> {
    if (this.#line.length === 0) {
      if (performance.now() < this.#roundAt) return;
      await this.#lineUp();
      this.#roundAt = performance.now() + ROUND_EVERY_MS;
    }
    const until = performance.now() + TURN_MS;
    for (let step = this.#line.shift(); step; step = this.#line.shift()) {
      // A step that fails is tried again in the next round: it must not stand in the way of the others.
      if (await step()) this.#line.push(step);
      if (performance.now() >= until) return;
      await othersFirst();
    }
  }

  async #lineUp(): Promise<void> {
    const { store } = this;
    for (const aged of AGED)
      this.#line.push(async () => {
        const now = await store.now();
        return store.wipe(() => forgetAged(store, aged, now, ROWS_AT_ONCE));
      });
    this.#line.push(async () => {
      await store.transaction(() => forgetWorkers(store));
      await store.transaction(() => forgetRelayMinutes(store));
      return false;
    });
    this.#line.push(async () => {
      const now = await store.now();
      return store.wipe(() => forgetOldImports(store, now));
    });
    this.#line.push(async () => {
      const now = await store.now();
      return store.wipe(() => forgetHistories(store, now, ROWS_AT_ONCE));
    });
    for (const id of await store.read(listWorkspaceIds(store))) this.#line.push(...this.#stepsOf(id));
    this.#line.push(() => this.#forgetStragglers());
  }

  #stepsOf(workspaceId: number): readonly Step[] {
    const { store } = this;
    let cause: string | undefined = '';
    let event: number | undefined;
    return [
      () => this.#forgetFinished(workspaceId),
      async () => {
        const keepMs = await store.read(keepMsIn(store, workspaceId, this.retentionMs));
        const keeping = { now: await store.now(), keepMs };
        const from = event ?? 0;
        event = await store.wipe(() => forgetEvents(store, workspaceId, from, keeping, EVENTS_AT_ONCE));
        return event !== undefined;
      },
      async () => {
        const { auditDays = AUDIT_DAYS } = await store.read(readKeptDays(store, workspaceId));
        const before = (await store.now()) - auditDays * DAY_MS;
        return store.wipe(() => forgetAudit(store, workspaceId, before, ROWS_AT_ONCE));
      },
      ...AGED_IN_WORKSPACE.map((aged) => async () => {
        const now = await store.now();
        return store.transaction(() => forgetAged(store, aged, now, ROWS_AT_ONCE, workspaceId));
      }),
      async () => {
        const now = await store.now();
        const from = cause ?? '';
        cause = await store.wipe(() => forgetIdleCauses(store, workspaceId, from, now, ROWS_AT_ONCE));
        return cause !== undefined;
      },
    ];
  }

  async #forgetFinished(workspaceId: number): Promise<boolean> {
    const { store } = this;
    const keepMs = await store.read(keepMsIn(store, workspaceId, this.retentionMs));
    const keeping = { now: await store.now(), keepMs };
    const { forgotten, more } = await store.wipe(() =>
      forgetFinished(store, workspaceId, keeping, ROWS_AT_ONCE),
    );
    this.#tell(forgotten);
    return more;
  }

  async #forgetStragglers(): Promise<boolean> {
    const { store, retentionMs: keepMs } = this;
    const keeping = { now: await store.now(), keepMs };
    const { forgotten, more } = await store.wipe(() => forgetStragglers(store, keeping, ROWS_AT_ONCE));
    this.#tell(forgotten);
    return more;
  }

  #tell(messages: number): void {
    if (messages > 0) this.log.info({ messages }, 'forgot old messages');
  }
}
