// @ts-check
// Makes one file of each library below src/vendor: opening hundreds of them took longer than most commands.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The licence stands where the code does. */
const LICENCES = { kysely: 'kysely/LICENSE', typebox: 'typebox/license' };

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const [name, licence] of Object.entries(LICENCES)) {
  const text = await readFile(`node_modules/${licence}`, 'utf8');
  const bundle = await rolldown({
    input: `src/vendor/${name}.ts`,
    platform: 'node',
    // Built-in modules are Node's; everything else is inside.
    external: /^node:/,
  });
  await bundle.write({ file: `dist/vendor/${name}.js`, format: 'esm', banner: `/*!\n${text.trim()}\n*/` });
  await bundle.close();
}
