import { connect, type Channel, type ChannelModel } from 'amqplib';
import { afterAll, beforeAll } from 'vitest';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { controlRabbitmq, type RabbitmqControl } from '../../scripts/services/rabbitmq-control.mjs';
import { PATIENCE_MS } from '../patience.js';
import { required } from '../postgres.js';

export interface Letter {
  readonly body: unknown;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly persistent: boolean;
}

/** A broker as a stranger sees it, who knows nothing but the names of its queues. */
export class Stranger {
  private constructor(
    private readonly connection: ChannelModel,
    readonly channel: Channel,
  ) {}

  static async connect(url: string): Promise<Stranger> {
    const connection = await connect(url);
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    return new Stranger(connection, channel);
  }

  put(body: string | Buffer | object, headers: Record<string, unknown> = {}): void {
    const bytes =
      typeof body === 'string' || Buffer.isBuffer(body)
        ? Buffer.from(body)
        : Buffer.from(JSON.stringify(body));
    this.channel.sendToQueue(QUEUES.send, bytes, { persistent: true, headers });
  }

  /** The next one; undefined: there is none. */
  async take(queue: string): Promise<Letter | undefined> {
    const got = await this.channel.get(queue, { noAck: true });
    if (!got) return undefined;
    const { content, properties } = got;
    return {
      body: parsed(content.toString('utf8')),
      messageId: String(properties.messageId),
      headers: properties.headers ?? {},
      persistent: properties.deliveryMode === 2,
    };
  }

  /** The next one, waited for. */
  async takeNext(queue: string): Promise<Letter> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const letter = await this.take(queue);
      if (letter) return letter;
      if (performance.now() > deadline) throw new Error(`nothing comes to ${queue}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async count(queue: string): Promise<number> {
    return (await this.channel.checkQueue(queue)).messageCount;
  }

  /** Makes them as they are documented: plain and durable. */
  async declare(options: object = {}): Promise<void> {
    for (const queue of Object.values(QUEUES)) await this.declareOne(queue, options);
  }

  async declareOne(queue: string, options: object = {}): Promise<void> {
    await this.channel.assertQueue(queue, { durable: true, ...options });
  }

  async purge(): Promise<void> {
    for (const queue of Object.values(QUEUES)) await this.channel.purgeQueue(queue);
  }

  async close(): Promise<void> {
    await this.connection.close().catch(() => undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** For a file: a virtual host of its own, because the names of queues are the same everywhere. */
export function useBroker() {
  let control: RabbitmqControl;
  let url: string;
  let stranger: Stranger;
  beforeAll(async () => {
    control = await controlRabbitmq(required('TEST_RABBITMQ_DESCRIPTOR'));
    url = await control.virtualHost();
    stranger = await Stranger.connect(url);
    await stranger.declare();
  });
  afterAll(() => stranger.close());
  return {
    get control() {
      return control;
    },
    get url() {
      return url;
    },
    get stranger() {
      return stranger;
    },
  };
}
