// @ts-check
// `npm run build:api`: what the API answers as types for the admin UI, from the document that the API publishes.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { documentOf } from '#pillarbox/http/openapi/document';
import { routeGroups } from '#pillarbox/http/routes/index';

export const TYPES_FILE = fileURLToPath(new URL('../web/src/api/types.ts', import.meta.url));

const HEAD =
  '/** What the HTTP API answers. Made of its OpenAPI document by `npm run build:api`: change that. */\n';

/** The text of `TYPES_FILE`. The pages need the shapes and what each operation answers, and nothing else of it. */
export async function apiTypes() {
  const { openapi, info, paths, components } = documentOf(routeGroups);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answers = Object.fromEntries(
    operations.flatMap((/** @type {any} */ { operationId, responses }) => {
      const data = responses[200].content['application/json']?.schema.properties.data;
      return data ? [[operationId, data]] : [];
    }),
  );
  const Answers = { type: 'object', properties: answers, required: Object.keys(answers) };
  const schemas = JSON.parse(JSON.stringify({ ...components.schemas, Answers }, withoutExamples));
  const ast = await openapiTS(
    { openapi, info, paths: {}, components: { schemas } },
    { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true },
  );
  const options = await resolveConfig(TYPES_FILE);
  return format(HEAD + astToString(ast), { ...options, parser: 'typescript' });
}

const withoutExamples = (/** @type {string} */ key, /** @type {unknown} */ value) =>
  key === 'examples' ? undefined : value;

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(TYPES_FILE, await apiTypes());
