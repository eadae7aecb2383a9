import { randomBytes } from 'node:crypto';
import { formatId } from '../../core/ids.js';
import type { Logger } from '../../log/log.js';
import type { EventView } from '../../notifications/events.js';
import { presentEventProgress } from '../../presentation/event.js';
import { markNow, recentChanges, CHANGES_TOLD, type Mark } from '../../store/scripts/recent-changes.js';
import { workspaceFigures } from '../../store/scripts/queue-figures.js';
import type { Store } from '../../store/store.js';

/** What listeners are told. The id says how much of it a listener has heard. */
export interface StreamEvent {
  readonly id: string;
  readonly event: 'snapshot' | 'counts' | 'message' | 'event';
  readonly data: unknown;
}

const LOOK_EVERY_MS = 1_000;
/** A commit may come after the instant that stands in it. */
const OVERLAP_MS = 2_000;

/** Events that are looked at: the newest, and those that are still being told; so many of each. */
const EVENTS_WATCHED = 20;

/** Looks at one workspace once a second while somebody listens, however many they are. */
export class Watch {
  /** Another watch, also one of another process, never gives an id of this one. */
  readonly #name = randomBytes(6).toString('hex');
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #version = 0;
  #counts: string | undefined;
  /** By id, as they were told last. */
  #events: ReadonlyMap<string, string> = new Map();
  #mark: Mark = { newest: 0, at: 0 };
  #triesSeen: ReadonlySet<string> = new Set();
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly log: Logger,
    private readonly events: (most: number) => Promise<readonly EventView[]>,
  ) {}

  get listeners(): number {
    return this.#listeners.size;
  }

  /** How things stand, and the id of having heard so. */
  async snapshot(): Promise<StreamEvent> {
    // What nobody listened to was not looked at either.
    if (this.#timer === undefined) await this.#look();
    const counts = JSON.parse(this.#counts ?? '{}') as unknown;
    const at = new Date(this.#mark.at).toISOString();
    return { id: this.#id(), event: 'snapshot', data: { at, counts } };
  }

  /** Hears of everything from now on, until the answer is called. */
  listen(hear: (event: StreamEvent) => void): () => void {
    this.#listeners.add(hear);
    this.#timer ??= this.#later();
    return () => {
      this.#listeners.delete(hear);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.#look()
        .catch((error: unknown) => this.log.debug({ err: error }, 'could not look for changes'))
        .finally(() => {
          if (this.#timer) this.#timer = this.#later();
        });
    }, LOOK_EVERY_MS).unref();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const counts = JSON.stringify(await store.read(workspaceFigures(store, workspaceId)));
    const events = new Map(
      (await this.events(EVENTS_WATCHED)).map((view) => {
        const shown = presentEventProgress(view);
        return [shown.id, JSON.stringify(shown)];
      }),
    );
    if (this.#counts === undefined) {
      this.#events = events;
      this.#mark = await store.read(markNow(store, workspaceId, now));
      this.#counts = counts;
      return;
    }
    const { newest, at } = this.#mark;
    const since = { newest, at: at - OVERLAP_MS * store.speed };
    const changes = await store.read(recentChanges(store, workspaceId, since, now));
    const keyOf = ({ id, lease }: { id: number; lease: number }) => `${id} ${lease}`;
    const tried = changes.tries.filter((each) => !this.#triesSeen.has(keyOf(each)));
    this.#triesSeen = new Set(changes.tries.map(keyOf));
    this.#mark = changes.mark;
    const ids = [...new Set([...changes.added, ...tried.map(({ id }) => id)])];
    const more = changes.added.length === CHANGES_TOLD || changes.tries.length === CHANGES_TOLD;
    if (ids.length > 0) this.#tell('message', { ids: ids.map((id) => formatId('message', id)), more });
    if (counts !== this.#counts) {
      this.#counts = counts;
      this.#tell('counts', JSON.parse(counts));
    }
    const moved = [...events].filter(([id, shown]) => this.#events.get(id) !== shown);
    this.#events = events;
    if (moved.length > 0)
      this.#tell('event', { events: moved.map(([, shown]) => JSON.parse(shown) as unknown) });
  }

  #tell(event: StreamEvent['event'], data: unknown): void {
    this.#version += 1;
    for (const hear of this.#listeners) hear({ id: this.#id(), event, data });
  }

  #id(): string {
    return `${this.#name}.${this.#version}`;
  }
}
