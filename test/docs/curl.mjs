// @ts-check
// As much of curl as the examples of the documentation need, so that no machine has to have it.
import { readFile } from 'node:fs/promises';

const args = process.argv.slice(2);
let method;
let body;
let url = '';
const headers = new globalThis.Headers();
for (let word = args.shift(); word !== undefined; word = args.shift()) {
  if (word === '-s') continue;
  else if (word === '-X') method = args.shift();
  else if (word === '-H') headers.append(...pair(args.shift() ?? ''));
  else if (word === '-d' || word === '--data-binary') {
    const data = args.shift() ?? '';
    body = data.startsWith('@') ? await readFile(data.slice(1)) : data;
  } else if (word.startsWith('-')) throw new Error(`no test knows ${word}`);
  else url = word;
}
const response = await globalThis.fetch(url, {
  ...{ method: method ?? (body === undefined ? 'GET' : 'POST'), headers },
  ...(body !== undefined && { body }),
});
console.log(await response.text());
process.exitCode = response.ok ? 0 : 22;

/** @returns {[string, string]} */
function pair(/** @type {string} */ line) {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
