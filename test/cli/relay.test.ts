import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { freePorts } from '../../scripts/services/ports.mjs';
import { CutLine } from '../cut-line.js';
import { databases, type FreshDatabase } from '../databases.js';
import { useBroker } from '../relay/broker.js';
import { Cli } from './cli.js';

const CERTIFICATE = fileURLToPath(new URL('../fixtures/tls/cert.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../fixtures/tls/key.pem', import.meta.url));
const { fresh } = databases.find(({ name }) => name === 'PostgreSQL')!;

describe('relay, as a process', () => {
  const broker = useBroker();
  let database: FreshDatabase;
  let box: Pillarbox;
  let cli: Cli;
  let directory: string | undefined;

  beforeEach(async () => {
    await broker.stranger.purge();
    database = await fresh();
    cli = new Cli({
      DATABASE_URL: database.url,
      PILLARBOX_SECRET: 'a secret for tests, of some length',
      AMQP_URL: broker.url,
    });
    box = await createPillarbox({ databaseUrl: database.url });
  });
  afterEach(async () => {
    await cli.close();
    await box.stop();
    await database.drop();
    if (directory !== undefined) await rm(directory, { recursive: true });
    directory = undefined;
  });

  const put = async () =>
    (await box.outbox.enqueue({ to: 'ada@example.org', subject: 'Hello', text: 'Hello.' })).id;

  test('passes mail on, tells on PORT how it is, also without the broker, and ends with 0 on SIGTERM', async () => {
    const [port = 0] = await freePorts(1);
    const line = await CutLine.to(broker.url);
    const relay = cli.with({ PORT: String(port), AMQP_URL: line.url }).start(['relay', '--json']);
    await relay.said(/"passing mail on"/);
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const statusOf = async (path: string) => (await ask(path)).status;
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    expect(await (await ask('/readyz')).json()).toMatchObject({ data: { database: 'up', broker: 'up' } });
    const id = await put();
    expect((await broker.stranger.takeNext(QUEUES.send)).body).toMatchObject({ emailId: id, attempt: 1 });
    await relay.said(new RegExp(`"emailId":"${id}".*"action":"published"`));
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/^pillarbox_relay_published_total\{kind="first"\} 1$/m);
    expect(metrics).toMatch(/^pillarbox_relay_confirm_seconds_count 1$/m);
    expect(metrics).toMatch(/^pillarbox_broker_up 1$/m);
    expect(metrics).toMatch(/^pillarbox_broker_blocked 0$/m);

    line.die();
    await expect.poll(() => statusOf('/readyz')).toBe(503);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await (await ask('/metrics')).text()).toMatch(/^pillarbox_broker_up 0$/m);
    line.revive();
    await expect.poll(() => statusOf('/readyz')).toBe(200);

    relay.tell('SIGTERM');
    const { code, stdout } = await relay.ended;
    expect({ code, said: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      said: { published: 1, returned: 0 },
    });
    await line.close();
  });

  test('over TLS, with an authority of its own; not without it', async () => {
    const [port = 0] = await freePorts(1);
    await listenWithTls(port);
    const url = new URL(broker.url);
    const secure = cli.with({ AMQP_URL: `amqps://localhost:${port}${url.pathname}` });
    const trusting = secure.with({ NODE_EXTRA_CA_CERTS: CERTIFICATE });
    const checked = await trusting.runAlone(['doctor', '--no-verify']);
    expect(checked.stdout).toMatch(/^● broker {5}RabbitMQ \S+ answers/m);
    const id = await put();
    const relay = trusting.start(['relay']);
    expect((await broker.stranger.takeNext(QUEUES.send)).body).toMatchObject({ emailId: id });
    relay.tell('SIGTERM');
    expect((await relay.ended).code).toBe(0);
    const { stdout } = await secure.runAlone(['doctor', '--no-verify']);
    expect(stdout).toMatch(/^■ broker {5}AMQP_URL: nobody answers \(\w*SELF_SIGNED\w*\)$/m);
  });

  /** The broker's own listener, beside the one it has. */
  async function listenWithTls(port: number): Promise<void> {
    // Whoever the broker runs as must be able to read them.
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-tls-'));
    await chmod(directory, 0o755);
    const [certfile, keyfile] = await Promise.all(
      [CERTIFICATE, KEY].map(async (file) => {
        const copy = join(directory!, basename(file));
        await copyFile(file, copy);
        await chmod(copy, 0o644);
        return copy;
      }),
    );
    await broker.control.evaluate(
      `rabbit_networking:ensure_ssl(), rabbit_networking:start_ssl_listener({"127.0.0.1", ${port}}, ` +
        `[{certfile, "${certfile}"}, {keyfile, "${keyfile}"}], 2).`,
    );
  }

  test('without a broker it says what it needs', async () => {
    const { code, stderr } = await new Cli({ DATABASE_URL: database.url }).run(['relay']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('AMQP_URL') as string,
    });
  });

  test('doctor looks at the queues: kind, who takes from them, what lies in them', async () => {
    const { stranger } = broker;
    const look = async () => (await cli.run(['doctor', '--no-verify'])).stdout;
    stranger.put('left over');
    stranger.channel.sendToQueue(QUEUES.rejected, Buffer.from('x'));
    await expect.poll(() => stranger.count(QUEUES.send)).toBe(1);
    const found = await look();
    expect(found).toMatch(/^■ broker {5}email\.dispatcher\.send holds 1 and nobody takes them\./m);
    expect(found).toMatch(
      /^◆ broker {5}email\.dispatcher\.rejected holds 1 payloads that could not be read$/m,
    );
    await stranger.channel.deleteQueue(QUEUES.dead);
    const differs = async (options: object) => {
      await stranger.channel.assertQueue(QUEUES.dead, options);
      const stdout = await look();
      await stranger.channel.deleteQueue(QUEUES.dead);
      return stdout;
    };
    expect(await differs({ durable: false })).toMatch(
      /^■ broker .*dead is no plain durable queue: .*durable/m,
    );
    expect(await differs({ durable: true, maxLength: 5 })).toMatch(
      /^◆ broker .*dead is no plain durable queue/m,
    );
    await stranger.declare();
  });
});
