import createClient, { type Client } from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentOf } from '#pillarbox/http/openapi/document';
import { routeGroups } from '#pillarbox/http/routes/index';
import { freshSqlite } from '../databases.js';
import { aMailThatIs, fatefulCarrier } from './fates.js';
import { Office } from './office.js';

/** What somebody writes who has nothing but the published document. */
const RIGHT = `
import type { Client } from 'openapi-fetch';
import type { paths } from './api.js';

export async function program(api: Client<paths>) {
  const sent = await api.POST('/api/outbox', {
    params: { header: { 'idempotency-key': 'booking-1' } },
    body: { to: { email: 'ada@example.org' }, subject: 'Booked', text: 'On Monday.', mode: 'queue' },
  });
  const mail = sent.data?.data;
  const id: string | undefined = mail?.id;
  const became: string = !mail ? 'refused' : 'duplicate' in mail ? 'known' : mail.delivered ? 'sent' : mail.state;

  const first = await api.GET('/api/messages', { params: { query: { lane: 'outbox', limit: 1 } } });
  const cursor: string | undefined = first.data?.data.nextCursor ?? undefined;
  const rest = await api.GET('/api/messages', { params: { query: { lane: 'outbox', cursor } } });
  const listed: string[] = [first, rest].flatMap(({ data }) => data?.data.items.map(({ to }) => to.email) ?? []);

  const dead = await api.GET('/api/messages', { params: { query: { state: 'dead' } } });
  const path = { id: dead.data?.data.items[0]?.id ?? '' };
  const retried = await api.POST('/api/messages/{id}/retry', { params: { path } });
  const state: 'scheduled' | 'other' = retried.data?.data.state === 'scheduled' ? 'scheduled' : 'other';
  const again = await api.POST('/api/messages/{id}/retry', { params: { path } });
  const code: 'illegal_move' | 'other' = again.error?.error.code === 'illegal_move' ? 'illegal_move' : 'other';
  return { id, became, listed, state, code };
}
`;

/** Each is a mistake that the types are there for. */
const MISTAKES = [
  `api.GET('/api/letters')`,
  `api.POST('/api/outbox', { body: { to: 'ada@example.org' } })`,
  `api.GET('/api/messages', { params: { query: { lane: 'pigeon' } } })`,
  `api.GET('/api/messages/{id}', { params: { path: { id: 'msg_1' } } }).then(({ data }) => data?.data.colour)`,
  `api.POST('/api/messages/{id}/retry', { params: { path: { id: 'msg_1' } } }).then(({ error }) => error?.error.code === 'raining')`,
];
const WRONG = [
  `import type { Client } from 'openapi-fetch';`,
  `import type { paths } from './api.js';`,
  `declare const api: Client<paths>;`,
  ...MISTAKES.map((mistake, n) => `export const mistake${String(n)} = ${mistake};`),
].join('\n');

/** As if these files lay beside this one. */
function compile(sources: Readonly<Record<string, string>>) {
  const options: ts.CompilerOptions = {
    ...{ strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
  };
  const files = new Map(
    Object.entries(sources).map(([name, text]) => [`${import.meta.dirname}/${name}`, text]),
  );
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (path) => files.has(path) || disk.fileExists(path);
  host.readFile = (path) => files.get(path) ?? disk.readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? disk.getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, text, language);
  };
  const emitted = new Map<string, string>();
  host.writeFile = (path, text) => emitted.set(path.split('/').at(-1)!, text);
  const program = ts.createProgram([...files.keys()], options, host);
  program.emit();
  const faultsIn = (name: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(`${import.meta.dirname}/${name}`))
      .map(({ file, start, messageText }) => ({
        line: file?.getLineAndCharacterOfPosition(start ?? 0).line,
        text: ts.flattenDiagnosticMessageText(messageText, ' '),
      }));
  return { faultsIn, emitted };
}

describe('a client made of the published document', () => {
  let compiled: ReturnType<typeof compile>;

  beforeAll(async () => {
    const types = astToString(await openapiTS(JSON.stringify(documentOf(routeGroups)), { silent: true }));
    compiled = compile({ 'api.ts': types, 'right.ts': RIGHT, 'wrong.ts': WRONG });
  });

  test('is typed: what is right compiles', () => {
    expect(compiled.faultsIn('right.ts')).toEqual([]);
  });

  test('is typed: no mistake compiles', () => {
    const lines = new Set(compiled.faultsIn('wrong.ts').map(({ line }) => line));
    expect([...lines]).toEqual(MISTAKES.map((_, n) => n + 3));
  });

  test('sends, lists page by page, retries, and reads why not', async () => {
    const database = await freshSqlite();
    const office = await Office.open({ databaseUrl: database.url }, { carrier: fatefulCarrier() });
    try {
      await aMailThatIs('dead', office);
      const baseUrl = await office.app.listen({ host: '127.0.0.1', port: 0 });
      const code = `data:text/javascript,${encodeURIComponent(compiled.emitted.get('right.js')!)}`;
      const { program } = (await import(/* @vite-ignore */ code)) as {
        program: (api: Client<object>) => Promise<object>;
      };
      expect(await program(createClient({ baseUrl, headers: { ...office.admin.headers } }))).toEqual({
        id: expect.stringMatching(/^msg_/),
        became: 'scheduled',
        listed: ['ada@example.org', 'dead@example.org'],
        state: 'scheduled',
        code: 'illegal_move',
      });
    } finally {
      await office.close();
      await database.drop();
    }
  });
});
