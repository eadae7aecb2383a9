import { Worker } from 'node:worker_threads';
import { invalidInput } from '../core/errors.js';
import { forPeople } from '../core/text.js';
import type { MjmlSaid } from './mjml-thread.js';
import { Turns } from './turns.js';

const DEADLINE_MS = 20_000;
const MEMORY_MB = 256;
/** Each is a thread with the whole package in it. */
const turns = new Turns(2);

/** Files of this machine are nobody's who writes a template. Left out in silence, a part of his mail would be missing. */
const INCLUDE = /<\s*mj-include\b/i;

/** Of tests: another package in its place, and less time. */
export interface MjmlOptions {
  readonly program?: string;
  readonly deadlineMs?: number;
}

/**
 * MJML as html, when a template is saved. The package is large and few need it: it is used if it is installed beside
 * Pillarbox. It runs in a thread of its own that ends with it. Throws `invalid_input`, or `busy`.
 */
export async function htmlOfMjml(
  workspaceId: number,
  mjml: string,
  { program = 'mjml', deadlineMs = DEADLINE_MS }: MjmlOptions = {},
): Promise<string> {
  if (INCLUDE.test(mjml))
    throw invalidInput(
      'mjml',
      'has an mj-include, and no files are read here; put what it says in its place',
    );
  const said = await turns.run(workspaceId, () => ask(mjml, program, deadlineMs));
  if ('html' in said) return said.html;
  throw invalidInput('mjml', 'fault' in said ? forPeople(said.fault, 500) : NOT_INSTALLED);
}

const NOT_INSTALLED =
  'can not be read here: the package “mjml” is not installed (npm install mjml), or give html instead';

function ask(mjml: string, program: string, deadlineMs: number): Promise<MjmlSaid> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./mjml-thread.js', import.meta.url), {
      workerData: { mjml, program },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    const end = (said: MjmlSaid) => {
      clearTimeout(watch);
      resolve(said);
      void worker.terminate();
    };
    const watch = setTimeout(() => end({ fault: 'took too long, and was stopped' }), deadlineMs);
    worker.on('message', end);
    worker.on('error', () => end({ fault: 'took too much memory, or could not be read at all' }));
    worker.on('exit', () => end({ fault: 'could not be read at all' }));
  });
}
