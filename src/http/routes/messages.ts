import type { BulkAction } from '../../messages/bulk.js';
import { ALL_STATES, type State } from '../../core/lifecycle.js';
import { LANES } from '../../core/message.js';
import { DEAD_SINCE } from '../../messages/dead-letters.js';
import { invalidInput } from '../../core/errors.js';
import { ERROR_CLASSES } from '../../core/report.js';
import { BulkReport, GroupReport } from '../../presentation/bulk-report.js';
import { Content, presentContent } from '../../presentation/content.js';
import { DeadLetters, presentDeadLetters } from '../../presentation/dead-letters.js';
import { Explanation, presentExplanation } from '../../presentation/explanation.js';
import { MessageDetail, presentMessageWithTries } from '../../presentation/message-detail.js';
import { Message, presentMessage } from '../../presentation/message.js';
import { page } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { countRemoteImages } from '../../presentation/remote-images.js';
import { sendPreview } from '../preview/send.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const closed = { additionalProperties: false } as const;
const WithId = Type.Object({ id: Type.String() });
const WithFingerprint = Type.Object({ fingerprint: Type.String() });
const Resolution = Type.Object({ as: Type.Enum(['sent', 'unsent']) }, closed);
const matching = {
  state: Type.Optional(Type.String({ maxLength: 200 })),
  lane: Type.Optional(Type.Enum([...LANES])),
  campaignId: Type.Optional(Type.String({ maxLength: 100 })),
  accountId: Type.Optional(Type.String({ maxLength: 100 })),
  eventId: Type.Optional(Type.String({ maxLength: 100 })),
  subscriptionId: Type.Optional(Type.String({ maxLength: 100 })),
  reason: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Those that ended for it, as an event's `reasons` name it; only with `eventId`.",
    }),
  ),
  step: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Of its sequence; only with `campaignId`.' }),
  ),
  day: Type.Optional(
    Type.String({
      maxLength: 21,
      description:
        'A local date of the account, or two with a slash between them: what left or ended on it, and what is to leave. Only with `campaignId`.',
    }),
  ),
  to: Type.Optional(Type.String({ maxLength: 998 })),
  fingerprint: Type.Optional(Type.String({ maxLength: 100 })),
  q: Type.Optional(Type.String({ maxLength: 998 })),
};
const Filter = Type.Object(
  {
    ...pageQuery,
    ...matching,
  },
  closed,
);
const DeadFilter = Type.Object(
  {
    transport: Type.Optional(Type.String({ maxLength: 40 })),
    class: Type.Optional(Type.Enum([...ERROR_CLASSES])),
    since: Type.Optional(Type.Enum([...DEAD_SINCE])),
  },
  closed,
);
/** Of a hundred thousand of one cause; nobody waits longer for an answer. */
const GROUP_PATIENCE_MS = 3_000;
/** More would take longer than a request should. */
const IDS_AT_ONCE = 1_000;
const Bulk = Type.Object(
  {
    action: Type.Enum(['retry', 'dismiss', 'cancel', 'resolve']),
    as: Type.Optional(Type.Enum(['sent', 'unsent'])),
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: IDS_AT_ONCE })),
    filter: Type.Optional(Type.Object({ ...matching }, closed)),
  },
  closed,
);

const MOVES = {
  retry: { operation: 'retryMessage', summary: 'Give a dead message a fresh round of tries' },
  dismiss: { operation: 'dismissMessage', summary: 'Take a dead or held message out of the work lists' },
  cancel: { operation: 'cancelMessage', summary: 'Stop a message that has not been handed over' },
} as const;
const GROUP_MOVES = {
  retry: {
    operation: 'retryDeadGroup',
    summary: 'Retry the dead letters of one cause; `more`: not all of them yet, ask again',
  },
  dismiss: {
    operation: 'dismissDeadGroup',
    summary: 'Dismiss the dead letters of one cause; `more`: not all of them yet, ask again',
  },
} as const;

