import { Signal } from '../engine/signal.js';
import type { Caller } from './office.js';

export interface Heard {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Someone who listens to server-sent events over a real connection. */
export class Listener {
  readonly heard: Heard[] = [];
  ended = false;
  readonly #signal = new Signal();
  readonly #patience = new AbortController();

  private constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {}

  static async open(url: string, { headers }: Caller, lastEventId?: string): Promise<Listener> {
    const patience = new AbortController();
    const response = await fetch(url, {
      signal: patience.signal,
      headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    });
    const listener = new Listener(response.status, response.headers);
    listener.#patience.signal.addEventListener('abort', () => patience.abort());
    void listener.#read(response);
    return listener;
  }

  /** Waits for an event that is as wanted, from the first one heard on. */
  async hears(what: string, wanted: (heard: Heard) => boolean): Promise<Heard> {
    await this.#signal.until(what, () => this.heard.some(wanted));
    return this.heard.find(wanted)!;
  }

  over(): Promise<void> {
    return this.#signal.until('the end', () => this.ended);
  }

  close(): void {
    this.#patience.abort();
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) this.#take(block);
        this.#signal.tell();
      }
    } catch {
      // Hung up, by either side.
    }
    this.ended = true;
    this.#signal.tell();
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const event = field('event');
    if (event === undefined) return;
    this.heard.push({ id: field('id'), event, data: JSON.parse(field('data')!) as Heard['data'] });
  }
}
