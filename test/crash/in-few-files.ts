import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const inTheProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Beside what starts it, as in the product. */
const THREAD = 'renewer-thread';

/**
 * A program beside this file, with all that it loads of the product in a few files: tests start it by the dozen, and to open
 * hundreds of files takes half of a start. What it finds libraries by lies beside it.
 */
export async function inFewFiles(program: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'pillarbox-program-'));
  symlinkSync(inTheProject('node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const bundle = await rolldown({
    input: {
      program: inTheProject(`test/crash/${program}`),
      [THREAD]: inTheProject(`dist/engine/${THREAD}.js`),
    },
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id) && !/^pillarbox\b/.test(id),
  });
  await bundle.write({ dir, format: 'esm' });
  await bundle.close();
  return join(dir, 'program.js');
}
