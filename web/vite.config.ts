import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const OUT = fileURLToPath(new URL('../dist/web', import.meta.url));
const SERVER = process.env['PILLARBOX_URL'] ?? 'http://127.0.0.1:8025';

const NEEDED_ANYWHERE =
  /node_modules\/(?:@tanstack\/|lucide-react\/dist\/esm\/icons\/x\.)|web\/src\/(?:pages\/campaigns\/hold-up\b|time|keys|store|session|api\/(?:client|query-client|connection|attended|settings|accounts)|parts\/(?:class-names|visible|untrusted|skeleton|changing|media|number-words|panel)\b)/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), licences(), compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // The content security policy knows no data: fonts, and a file can be cached for good.
    assetsInlineLimit: 0,
    target: 'es2022',
    // A browser that can't load ahead loads a moment later; what makes up for that would come to everybody.
    modulePreload: { polyfill: false },
    // The holidays of all countries: they come only to who asks for them.
    chunkSizeWarningLimit: 1_500,
    // What every page needs anyway is one file: each of many small ones costs a head, and is compressed alone.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: NEEDED_ANYWHERE }] } } },
  },
  // `npm run dev:web` beside a running server.
  server: { proxy: { '/api': SERVER, '/docs': SERVER, '/openapi.json': SERVER } },
});

/** The dates of public holidays are others' work, and say so beside the file that holds them. */
function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    closeBundle: () =>
      copyFile(
        new URL('../node_modules/date-holidays/LICENSE', import.meta.url),
        join(OUT, 'assets', 'date-holidays.LICENSE.txt'),
      ),
  };
}

/** Each file once more, compressed as well as can be: the server only picks. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(OUT, { recursive: true });
      for (const name of names.filter((each) => /\.(?:js|css|svg|html)$/.test(each))) {
        const path = join(OUT, name);
        await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
      }
    },
  };
}
