import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#pillarbox/http/routes/index';
import { freshSqlite } from '../databases.js';
import { Office, STRANGER } from './office.js';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: object;
  readonly security?: readonly object[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
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
    expect(document.components.securitySchemes).toHaveProperty('key');
  });

  test('has every route, and no other', () => {
    const documented = operations().map(([method, path]) => `${method.toUpperCase()} ${path}`);
    const served = routes.map(({ method, url }) => `${method} ${templateOf(url)}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  test('says of each what it does, what it takes, and whether it needs a key', () => {
    for (const route of routes) {
      const operation = document.paths[templateOf(route.url)]![route.method.toLowerCase()]!;
      expect(operation.summary).toBe(route.summary);
      expect(operation.responses).toBeTypeOf('object');
      expect(operation.security !== undefined).toBe(route.rule !== 'anyone');
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

  test('refers to nothing that is not there, and says nothing that JSON Schema does not know', () => {
    const text = JSON.stringify(document);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]*)"/g)) {
      const found = reference
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
      expect(found).toBeDefined();
    }
    expect(text).not.toContain('"nullable"');
  });

  test('is a page with its own policy', () => {
    expect(page.status).toBe(200);
    expect(page.type).toMatch(/^text\/html/);
    expect(page.policy).toContain("default-src 'self'");
  });
});
