import fastify, { type FastifyInstance } from 'fastify';
import { sendData } from './answers.js';
import { SOCKET_LIMITS } from './pressure.js';
import { healthRoutes } from './routes/health.js';
import type { Service } from './service.js';

/** For processes that have no other business with HTTP: health, readiness and metrics, and nothing else. */
export function buildProbeServer(service: Pick<Service, 'box' | 'metrics'>): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, requestTimeout: 10_000, http: SOCKET_LIMITS });
  for (const { method, url, handle } of healthRoutes) {
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const data = await handle({ service, request, reply } as never);
        return reply.sent ? reply : sendData(reply, data);
      },
    });
  }
  return app;
}
