/**
 * Pillarbox in a Fastify application: a worker that starts and stops with it, and a Kysely transaction that holds an
 * order and its mail. In yours:
 *
 *   const box = await createPillarbox({ databaseUrl, smtpUrl, from });
 *   const pool = new pg.Pool({ connectionString: databaseUrl });
 *   const app = buildApp(box, new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
 *   await app.listen({ port: 3000 });
 */
import fastify, { type FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { PillarboxError, type Pillarbox } from 'pillarbox';

export interface Tables {
  readonly orders: { readonly id: string; readonly email: string; readonly item: string };
}

const text = { type: 'string', minLength: 1, maxLength: 200 } as const;
const WELCOME = { type: 'object', required: ['email'], properties: { email: text } } as const;
const ORDER = {
  type: 'object',
  required: ['id', 'email', 'item'],
  properties: { id: text, email: text, item: text },
} as const;

export function buildApp(box: Pillarbox, db: Kysely<Tables>): FastifyInstance {
  const app = fastify();
  app.addHook('onReady', () => box.start());
  // Requests have ended by now; what has not left is handed back to whoever works next.
  app.addHook('onClose', async () => {
    await box.stop();
    await db.destroy();
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof PillarboxError) || error.code !== 'invalid_input') return reply.send(error);
    return reply.code(400).send({ message: error.message, field: error.field });
  });

  app.post<{ Body: { email: string } }>('/welcome', { schema: { body: WELCOME } }, async (request, reply) => {
    const { email } = request.body;
    const result = await box.outbox.send(
      { to: email, subject: 'Welcome', text: 'It is good to have you.' },
      { idempotencyKey: `welcome-${email}` },
    );
    return reply.code('delivered' in result && !result.delivered ? 202 : 200).send(result);
  });

  app.post<{ Body: Tables['orders'] }>('/orders', { schema: { body: ORDER } }, async (request, reply) => {
    const { id, email, item } = request.body;
    const mail = { to: email, subject: `Order ${id}`, text: `Your order of ${item} is on its way.` };
    const enqueued = await db.transaction().execute(async (tx) => {
      await tx.insertInto('orders').values({ id, email, item }).execute();
      return box.outbox.enqueue(mail, { idempotencyKey: `order-${id}`, tx });
    });
    return reply.code(201).send({ mailId: enqueued.id });
  });

  return app;
}
