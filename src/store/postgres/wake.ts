import pg from 'pg';
import { OutageLog, type Logger } from '../../log/log.js';

const RECONNECT_MS = [100, 250, 500, 1_000, 2_000];
/** A half-open connection looks alive for ever unless it is asked. */
const PROBE_EVERY_MS = 10_000;

/**
 * Listens for the channel numbers that enqueuing transactions announce. A restart of PostgreSQL is survived: it
 * connects again and then wakes everybody once, for what was announced meanwhile. Losing a wake-up costs
 * latency, never mail: workers also look by themselves.
 */
export class WakeListener {
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #troubles: OutageLog;

  constructor(
    /** Undefined: there is only a pooler, and nobody to be woken by. */
    private readonly url: string | undefined,
    private readonly topic: string,
    private readonly wake: (channelId: number | undefined) => void,
    log: Logger,
  ) {
    this.#troubles = new OutageLog(
      log,
      'lost the wake-up connection; workers poll until it is back',
      'the wake-up connection is back',
    );
  }

  /** Resolves once it listens, or once the first try has failed and another is planned. */
  async open(failures = 0): Promise<void> {
    if (this.#closed || this.url === undefined) return;
    const client = new pg.Client({ connectionString: this.url, keepAlive: true, query_timeout: 5_000 });
    let ended = false;
    const end = (error?: Error) => {
      if (ended) return;
      ended = true;
      void client.end().catch(() => undefined);
      this.#retry(failures, error);
    };
    client.on('error', end);
    client.on('end', () => {
      end();
    });
    client.on('notification', ({ payload }) => {
      this.wake(payload ? Number(payload) : undefined);
    });
    // Before it is connected: one that still tries when we close must not keep the process.
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.topic)}`);
      failures = 0;
      this.#troubles.worked();
      this.#timer = setInterval(() => void client.query('select 1').catch(end), PROBE_EVERY_MS).unref();
      this.wake(undefined);
    } catch (error) {
      end(error as Error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #retry(failures: number, error: Error | undefined): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#troubles.failed(error);
    const wait = RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)] ?? 2_000;
    this.#timer = setTimeout(() => void this.open(failures + 1), wait).unref();
  }
}
