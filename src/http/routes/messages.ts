import Type from 'typebox';
import { ALL_STATES, type State } from '../../core/lifecycle.js';
import { LANES } from '../../core/message.js';
import { invalidInput } from '../../errors.js';
import { presentAttempt, presentDeadGroup, presentExplanation, presentMessage } from '../../presentation.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const WithId = Type.Object({ id: Type.String() });
const WithFingerprint = Type.Object({ fingerprint: Type.String() });
const Resolution = Type.Object({ as: Type.Enum(['sent', 'unsent']) }, closed);
const Filter = Type.Object(
  {
    ...pageQuery,
    state: Type.Optional(Type.String()),
    lane: Type.Optional(Type.Enum([...LANES])),
    to: Type.Optional(Type.String()),
  },
  closed,
);

const SUMMARIES = {
  retry: 'Give a dead message a fresh round of tries',
  dismiss: 'Take a dead or held message out of the work lists',
  cancel: 'Stop a message that has not been handed over',
} as const;

export const messageRoutes: readonly Route[] = [
  route(
    'read',
    { method: 'GET', url: '/api/messages', summary: 'Messages, newest first', query: Filter },
    async ({ query, workspace }) => {
      const { state, ...filter } = query;
      const { items, nextCursor } = await workspace.messages.list({ ...filter, state: statesOf(state) });
      return { items: items.map(presentMessage), nextCursor };
    },
  ),
  route(
    'read',
    { method: 'GET', url: '/api/messages/dead-groups', summary: 'Dead letters by cause, largest first' },
    async ({ workspace }) => ({
      items: (await workspace.messages.deadGroups()).map(presentDeadGroup),
      nextCursor: null,
    }),
  ),
  ...(['retry', 'dismiss'] as const).map((action) =>
    route(
      'operate',
      {
        method: 'POST',
        url: `/api/messages/dead-groups/:fingerprint/${action}`,
        summary:
          action === 'retry'
            ? 'Retry all dead letters of one cause'
            : 'Dismiss all dead letters of one cause',
        params: WithFingerprint,
      },
      async ({ params, workspace }) => ({
        done:
          action === 'retry'
            ? await workspace.messages.retryGroup(params.fingerprint)
            : await workspace.messages.dismissGroup(params.fingerprint),
      }),
    ),
  ),
  route(
    'read',
    { method: 'GET', url: '/api/messages/:id', summary: 'One message with its tries', params: WithId },
    async ({ params: { id }, workspace: { messages } }) => {
      const message = await messages.get(id);
      const inline = await messages.inlineAttempt(id);
      return {
        ...presentMessage(message),
        inlineAttempt: inline && presentAttempt(inline),
        attemptLog: (await messages.attempts(id)).map(presentAttempt),
      };
    },
  ),
  route(
    'read',
    { method: 'GET', url: '/api/messages/:id/explain', summary: 'Why it has not left yet', params: WithId },
    async ({ params, workspace }) => presentExplanation(await workspace.messages.explain(params.id)),
  ),
  ...(['retry', 'dismiss', 'cancel'] as const).map((action) =>
    route(
      'operate',
      { method: 'POST', url: `/api/messages/:id/${action}`, summary: SUMMARIES[action], params: WithId },
      async ({ params, workspace }) => presentMessage(await workspace.messages[action](params.id)),
    ),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/messages/:id/resolve',
      summary: 'Say what became of a held message',
      params: WithId,
      body: Resolution,
    },
    async ({ params, body, workspace }) =>
      presentMessage(await workspace.messages.resolve(params.id, body.as)),
  ),
];

/** A comma list. */
function statesOf(text: string | undefined): readonly State[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((word) => {
    const state = ALL_STATES.find((each) => each === word);
    if (!state) throw invalidInput('state', `should be a comma list of ${ALL_STATES.join(', ')}`);
    return state;
  });
}
