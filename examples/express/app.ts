/**
 * Pillarbox in an Express application. In yours:
 *
 *   const box = await createPillarbox({ databaseUrl, smtpUrl, from });
 *   await box.start();
 *   const app = express().use(express.json());
 *   mailRoutes(app, box, new pg.Pool({ connectionString: databaseUrl }));
 */
import type { Pool } from 'pg';
import type { Pillarbox } from 'pillarbox';

// As much of Express 5 as is needed here: with `import type { Express, Request, Response } from 'express'` these go.
interface Request {
  readonly body: unknown;
}
interface Response {
  status(code: number): Response;
  json(body: unknown): unknown;
}
interface Express {
  post(path: string, handle: (request: Request, response: Response) => Promise<void>): unknown;
}

interface Order {
  readonly id: string;
  readonly email: string;
  readonly item: string;
}

export function mailRoutes(app: Express, box: Pillarbox, pool: Pool): void {
  // Sent while the caller waits, two seconds at most; if the mail server is down it is kept and sent later.
  app.post('/welcome', async ({ body }, response) => {
    const { email } = body as { email: string };
    const result = await box.outbox.send(
      { to: email, subject: 'Welcome', text: 'It is good to have you.' },
      // A form that is posted twice welcomes once.
      { idempotencyKey: `welcome-${email}` },
    );
    response.status('delivered' in result && !result.delivered ? 202 : 200).json(result);
  });

  app.post('/orders', async ({ body }, response) => {
    const order = body as Order;
    response.status(201).json(await placeOrder(box, pool, order));
  });
}

/** The order and its mail in one commit: there is never one without the other. */
async function placeOrder(
  box: Pillarbox,
  pool: Pool,
  { id, email, item }: Order,
): Promise<{ mailId: string }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('insert into orders (id, email, item) values ($1, $2, $3)', [id, email, item]);
    const mail = { to: email, subject: `Order ${id}`, text: `Your order of ${item} is on its way.` };
    const enqueued = await box.outbox.enqueue(mail, { idempotencyKey: `order-${id}`, tx: client });
    await client.query('commit');
    client.release();
    return { mailId: enqueued.id };
  } catch (error) {
    // Given back only when it is out of the transaction; a connection that can't do even that is thrown away.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
