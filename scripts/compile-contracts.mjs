// @ts-check
// Writes the contracts as plain functions into the built product: neither a validator library nor code made of texts
// is needed when it runs.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { _ } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const CONTRACTS = { mailJob: 'mail-job', notificationJob: 'notification-job' };
const MADE = 'dist/core/job-validators.js';

const { formats } = await import('../dist/core/job-formats.js');
const schemas = await Promise.all(
  Object.values(CONTRACTS).map(async (name) =>
    JSON.parse(await readFile(`contracts/${name}.schema.json`, 'utf8')),
  ),
);
// Under `code.formats` it writes where a format comes from, and not what it is.
const ajv = new Ajv.default({ schemas, formats, code: { source: true, esm: true, formats: _`formats` } });
const names = Object.keys(CONTRACTS);
const functions = standalone.default(
  ajv,
  Object.fromEntries(names.map((name, n) => [`${name}Function`, schemas[n].$id])),
);
if (functions.includes('require(')) throw new Error('a contract uses a keyword that needs Ajv when it runs');

const contracts = names.map(
  (name, n) =>
    `export const ${name} = { validate: ${name}Function, closed: ${JSON.stringify(closedIn(schemas[n]))} };`,
);
await writeFile(
  MADE,
  [
    '// Compiled from contracts/*.schema.json by scripts/compile-contracts.mjs.',
    "import { formats } from './job-formats.js';",
    functions.replace(/^"use strict";/, '').replace(/^export const /gm, 'const '),
    ...contracts,
    '',
  ].join('\n'),
);

/**
 * Which fields its objects may have, as `Closed` of `src/core/job-validators.ts`.
 *
 * @param {{ properties?: Record<string, any>, additionalProperties?: boolean }} schema
 * @returns {object}
 */
function closedIn({ properties = {}, additionalProperties }) {
  const below = Object.entries(properties)
    .filter(([, schema]) => schema.type === 'object')
    .map(([name, schema]) => [name, closedIn(schema)])
    .filter(([, closed]) => Object.keys(/** @type {object} */ (closed)).length > 0);
  return {
    ...(additionalProperties === false && { fields: Object.keys(properties) }),
    ...(below.length > 0 && { below: Object.fromEntries(below) }),
  };
}
