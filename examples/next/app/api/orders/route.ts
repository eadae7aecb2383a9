import type { PoolClient } from 'pg';
import { PillarboxError } from 'pillarbox';
import { thePost } from '../../../mail.js';

export const runtime = 'nodejs';

interface Order {
  readonly id: string;
  readonly email: string;
  readonly item: string;
}

/** An order and its mail in one commit. The cron route sends what waits. */
export async function POST(request: Request): Promise<Response> {
  const order: unknown = await request.json().catch(() => undefined);
  if (!isOrder(order)) return Response.json({ message: 'id, email and item are needed' }, { status: 400 });
  const client = await thePost().pool.connect();
  try {
    const mailId = await placeOrder(client, order);
    client.release();
    return Response.json({ mailId }, { status: 201 });
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    if (!(error instanceof PillarboxError) || error.code !== 'invalid_input') throw error;
    return Response.json({ message: error.message, field: error.field }, { status: 400 });
  }
}

async function placeOrder(client: PoolClient, { id, email, item }: Order): Promise<string> {
  const box = await thePost().box;
  await client.query('begin');
  await client.query('insert into orders (id, email, item) values ($1, $2, $3)', [id, email, item]);
  const mail = { to: email, subject: `Order ${id}`, text: `Your order of ${item} is on its way.` };
  const enqueued = await box.outbox.enqueue(mail, { idempotencyKey: `order-${id}`, tx: client });
  await client.query('commit');
  return enqueued.id;
}

function isOrder(input: unknown): input is Order {
  if (typeof input !== 'object' || input === null) return false;
  const { id, email, item } = input as Record<string, unknown>;
  return [id, email, item].every((value) => typeof value === 'string' && value !== '');
}
