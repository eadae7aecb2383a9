import { invalidInput } from '../core/errors.js';
import { DOUBT_POLICIES } from '../core/message.js';
import { RetryPolicyInput } from '../shapes/retry-policy.js';
import { shapeFault } from '../shapes/fault.js';
import { Compile, Type, type Static } from '../vendor/typebox.js';

const closed = { additionalProperties: false } as const;

const Address = Type.Union([
  Type.String(),
  Type.Object({ email: Type.String(), name: Type.Optional(Type.String({ maxLength: 500 })) }, closed),
]);
const Addresses = Type.Union([Address, Type.Array(Address, { maxItems: 100 })]);

/** The shape of a mail as callers write it. What the values may hold is decided by `core/headers.ts`. */
export const MailInput = Type.Object(
  {
    to: Address,
    cc: Type.Optional(Addresses),
    bcc: Type.Optional(Addresses),
    replyTo: Type.Optional(Address),
    subject: Type.String({ maxLength: 998 }),
    text: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 2_000 }), { maxProperties: 50 }),
    ),
    attachments: Type.Optional(
      Type.Array(
        Type.Object(
          {
            filename: Type.String(),
            contentType: Type.String(),
            contentBase64: Type.String(),
            contentId: Type.Optional(Type.String()),
          },
          closed,
        ),
        { maxItems: 100 },
      ),
    ),
    inReplyTo: Type.Optional(
      Type.String({ maxLength: 252, description: 'The Message-ID that it answers: <id@example.org>.' }),
    ),
    references: Type.Optional(
      Type.Array(Type.String({ maxLength: 252 }), {
        maxItems: 50,
        description: 'The Message-IDs of its thread, the oldest first. Default: that which it answers.',
      }),
    ),
    ics: Type.Optional(Type.Object({ content: Type.String(), method: Type.String() }, closed)),
    idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    sendAt: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String()),
    accountId: Type.Optional(Type.String()),
    retryPolicy: Type.Optional(RetryPolicyInput),
    onDoubt: Type.Optional(Type.Enum([...DOUBT_POLICIES])),
    transactional: Type.Optional(Type.Boolean()),
    guarded: Type.Optional(Type.Boolean()),
    traceId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  closed,
);

export type MailInput = Static<typeof MailInput>;

const shape = Compile(MailInput);

/** Throws `invalid_input` with the path of the field that is at fault. Nothing is coerced. */
export function checkShape(input: unknown): asserts input is MailInput {
  if (shape.Check(input)) return;
  if (Array.isArray((input as { to?: unknown } | null | undefined)?.to))
    throw invalidInput(
      'to',
      'should be one address, not a list; write one mail to each, or give the others as cc or bcc',
    );
  throw shapeFault(shape.Errors(input), 'mail');
}
