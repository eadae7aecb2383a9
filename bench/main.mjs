// @ts-check
import { readOptions, USAGE } from './options.mjs';
import { prepare } from './prepare.mjs';

const options = readOptions(process.argv.slice(2));
if ('wrong' in options) {
  console.error(`${options.wrong}\n\n${USAGE}`);
  process.exitCode = 2;
} else if (options.help) {
  console.log(USAGE);
} else {
  await prepare();
  // Only now are the peers there to be imported.
  const { bench } = await import('./bench.mjs');
  await bench(options);
}
