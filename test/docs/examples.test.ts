import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { blocksOf, PAGES, ROOT } from './pages.js';

/** What examples take for granted: the rest of the program that they stand in. */
const SURROUNDINGS = `
import type { Client } from 'pg';
import type { MailInput, Pillarbox } from 'pillarbox';
import type * as fs from 'node:fs';
declare global {
  const box: Pillarbox;
  const mail: MailInput;
  const client: Client;
  const databaseUrl: string;
  const createReadStream: typeof fs.createReadStream;
}
`;

const OPTIONS: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], types: ['node'] },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ...{ strict: true, skipLibCheck: true, noEmit: true },
};

test('every example in TypeScript is one that the published types allow', () => {
  const files = new Map([[join(ROOT, 'test/docs/surroundings.d.ts'), SURROUNDINGS]]);
  for (const { page, line, code } of PAGES.flatMap((each) => blocksOf(each, 'ts')))
    files.set(
      join(ROOT, 'test/docs', `${page.replace('/', ' ')} line ${String(line)}.mts`),
      `${code}\nexport {};\n`,
    );
  expect(files.size).toBeGreaterThan(8);
  const host = ts.createCompilerHost(OPTIONS);
  const disk = ts.createCompilerHost(OPTIONS);
  host.fileExists = (path) => files.has(path) || disk.fileExists(path);
  host.readFile = (path) => files.get(path) ?? disk.readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? disk.getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const at = file
      ? `${file.fileName}: ${String(file.getLineAndCharacterOfPosition(start).line + 1)}: `
      : '';
    return at + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
  expect(faults).toEqual([]);
});
