import { INBOUND_KINDS } from '../../core/inbound.js';
import { InboundEffect, presentInbound } from '../../presentation/inbound.js';
import { Type } from '../../vendor/typebox.js';
import { route, type Route } from '../route.js';

const Inbound = Type.Object(
  {
    kind: Type.Enum([...INBOUND_KINDS]),
    messageId: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
    email: Type.Optional(Type.String({ maxLength: 320 })),
    linkedinId: Type.Optional(Type.String({ maxLength: 200 })),
    until: Type.Optional(Type.String({ maxLength: 40 })),
    permanent: Type.Optional(Type.Boolean()),
    code: Type.Optional(Type.String({ maxLength: 100 })),
    diagnostic: Type.Optional(Type.String({ maxLength: 10_000 })),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false },
);

export const inboundRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/inbound',
      operation: 'receiveInbound',
      summary:
        'A reply, bounce, complaint, acceptance or automatic answer came back, by message, address or LinkedIn id; repeated, it does nothing more; 404 if neither message nor person is known',
      body: Inbound,
      example: { kind: 'reply', messageId: '<msg_4k7q.5d41402a@example.org>', email: 'ada@example.org' },
      answer: InboundEffect,
    },
    async ({ body, workspace }) => presentInbound(await workspace.inbound.receive(body)),
  ),
];
