// @ts-check
// `npm start`: builds what has changed, then serves API, worker and catcher on SQLite, to try things out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(build.status ?? 1);

process.chdir(root);
process.env['PILLARBOX_DEMO'] ??= '1';
// Whoever watches a terminal wants to see what is wrong, not all that is right.
process.env['LOG_LEVEL'] ??= 'warn';
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main([process.execPath, 'pillarbox', 'serve', ...process.argv.slice(2)]);