export const messageRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages',
      operation: 'listMessages',
      summary: 'Messages, newest first',
      query: Filter,
      answer: page(Message),
    },
    async ({ query, workspace }) => {
      const { state, ...filter } = query;
      const { items, nextCursor } = await workspace.messages.list({ ...filter, state: statesOf(state) });
      return { items: items.map(presentMessage), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/dead-groups',
      operation: 'listDeadGroups',
      summary: 'Dead letters by cause, largest first, with what a retry of each would do',
      query: DeadFilter,
      answer: DeadLetters,
    },
    async ({ query, workspace }) => presentDeadLetters(await workspace.messages.deadLetters(query)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/messages/bulk',
      operation: 'decideMessages',
      summary: 'One decision about many messages: those named, or those that match and allow it',
      body: Bulk,
      example: { action: 'retry', filter: { state: 'dead', lane: 'outbox' } },
      answer: BulkReport,
    },
    async ({ body: { ids, filter, ...decision }, workspace: { messages } }) => {
      const action = actionOf(decision);
      if ((ids === undefined) === (filter === undefined)) {
        throw invalidInput(ids === undefined ? 'ids' : 'filter', 'give either ids or a filter');
      }
      if (ids) return messages.act(action, ids);
      const { state, ...rest } = filter ?? {};
      return messages.actOnMatching(action, { ...rest, state: statesOf(state) });
    },
  ),
  ...(['retry', 'dismiss'] as const).map((action) =>
    route(
      'operate',
      {
        method: 'POST',
        url: `/api/messages/dead-groups/:fingerprint/${action}`,
        ...GROUP_MOVES[action],
        params: WithFingerprint,
        answer: GroupReport,
      },
      ({ params, workspace }) => workspace.messages.actOnGroup(action, params.fingerprint, GROUP_PATIENCE_MS),
    ),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/:id',
      operation: 'getMessage',
      summary: 'One message with its tries: those made, and when the others would begin',
      params: WithId,
      answer: MessageDetail,
    },
    async ({ params: { id }, workspace: { messages } }) => {
      const message = await messages.get(id);
      const inline = await messages.inlineAttempt(id);
      const planned = await messages.plannedAttempts(id);
      return presentMessageWithTries(message, inline, await messages.attempts(id), planned);
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/:id/explain',
      operation: 'explainMessage',
      summary: 'Why it has not left yet',
      params: WithId,
      answer: Explanation,
    },
    async ({ params, workspace }) => presentExplanation(await workspace.messages.explain(params.id)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/:id/content',
      operation: 'getContent',
      summary: 'The mail in its parts, for a preview',
      params: WithId,
      answer: Content,
    },
    async ({ params, workspace }) => {
      const { message, mail } = await workspace.messages.content(params.id);
      return presentContent(message, mail, countRemoteImages(mail.html));
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/:id/preview',
      operation: 'previewMessage',
      summary: 'Its html as a document for a sandboxed frame',
      params: WithId,
      query: InWorkspace,
      answer: document('text/html'),
    },
    async ({ params, workspace, reply }) => {
      const { html, attachments = [] } = (await workspace.messages.content(params.id)).mail;
      const images = attachments.flatMap(({ contentId, ...file }) =>
        contentId === undefined ? [] : { ...file, contentId },
      );
      return sendPreview(reply, html, images);
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/messages/:id/raw',
      operation: 'getRawMessage',
      summary: 'The mail as the bytes that leave (message/rfc822)',
      params: WithId,
      query: InWorkspace,
      answer: document('message/rfc822'),
    },
    async ({ params: { id }, workspace, reply }) => {
      const bytes = await workspace.messages.raw(id);
      return reply
        .type('message/rfc822')
        .header('content-disposition', `attachment; filename="${id}.eml"`)
        .header('x-content-type-options', 'nosniff')
        .send(bytes);
    },
  ),
  ...(['retry', 'dismiss', 'cancel'] as const).map((action) =>
    route(
      'operate',
      {
        method: 'POST',
        url: `/api/messages/:id/${action}`,
        ...MOVES[action],
        params: WithId,
        answer: Message,
        errors: ['illegal_move'],
      },
      async ({ params, workspace }) => presentMessage(await workspace.messages[action](params.id)),
    ),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/messages/:id/resolve',
      operation: 'resolveMessage',
      summary: 'Say what became of a held message',
      params: WithId,
      body: Resolution,
      example: { as: 'sent' },
      answer: Message,
      errors: ['illegal_move'],
    },
    async ({ params, body, workspace }) =>
      presentMessage(await workspace.messages.resolve(params.id, body.as)),
  ),
];

function actionOf({
  action,
  as,
}: {
  action: BulkAction['kind'];
  as?: 'sent' | 'unsent' | undefined;
}): BulkAction {
  if (action !== 'resolve' && as !== undefined) throw invalidInput('as', 'belongs to the action resolve');
  if (action !== 'resolve') return { kind: action };
  if (as === undefined) throw invalidInput('as', 'should be sent or unsent');
  return { kind: action, as };
}

/** A comma list. */
function statesOf(text: string | undefined): readonly State[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((word) => {
    const state = ALL_STATES.find((each) => each === word);
    if (!state) throw invalidInput('state', `should be a comma list of ${ALL_STATES.join(', ')}`);
    return state;
  });
}
