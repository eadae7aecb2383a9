import { beforeAll, describe, expect, test } from 'vitest';
import { STATUS, type FailureCode } from '#pillarbox/http/codes';
import { failuresOf } from '#pillarbox/http/failures-of';
import { routeGroups, routes } from '#pillarbox/http/routes/index';
import { Value } from '#pillarbox/vendor/typebox';
import { freshSqlite } from '../databases.js';
import { Office, STRANGER } from './office.js';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface Response {
  readonly description: string;
  readonly content: Content;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly security: readonly object[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly securitySchemes: object };
}

const templateOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}');

describe('the documentation', () => {
  let document: Document;
  let page: { status: number; type: string; policy: string };

  beforeAll(async () => {
    const database = await freshSqlite();
    const office = await Office.open({ databaseUrl: database.url });
    try {
      document = JSON.parse((await office.call(STRANGER, 'GET', '/openapi.json')).text) as Document;
      const { status, headers } = await office.call(STRANGER, 'GET', '/docs');
      const type = String(headers['content-type']);
      page = { status, type, policy: String(headers['content-security-policy']) };
    } finally {
      await office.close();
      await database.drop();
    }
  });

  const operations = (): [string, string, Operation][] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
        method,
        path,
        operation,
      ]),
    );

  test('is OpenAPI 3.1, with a title and a version', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toBe('Pillarbox');
    expect(document.info.version).not.toBe('');
  });

  test('has every route, and no other', () => {
    const documented = operations().map(([method, path]) => `${method.toUpperCase()} ${path}`);
    const served = routes.map(({ method, url }) => `${method} ${templateOf(url)}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  test('says of each what it does, and what it takes', () => {
    for (const route of routes) {
      const operation = document.paths[templateOf(route.url)]![route.method.toLowerCase()]!;
      expect(operation.summary).toBe(route.summary);
      expect(operation.responses).toBeTypeOf('object');
      const names = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(names);
      expect(inPath.every(({ required, schema }) => required === true && typeof schema === 'object')).toBe(
        true,
      );
      if (route.body) {
        expect(operation.requestBody?.content['application/json']?.schema).toBeTypeOf('object');
      }
    }
  });

  test('says what each wants to see: a key or a session, a secret, or nothing', () => {
    const ofRule: Readonly<Record<string, readonly string[]>> = {
      ...{ anyone: [], cron: ['cron'], invited: ['invitation'], person: ['session'] },
    };
    for (const route of routes) {
      const { security } = operationOf(route);
      const wanted = ofRule[route.rule] ?? ['key', 'session'];
      const changes = route.method !== 'GET';
      // Beside a cookie, which a browser sends along with whatever another site makes it send.
      const named = wanted.map((name) => (name === 'session' && changes ? ['session', 'csrf'] : [name]));
      expect({ route, security: security.map((each) => Object.keys(each)) }).toEqual({
        route,
        security: named,
      });
    }
    const used = routes.flatMap((route) => operationOf(route).security.flatMap((each) => Object.keys(each)));
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual([...new Set(used)].sort());
  });

  test('groups the routes by what they are about, and gives each a verb that no other has', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(routeGroups.map(({ tag }) => tag));
    for (const { tag, routes: group } of routeGroups)
      for (const route of group) expect(operationOf(route).tags).toEqual([tag]);
    const names = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([]);
  });

  test('says what each answers: its data, or a document, and every code that it can refuse by', () => {
    for (const route of routes) {
      const { responses } = operationOf(route);
      const [type = ''] = Object.keys(responseOf(responses['200']!).content);
      const { contentMediaType = 'application/json' } = route.answer as { contentMediaType?: string };
      expect(type, route.url).toBe(contentMediaType);
      const codes = Object.entries(responses).flatMap(([status, response]) =>
        Number(status) < 400 ? [] : codesIn(responseOf(response), Number(status)),
      );
      expect(codes.sort(), route.url).toEqual(failuresOf(route));
    }
  });

  test('has an example of every body and every answer, as its shape wants it', () => {
    for (const route of routes) {
      const { requestBody, responses } = operationOf(route);
      const shown = [requestBody, ...Object.values(responses).map(responseOf)].flatMap((each) =>
        each ? Object.entries(each.content) : [],
      );
      for (const [type, { schema, example }] of shown) {
        if (type !== 'application/json') continue;
        expect(example, route.url).toBeDefined();
        expect(Value.Errors(whole(schema) as object, example), `${route.method} ${route.url}`).toEqual([]);
      }
    }
  });

  test('refers to nothing that is not there, and says nothing that JSON Schema does not know', () => {
    const text = JSON.stringify(document);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]*)"/g)) {
      expect(at(`#/${reference}`)).toBeDefined();
    }
    expect(text).not.toContain('"nullable"');
  });

  const operationOf = ({ url, method }: { readonly url: string; readonly method: string }): Operation =>
    document.paths[templateOf(url)]![method.toLowerCase()]!;

  const at = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);

  const responseOf = (response: Operation['responses'][string]): Response =>
    '$ref' in response ? (at(response.$ref) as Response) : response;

  /** Each with the status that the code has everywhere. */
  function codesIn({ content }: Response, status: number): string[] {
    const { properties } = whole(content['application/json']!.schema) as {
      properties: { error: { properties: { code: { enum: FailureCode[] } } } };
    };
    const codes = properties.error.properties.code.enum;
    expect(codes.map((code) => STATUS[code])).toEqual(codes.map(() => status));
    return codes;
  }

  /** With everything in place of what refers to it. */
  function whole(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(whole);
    if (typeof part !== 'object' || part === null) return part;
    if ('$ref' in part) return whole(at(part.$ref as string));
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, whole(value)]));
  }

  test('is a page with its own policy', () => {
    expect(page.status).toBe(200);
    expect(page.type).toMatch(/^text\/html/);
    expect(page.policy).toContain("default-src 'self'");
  });
});
