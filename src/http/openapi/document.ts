import type { TSchema } from '../../vendor/typebox.js';
import { MEANING, STATUS, type FailureCode } from '../codes.js';
import { failureBy, successOf } from '../envelope.js';
import { failuresOf } from '../failures-of.js';
import type { Route } from '../route.js';
import type { RouteGroup } from '../routes/index.js';
import { Components } from './components.js';
import { exampleOf } from './example.js';
import { SECURITY_SCHEMES, securityOf } from './security.js';

interface Fields {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

const WORKSPACE = {
  in: 'header',
  name: 'X-Workspace-Id',
  description: 'The workspace that is meant, for those who have several.',
  schema: { type: 'string' },
};

/** The whole API as OpenAPI 3.1, from the very shapes by which requests are checked and answers are written. */
export function documentOf(groups: readonly RouteGroup[]) {
  const components = new Components();
  const responses: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, routes } of groups) {
    for (const route of routes) {
      const path = route.url.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(tag, route) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pillarbox',
      description: 'A durable mail engine: mail goes in once and leaves once.',
      version: '1',
    },
    tags: groups.map(({ tag, about }) => ({ name: tag, description: about })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { workspace: WORKSPACE },
      responses,
      schemas: components.schemas,
    },
  };

  function operationOf(tag: string, route: Route) {
    const { operation, summary, body, takes, example, answer, accepted } = route;
    return {
      operationId: operation,
      tags: [tag],
      summary,
      security: securityOf(route),
      parameters: parametersOf(route),
      ...(body && {
        requestBody: { required: true, content: json(body, example) },
      }),
      ...(takes && {
        requestBody: { required: true, content: { [takes]: { schema: { type: 'string' }, example } } },
      }),
      responses: {
        200: successful(answer, 'Done.'),
        ...(accepted && { 202: successful(accepted, 'Taken, and not done yet.') }),
        ...refusals(failuresOf(route)),
      },
    };
  }

  function parametersOf({ params, query, headers, rule }: Route) {
    const known = rule !== 'anyone' && rule !== 'cron' && rule !== 'invited';
    return [
      ...fieldsOf('path', params),
      ...fieldsOf('query', query),
      ...fieldsOf('header', headers),
      ...(known ? [{ $ref: '#/components/parameters/workspace' }] : []),
    ];
  }

  function fieldsOf(place: string, schema: TSchema | undefined) {
    const { properties = {}, required = [] } = (schema ?? {}) as Fields;
    return Object.entries(properties).map(([name, shape]) => ({
      in: place,
      name,
      required: required.includes(name),
      schema: components.refer(shape),
    }));
  }

  function successful(answer: TSchema, description: string) {
    const { contentMediaType: type } = answer as { contentMediaType?: string };
    if (type !== undefined) return { description, content: { [type]: { schema: { type: 'string' } } } };
    const schema = successOf(answer);
    return { description, content: json(schema, exampleOf(schema)) };
  }

  /** Many routes refuse for the same reasons: each set of them stands once. */
  function refusals(codes: readonly FailureCode[]) {
    const statuses = [...new Set(codes.map((code) => STATUS[code]))];
    return Object.fromEntries(
      statuses.map((status) => {
        const some = codes.filter((code) => STATUS[code] === status);
        const name = some.join('.');
        responses[name] ??= {
          description: some.map((code) => `\`${code}\`: ${MEANING[code]}`).join('\n\n'),
          content: json(failureBy(some), exampleOfRefusal(some)),
        };
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  function json(schema: TSchema, example: unknown) {
    return { 'application/json': { schema: components.refer(schema), example } };
  }
}

const exampleOfRefusal = ([code = 'internal']: readonly FailureCode[]) => ({
  success: false,
  error: { code, message: MEANING[code] },
});
