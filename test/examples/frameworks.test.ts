import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { mailRoutes } from '../../examples/express/app.js';
import { buildApp, type Tables } from '../../examples/fastify/app.js';
import { GET as sendEmails } from '../../examples/next/app/api/cron/send-emails/route.js';
import { POST as postOrder } from '../../examples/next/app/api/orders/route.js';
import type { thePost } from '../../examples/next/mail.js';
import { CatcherScene } from '../catcher/fixture.js';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { freshDatabase } from '../postgres.js';

const ORDER = { id: '4711', email: 'ada@example.org', item: 'a violin' };

let database: FreshDatabase;
let scene: CatcherScene;
let pool: pg.Pool;
const ending: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  const far = await freshSqlite();
  scene = await CatcherScene.open(far.url);
  pool = new pg.Pool({ connectionString: database.url });
  await pool.query('create table orders (id text primary key, email text not null, item text not null)');
  ending.push(
    () => database.drop(),
    () => far.drop(),
    () => scene.close(),
    () => pool.end(),
  );
});

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  vi.unstubAllEnvs();
});

const orders = async () => (await pool.query<typeof ORDER>('select * from orders')).rows;

async function openBox(): Promise<Pillarbox> {
  const box = await createPillarbox({
    databaseUrl: database.url,
    smtpUrl: scene.url,
    from: 'Shop <shop@example.org>',
    graceSeconds: 1,
  });
  ending.push(() => box.stop());
  return box;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Calls a handler as Express does. */
class FakeExpress {
  readonly #handlers = new Map<string, (request: { body: unknown }, response: never) => Promise<void>>();

  post(path: string, handle: (request: { body: unknown }, response: never) => Promise<void>): void {
    this.#handlers.set(path, handle);
  }

  async call(path: string, body: unknown): Promise<Reply> {
    const reply = { status: 200, body: undefined as unknown };
    const response = {
      status: (code: number) => {
        reply.status = code;
        return response;
      },
      json: (sent: unknown) => {
        reply.body = sent;
      },
    };
    await this.#handlers.get(path)!({ body }, response as never);
    return reply;
  }
}

describe('with Express', () => {
  test('a mail on request has left when the answer comes, and leaves once', async () => {
    const app = new FakeExpress();
    mailRoutes(app, await openBox(), pool);
    expect(await app.call('/welcome', { email: 'ada@example.org' })).toMatchObject({
      status: 200,
      body: { delivered: true },
    });
    expect(await app.call('/welcome', { email: 'ada@example.org' })).toMatchObject({
      status: 200,
      body: { duplicate: true },
    });
    expect(await scene.subjects()).toEqual(['Welcome']);
  });

  test('an order and its mail are stored together or not at all', async () => {
    const app = new FakeExpress();
    const box = await openBox();
    mailRoutes(app, box, pool);
    const { body } = await app.call('/orders', ORDER);
    const { mailId } = body as { mailId: string };
    expect(await box.messages.get(mailId)).toMatchObject({ state: 'scheduled', subject: 'Order 4711' });

    await expect(app.call('/orders', { ...ORDER, id: '4712', email: 'nobody' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(app.call('/orders', { ...ORDER, email: 'bob@example.org' })).rejects.toMatchObject({
      code: '23505',
    });
    expect(await orders()).toEqual([ORDER]);
    expect((await box.messages.list()).items).toHaveLength(1);
    expect(pool.idleCount).toBe(pool.totalCount);
  });
});

describe('with Fastify', () => {
  test('an order is stored with its mail, which the worker of the application sends', async () => {
    const box = await openBox();
    const ofApp = new pg.Pool({ connectionString: database.url });
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: ofApp }) });
    const app = buildApp(box, db);
    ending.push(() => app.close());
    const reply = await app.inject({ method: 'POST', url: '/orders', payload: ORDER });
    expect(reply.statusCode).toBe(201);
    const { mailId } = reply.json<{ mailId: string }>();
    await vi.waitFor(async () => expect(await box.messages.get(mailId)).toMatchObject({ state: 'sent' }), {
      timeout: PATIENCE_MS,
    });
    expect(await scene.subjects()).toEqual(['Order 4711']);

    const refused = await app.inject({
      method: 'POST',
      url: '/orders',
      payload: { ...ORDER, id: '2', email: 'x' },
    });
    expect([refused.statusCode, refused.json<{ field: string }>().field]).toEqual([400, 'to']);
    expect(await orders()).toEqual([ORDER]);

    const welcome = await app.inject({ method: 'POST', url: '/welcome', payload: { email: ORDER.email } });
    expect([welcome.statusCode, welcome.json<object>()]).toMatchObject([200, { delivered: true }]);
  });
});

describe('with route handlers of Next.js', () => {
  const cron = (authorization?: string) =>
    sendEmails(
      new Request('http://127.0.0.1/api/cron/send-emails', {
        headers: { ...(authorization && { authorization }) },
      }),
    );
  const order = (body: string) =>
    postOrder(new Request('http://127.0.0.1/api/orders', { method: 'POST', body }));

  beforeEach(() => {
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('SMTP_URL', scene.url);
    vi.stubEnv('MAIL_FROM', 'Shop <shop@example.org>');
    vi.stubEnv('CRON_SECRET', 'a secret of the timer');
    ending.push(async () => {
      const kept = globalThis as { post?: ReturnType<typeof thePost> | undefined };
      await (await kept.post?.box)?.stop();
      await kept.post?.pool.end();
      kept.post = undefined;
    });
  });

  test('an order waits with its mail until the timer calls', async () => {
    const reply = await order(JSON.stringify(ORDER));
    expect(reply.status).toBe(201);
    expect(await scene.subjects()).toEqual([]);
    const passed = await cron('Bearer a secret of the timer');
    expect(await passed.json()).toMatchObject({ claimed: 1, sent: 1 });
    expect(await scene.subjects()).toEqual(['Order 4711']);
    expect(await orders()).toEqual([ORDER]);
  });

  test('what is wrong with an order is said, and nothing is stored', async () => {
    expect((await order('{')).status).toBe(400);
    expect((await order(JSON.stringify({ ...ORDER, item: 7 }))).status).toBe(400);
    const refused = await order(JSON.stringify({ ...ORDER, email: 'nobody' }));
    expect([refused.status, await refused.json()]).toMatchObject([400, { field: 'to' }]);
    expect(await orders()).toEqual([]);
  });

  test('nobody but the timer makes it send', async () => {
    expect((await cron()).status).toBe(401);
    expect((await cron('Bearer something else')).status).toBe(401);
    vi.stubEnv('CRON_SECRET', '');
    expect((await cron('Bearer ')).status).toBe(401);
  });
});
