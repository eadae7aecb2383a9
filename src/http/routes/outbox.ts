import { invalidInput, isOutage } from '../../core/errors.js';
import { MailInput } from '../../outbox/mail-input.js';
import type { RecordedResult } from '../../outbox/outbox.js';
import { presentInstant } from '../../presentation/instant.js';
import { Delivered, Duplicate, Kept, QueuedReport } from '../../presentation/send-result.js';
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

const WithKey = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});

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
      operation: 'sendMail',
      summary: 'Send a mail now, or keep it until it can be sent',
      headers: WithKey,
      body: OutboxMail,
      example: {
        to: { email: 'ada@example.org', name: 'Ada Lovelace' },
        subject: 'Your room is booked',
        text: 'See you on Monday.',
        idempotencyKey: 'booking-4711',
      },
      answer: Type.Union([Delivered, Duplicate]),
      accepted: Kept,
      errors: ['idempotency_conflict'],
      bodyLimit: LARGEST_BODY_BYTES,
    },
    async ({ body, workspace, request }) => {
      const { mode = 'inline', ...mail } = body;
      const idempotencyKey = keyOf(request.headers['idempotency-key'], mail.idempotencyKey);
      if (mode === 'inline') return presentResult(await workspace.outbox.send(mail, { idempotencyKey }));
      const { id, duplicate } = await workspace.outbox.enqueue(mail, { idempotencyKey });
      const known = await workspace.messages.get(id).catch((error: unknown) => {
        // It is stored: that it can't be looked at just now is no reason to say otherwise.
        if (duplicate || !isOutage(error)) throw error;
        return { state: 'scheduled', nextAttemptAt: null } as const;
      });
      const { state, nextAttemptAt } = known;
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
      operation: 'queueMails',
      summary: 'Queue up to 1000 mails',
      body: Bulk,
      example: {
        messages: [{ to: 'ada@example.org', subject: 'Your room is booked', text: 'See you on Monday.' }],
      },
      answer: QueuedReport,
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

function presentResult(result: RecordedResult) {
  if ('duplicate' in result || result.delivered) return result;
  return accepted({ ...result, nextAttemptAt: presentInstant(result.nextAttemptAt) });
}
