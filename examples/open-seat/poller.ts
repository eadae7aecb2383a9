import { setTimeout as wait } from 'node:timers/promises';
import type { Pillarbox } from 'pillarbox';
import { openedSince, topicOf, type Opened, type Section } from './sections.js';

export interface PollerOptions {
  /** Answers `{ sections: […] }`. */
  readonly feedUrl: string;
  readonly everyMs: number;
  readonly warn: (error: unknown) => void;
}

/**
 * Watches a feed and publishes what opens. What it saw is remembered only once all of it is published: if that fails, the
 * next look publishes it again, and its key makes the two one event. It remembers in memory; what opens while it does not
 * run is not told.
 */
export class Poller {
  #before = new Map<string, Section['status']>();
  readonly #stop = new AbortController();

  constructor(
    private readonly events: Pick<Pillarbox['events'], 'publish'>,
    private readonly options: PollerOptions,
  ) {}

  /** One look. Answers how many events it published. Throws if the feed can't be read; then nothing is remembered. */
  async look(): Promise<number> {
    const reply = await fetch(this.options.feedUrl, { signal: AbortSignal.timeout(10_000) });
    if (!reply.ok) throw new Error(`the feed answered ${String(reply.status)}`);
    const { sections } = (await reply.json()) as { readonly sections: readonly Section[] };
    const opened = openedSince(this.#before, sections);
    for (const each of opened) await this.#publish(each);
    this.#before = new Map(sections.map((section) => [topicOf(section), section.status]));
    return opened.length;
  }

  /** Until it is stopped. A look that fails is made again. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.look().catch(this.options.warn);
      await wait(this.options.everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  async #publish({ section, statusBefore }: Opened): Promise<void> {
    const { status, ...facts } = section;
    const topic = topicOf(section);
    await this.events.publish({
      ...{ type: 'section.opened', topic, dedupeKey: `${topic}:${status}` },
      template: { id: 'open-seat' },
      payload: { ...facts, statusBefore, statusAfter: status, detectedBy: 'poller' },
    });
  }
}
