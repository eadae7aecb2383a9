// @ts-check
// `npm start`: builds if needed and runs a worker with the development catcher.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(build.status ?? 1);

process.chdir(root);
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main([process.execPath, 'pillarbox', 'dev']);
