// @ts-check
// `npm start`: builds what has changed, then serves API, worker, admin UI and catcher on SQLite, with demo data.
import { spawnSync } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** When the server was last built here. The compiler leaves what has not changed as old as it is. */
const STAMP = 'dist/.built';
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';

/** @param {readonly string[]} args Of this Node. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (isStale(STAMP, ['src', 'contracts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'])) {
  const began = new Date();
  run(TYPESCRIPT, '-p', 'tsconfig.build.json');
  run('scripts/bundle-vendor.mjs');
  run('scripts/compile-contracts.mjs');
  writeFileSync(STAMP, '');
  // What was changed meanwhile is newer than this.
  utimesSync(STAMP, began, began);
}
if (existsSync('web') && isStale('dist/web/index.html', ['web', 'vite.config.ts', 'package-lock.json'])) {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) {
    console.error('The admin UI is not built: npm run build:web, or start with npm start.');
    process.exit(1);
  }
  run(npm, 'run', '--silent', 'build:web');
}

process.env['PILLARBOX_DEMO'] ??= '1';
// Whoever watches a terminal wants to see what is wrong, not all that is right.
process.env['LOG_LEVEL'] ??= 'warn';
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
