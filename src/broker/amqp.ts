import type { Duplex } from 'node:stream';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { QueueType } from '../core/dispatch-message.js';

/** Why a message that was published is not in its queue, or may not be. */
export type PublishFailure =
  /** There is no such queue. */
  | 'returned'
  /** The broker says that it could not keep it. */
  | 'nacked'
  /** The connection ended before it was confirmed. */
  | 'lost';

export interface Publication {
  readonly queue: string;
  readonly body: Buffer;
  readonly messageId: string;
  /** Whether a restart of the broker must not lose it. Written down it costs the broker twice as much. */
  readonly persistent: boolean;
  /** The same object for many, where they are the same: the library makes it a prototype, which is not cheap. */
  readonly headers?: Readonly<Record<string, string | number>>;
}

export interface Delivered {
  readonly tag: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface QueueStanding {
  readonly messages: number;
  readonly consumers: number;
}

/** Told when the connection is of no more use; once. */
export type Down = (why: string) => void;

const HEARTBEAT_SECONDS = 10;
const CONNECT_MS = 10_000;
const CLOSE_MS = 1_000;
/** What is published together is written together; Node's own limit would cut it into many small writes. */
const WRITTEN_AT_ONCE = 1024 * 1024;
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 406;

/** One connection to a broker with one channel, until it breaks. It never comes back: the next one is another. */
export class Wire {
  /** The broker takes nothing at the moment: it is short of memory or disk. */
  blocked = false;
  readonly #returned = new Set<string>();
  #down: Down | undefined;
  #closed: Promise<void> | undefined;
  #corked = false;

  private constructor(
    private readonly connection: ChannelModel,
    private readonly channel: ConfirmChannel,
    down: Down,
  ) {
    this.#down = down;
  }

  static async open(url: string, down: Down, name: string): Promise<Wire> {
    const socket = {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_MS,
      writableHighWaterMark: WRITTEN_AT_ONCE,
      clientProperties: { connection_name: name },
    };
    const connection = await connect(withHeartbeat(url), socket);
    // Told twice, as an error and as a close; and what is not listened to would end the process.
    let why: string | undefined;
    connection.on('error', (error: Error) => (why ??= error.message));
    try {
      const channel = await connection.createConfirmChannel();
      const wire = new Wire(connection, channel, down);
      connection.on('close', () => wire.#end(why ?? 'the connection was closed'));
      connection.on('blocked', () => (wire.blocked = true));
      connection.on('unblocked', () => (wire.blocked = false));
      channel.on('error', (error: Error) => (why ??= error.message));
      channel.on('close', () => wire.#end(why ?? 'the channel was closed'));
      channel.on('return', ({ properties }) => wire.#returned.add(String(properties.messageId)));
      return wire;
    } catch (error) {
      void connection.close().catch(() => undefined);
      throw error;
    }
  }

  #end(why: string): void {
    const down = this.#down;
    this.#down = undefined;
    down?.(why);
  }

  /** As the broker introduced itself. */
  get product(): string {
    const { product, version } = this.connection.connection.serverProperties;
    return `${product} ${version}`;
  }

  /**
   * A queue that is there is taken as it is; only a missing one is made. Looked at on a channel of its own: asking for
   * what is not there ends the channel that asks.
   */
  async declare(queue: string, type: QueueType | undefined): Promise<void> {
    if ((await this.standing(queue)) !== undefined) return;
    const args = type === undefined ? {} : { arguments: { 'x-queue-type': type } };
    await this.#aside((channel) => channel.assertQueue(queue, { durable: true, ...args }));
  }

  /** Undefined: there is no such queue. */
  async standing(queue: string): Promise<QueueStanding | undefined> {
    try {
      const { messageCount, consumerCount } = await this.#aside((channel) => channel.checkQueue(queue));
      return { messages: messageCount, consumers: consumerCount };
    } catch (error) {
      if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** How a queue that is there differs from a plain durable one, in the broker's words; undefined: not at all. */
  async differenceOf(queue: string): Promise<string | undefined> {
    try {
      await this.#aside((channel) => channel.assertQueue(queue, { durable: true }));
      return undefined;
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      if (code !== PRECONDITION_FAILED) throw error;
      return /inequivalent arg [^"]*/.exec(message)?.[0] ?? message;
    }
  }

  async #aside<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await this.connection.createChannel();
    channel.on('error', () => undefined);
    const answer = await work(channel);
    await channel.close();
    return answer;
  }

  /** `done` is called once, without a failure when the broker has it. A return comes before its confirm. */
  publish(publication: Publication, done: (failure?: PublishFailure) => void): void {
    const { queue, body, messageId, persistent, headers } = publication;
    const confirmed = (error: unknown) => {
      const returned = this.#returned.delete(messageId);
      if (error === null || error === undefined) done(returned ? 'returned' : undefined);
      else done((error as Error).message.includes('nacked') ? 'nacked' : 'lost');
    };
    try {
      this.#cork();
      this.channel.publish(
        '',
        queue,
        body,
        { persistent, mandatory: true, contentType: 'application/json', messageId, headers },
        confirmed,
      );
    } catch {
      done('lost');
    }
  }

  /** What is published in one turn of the event loop leaves in one write: the library makes one of each frame. */
  #cork(): void {
    const { stream } = this.connection.connection as unknown as { stream?: Duplex };
    if (this.#corked || !stream) return;
    this.#corked = true;
    stream.cork();
    // The library hands its frames over in the next turn.
    setImmediate(() =>
      setImmediate(() => {
        this.#corked = false;
        stream.uncork();
      }),
    );
  }

  /** Answers what ends it; the deliveries that it brought can still be acknowledged. */
  async consume(
    queue: string,
    prefetch: number,
    arrived: (delivered: Delivered) => void,
  ): Promise<() => Promise<void>> {
    await this.channel.prefetch(prefetch);
    // Named by the broker, anew each time: a quorum queue mistakes one that comes back under its name for the one before.
    const { consumerTag } = await this.channel.consume(queue, (message) => {
      // The broker has ended it: the queue was deleted, or its node went away.
      if (!message) return this.#end('the consumer was cancelled by the broker');
      const { fields, content: body, properties } = message;
      arrived({ tag: fields.deliveryTag, body, headers: properties.headers ?? {} });
    });
    return async () => {
      await this.channel.cancel(consumerTag);
    };
  }

  ack(tag: number, upTo: boolean): void {
    if (!this.#down) return;
    try {
      this.channel.ack({ fields: { deliveryTag: tag } } as never, upTo);
    } catch {
      // It has just been closed: what was delivered on it comes again.
    }
  }

  /** In order, but not for long: a broker that hangs must not keep anybody. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#down = undefined;
    const closed = this.connection.close().catch(() => undefined);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    this.#destroy();
  }

  /** At once, whatever is under way: what was not confirmed is lost. */
  drop(why: string): void {
    this.#end(why);
    this.#destroy();
  }

  #destroy(): void {
    const { stream } = this.connection.connection as unknown as { stream?: Duplex };
    stream?.destroy();
  }
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
}
