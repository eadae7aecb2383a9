import type { FastifyInstance } from 'fastify';
import { STATUS } from '#pillarbox/http/codes';
import { failureBy, successOf } from '#pillarbox/http/envelope';
import { failuresOf } from '#pillarbox/http/failures-of';
import type { Route } from '#pillarbox/http/route';
import { routes } from '#pillarbox/http/routes/index';
import { Compile, type TSchema } from '#pillarbox/vendor/typebox';

/** Looks at every answer of a server before it is written, and keeps what the documentation does not say of it. */
export function watchAnswers(app: FastifyInstance): readonly string[] {
  const surprises: string[] = [];
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { url, method } = request.routeOptions;
    const route = routes.find((each) => each.url === url && each.method === method);
    const fault = route && surpriseIn(route, reply.statusCode, JSON.parse(JSON.stringify(payload)));
    if (fault !== undefined) surprises.push(`${request.method} ${String(url)} ${reply.statusCode}: ${fault}`);
    done(null, payload);
  });
  return surprises;
}

function surpriseIn(route: Route, status: number, answer: unknown): string | undefined {
  const shape = shapeOf(route, status);
  if (!shape) return `was not to be expected: ${JSON.stringify(answer)}`;
  if (shape.Check(answer)) return undefined;
  const [fault] = shape.Errors(answer);
  return fault && `${fault.instancePath} ${fault.message}: ${JSON.stringify(answer)}`;
}

const known = new Map<string, ReturnType<typeof Compile> | undefined>();

/** Made once: there are many servers, and their answers are alike. */
function shapeOf(route: Route, status: number): ReturnType<typeof Compile> | undefined {
  const name = `${route.method} ${route.url} ${status}`;
  if (!known.has(name)) {
    const codes = failuresOf(route).filter((code) => STATUS[code] === status);
    const data = { 200: route.answer, 202: route.accepted }[status];
    const schema = codes.length > 0 ? failureBy(codes) : data && successOf(data);
    known.set(name, schema && Compile(closed(schema) as TSchema));
  }
  return known.get(name);
}

/** Clients are to bear a field that is new. Here one that no shape names is a leak. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return 'properties' in schema ? { ...parts, additionalProperties: false } : parts;
}
