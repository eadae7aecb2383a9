import { createParser } from 'eventsource-parser';
import { workspaceHeaders } from './client';

export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

interface Listener {
  onOpen(): void;
  onEvent(event: StreamEvent): void;
  /** A pause before the next try; null: trying now. */
  onDown(retryInMs: number): void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** The server says something every 15 s; a line that is silent for longer is dead. */
const SILENCE_MS = 40_000;

/**
 * Listens until the signal says stop, and comes back by itself. Not the browser's EventSource: that one can name no
 * workspace, and does not say whether it was refused or cut off.
 */
export async function listenToStream(signal: AbortSignal, listener: Listener): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    await once(signal, lastId, {
      opened: () => {
        failures = 0;
        listener.onOpen();
      },
      heard: (id, event) => {
        lastId = id ?? lastId;
        listener.onEvent(event);
      },
    }).catch(() => undefined);
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures += 1;
    listener.onDown(waitMs);
    await pause(waitMs, signal);
  }
}

async function once(
  signal: AbortSignal,
  lastId: string | undefined,
  on: { opened(): void; heard(id: string | undefined, event: StreamEvent): void },
): Promise<void> {
  const silence = new AbortController();
  const hangUp = () => silence.abort();
  signal.addEventListener('abort', hangUp);
  let timer = setTimeout(hangUp, SILENCE_MS);
  try {
    const headers = { ...workspaceHeaders(), ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const response = await fetch('/api/stream', {
      headers,
      signal: silence.signal,
      credentials: 'same-origin',
    });
    if (!response.ok || !response.body) return;
    on.opened();
    const parser = createParser({
      onEvent: ({ id, event, data }) =>
        on.heard(id, { event: event ?? 'message', data: JSON.parse(data) as unknown }),
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(hangUp, SILENCE_MS);
      parser.feed(chunk.value);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', hangUp);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
    // Somebody plugged the cable in again.
    addEventListener('online', () => resolve(), { once: true, signal });
  });
