import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { MARK } from './mark.js';
import { documentOf } from './openapi/document.js';
import { routeGroups } from './routes/index.js';

/** The page brings its own script and style, and pictures inside of that. */
const POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** The same for every server of a process. */
let document: ReturnType<typeof documentOf> | undefined;

/** OpenAPI for programs at `/openapi.json`, for people at `/docs`. */
export async function documentRoutes(app: FastifyInstance): Promise<void> {
  document ??= documentOf(routeGroups);
  await app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } });
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    // Without the bar of the library above it: the page begins with our name.
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', defaultModelsExpandDepth: 0 },
    theme: {
      title: 'Pillarbox API',
      favicon: [
        { filename: 'pillarbox.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: MARK },
      ],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => document);
}
