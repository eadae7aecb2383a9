import { document, route, type Route } from '../route.js';
import { streamsOf } from '../stream/streams.js';
import { InWorkspace } from '../where.js';

export const streamRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/stream',
      operation: 'listen',
      summary: 'Changes as server-sent events: snapshot, then counts, message and event when something moved',
      query: InWorkspace,
      answer: document('text/event-stream'),
      errors: ['busy', 'stopped'],
      attended: false,
    },
    async ({ service, workspace, request, reply }) => {
      if (request.method === 'HEAD') return reply.type('text/event-stream').send();
      const streams = streamsOf(service);
      const { watch, snapshot } = await streams.join(workspace.id);
      reply.hijack();
      streams.serve({ request, response: reply.raw, workspaceId: workspace.id }, watch, snapshot);
      return reply;
    },
  ),
];
