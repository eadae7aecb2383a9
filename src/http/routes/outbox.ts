import { invalidInput } from '../../errors.js';
import { MailInput } from '../../outbox/mail-input.js';
import type { SendResult } from '../../outbox/outbox.js';
import { presentInstant } from '../../presentation.js';
import { Type } from '../../vendor/typebox.js';
import { accepted } from '../answers.js';
import { route, type Route } from '../route.js';

/** A mail of 32 MB, written as JSON. */
const LARGEST_BODY_BYTES = 50 * 1024 * 1024;
const BULK = 1_000;

const OutboxMail = Type.Object(
  { ...MailInput.properties, mode: Type.Optional(Type.Enum(['inline', 'queue'])) },
  { additionalProperties: false },
);

/** What is wrong with one of many mails must not refuse the others, so here they are only counted. */
const Bulk = Type.Object(
  { messages: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BULK }) },
  { additionalProperties: false },
);

export const outboxRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/outbox',
      summary: 'Send a mail now, or keep it until it can be sent',
      body: OutboxMail,
      bodyLimit: LARGEST_BODY_BYTES,
    },
    async ({ body, workspace, request }) => {
      const { mode = 'inline', ...mail } = body;
      const idempotencyKey = keyOf(request.headers['idempotency-key'], mail.idempotencyKey);
      if (mode === 'inline') return presentResult(await workspace.outbox.send(mail, { idempotencyKey }));
      const { id, duplicate } = await workspace.outbox.enqueue(mail, { idempotencyKey });
      const { state, nextAttemptAt } = await workspace.messages.get(id);
      return presentResult(
        duplicate ? { duplicate, id, state } : { delivered: false, id, state, nextAttemptAt },
      );
    },
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/outbox/bulk',
      summary: 'Queue up to 1000 mails',
      body: Bulk,
      bodyLimit: LARGEST_BODY_BYTES,
    },
    async ({ body, workspace }) => {
      const mails = body.messages.map(withoutMode) as MailInput[];
      const { accepted: stored, duplicates, errors } = await workspace.outbox.enqueueMany(mails);
      return { accepted: stored, duplicates, errors };
    },
  ),
];

/** All of them are queued, whatever they ask for. */
function withoutMode(mail: unknown): unknown {
  if (typeof mail !== 'object' || mail === null || !('mode' in mail)) return mail;
  const { mode, ...rest } = mail;
  return mode === 'inline' || mode === 'queue' ? rest : mail;
}

function keyOf(header: unknown, field: string | undefined): string | undefined {
  if (header === undefined) return field;
  if (typeof header !== 'string' || header.length < 1 || header.length > 255) {
    throw invalidInput('Idempotency-Key', 'should be 1 to 255 characters');
  }
  if (field !== undefined && field !== header) {
    throw invalidInput('idempotencyKey', 'differs from the header Idempotency-Key');
  }
  return header;
}

function presentResult(result: SendResult): unknown {
  if ('duplicate' in result || result.delivered || !('state' in result)) return result;
  return accepted({ ...result, nextAttemptAt: presentInstant(result.nextAttemptAt) });
}
