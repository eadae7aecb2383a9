import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Principal } from '../access/gatekeeper.js';
import type { Invitation } from '../store/scripts/invitations.js';
import { admit } from './admission.js';
import { failureOf, sendData, sendFailure } from './answers.js';
import { isAudited, lookBefore, noteSuccess } from './audit-trail.js';
import { readCsv, readForms, readFrameForms, readJson } from './body.js';
import { documentRoutes } from './documentation.js';
import { FILE_MS, SOCKET_LIMITS, withstand } from './pressure.js';
import type { KnownCall, Route } from './route.js';
import { routes } from './routes/index.js';
import type { Service } from './service.js';
import { refuseBrokenText, validatorCompiler } from './validate.js';
import { serveWeb } from './web/serve.js';

const BODY_LIMIT_BYTES = 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The type of the bodies that the route takes. */
    takes?: string;
    /** A form of our own pages may come as well. */
    framed?: boolean;
  }
  interface FastifyRequest {
    principal?: Principal | undefined;
    /** He has shown what it takes here: a key, a session, the timer's secret. Otherwise he may be anybody. */
    admitted?: boolean | undefined;
    invitation?: Invitation | undefined;
    /** What is sent to a route that takes a file. */
    file?: AsyncIterable<Uint8Array> | undefined;
    /** The workspace that is changed, where it is not the one of whoever asks. */
    concerns?: number | undefined;
  }
}

/** The whole HTTP surface of a service. Listens nowhere yet. */
export async function buildServer(service: Service): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // Of a file; whatever else is sent has less time, which `withstand` sees to.
    requestTimeout: FILE_MS,
    http: SOCKET_LIMITS,
    forceCloseConnections: 'idle',
    // A proxy tells who asks; without it all the world would be throttled as one.
    trustProxy: service.trustedProxies ? [...service.trustedProxies] : 'loopback',
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: true,
    logger: false,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  readJson(app, service);
  readCsv(app);
  readFrameForms(app);
  answerFailures(app, service);
  withstand(app, service);
  await app.register(fastifyCookie);
  await app.register(fastifyHelmet, {
    global: true,
    contentSecurityPolicy: POLICY,
    hsts: false,
    xFrameOptions: { action: 'deny' },
  });
  await documentRoutes(app);
  for (const route of routes.filter(({ forms }) => !forms)) serve(app, service, route);
  await app.register((page, _options, done) => {
    readForms(page, service);
    for (const route of routes.filter(({ forms }) => forms)) serve(page, service, route);
    done();
  });
  await serveWeb(app, service.webDirectory);
  return app;
}

/** No script but our own, nothing from elsewhere, in nobody's frame. */
const POLICY = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  },
};

function serve(app: FastifyInstance, service: Service, route: Route): void {
  const { method, url, rule, bodyLimit, handle } = route;
  const audited = isAudited(route);
  const shows = routes.find((other) => other.method === 'GET' && other.url === url);
  app.route({
    method,
    url,
    config: { takes: route.takes ?? 'application/json', framed: route.framed === true },
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: {
      ...(route.body && { body: route.body }),
      ...(route.query && { querystring: route.query }),
      ...(route.params && { params: route.params }),
    },
    // Before the body is read.
    onRequest: async (request, reply) => {
      const admitted = await admit(service, rule, request, route.attended);
      if ('status' in admitted) return sendFailure(reply, admitted);
      request.principal = admitted.principal;
      request.admitted = rule !== 'anyone';
      request.invitation = admitted.invitation;
    },
    preValidation: (request, _reply, done) => {
      if (route.mayBeEmpty) request.body ??= {};
      refuseBrokenText(request.params, 'address');
      refuseBrokenText(request.query, 'query');
      refuseBrokenText(request.body, 'body');
      done();
    },
    handler: async (request, reply) => {
      const call = await callOf(service, request, reply);
      const before = audited && (await lookBefore(route, shows, call));
      const data = await handle(call);
      if (audited && reply.statusCode < 400) await noteSuccess(route, shows, call, data, before);
      return reply.sent ? reply : sendData(reply, data);
    },
  });
}

async function callOf(
  service: Service,
  request: FastifyRequest,
  reply: unknown,
): Promise<KnownCall<never, never, never>> {
  const { principal } = request;
  const call = { body: request.body, query: request.query, params: request.params, service, request, reply };
  if (!principal) return call as never;
  return { ...call, principal, workspace: await service.box.workspace(principal.workspaceId) } as never;
}

function answerFailures(app: FastifyInstance, { log }: Service): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    // Fastify would hang up on whoever sends what it can't use; `readJson` knows what to do with the rest.
    void reply.removeHeader('connection');
    if (failure) return sendFailure(reply, failure);
    log.error({ err: error, method: request.method, url: request.routeOptions.url }, 'a request failed');
    return sendFailure(reply, {
      status: 500,
      code: 'internal',
      message: `something went wrong on our side; the log knows it as request ${request.id}`,
    });
  });
}
