import { parentPort, workerData } from 'node:worker_threads';

/** What came of it; nothing: the package is not there. */
export type MjmlSaid = { readonly html: string } | { readonly fault: string } | { readonly missing: true };

type Compile = (mjml: string, options: object) => Made | Promise<Made>;
interface Made {
  readonly html?: unknown;
  readonly errors?: readonly MjmlError[];
}

interface MjmlError {
  readonly line?: number;
  readonly tagName?: string;
  readonly message?: string;
}

const { mjml, program } = workerData as { readonly mjml: string; readonly program: string };
parentPort?.postMessage(await said());

async function said(): Promise<MjmlSaid> {
  let compile: Compile;
  try {
    ({ default: compile } = (await import(program)) as { default: Compile });
  } catch {
    return { missing: true };
  }
  try {
    const made = await compile(mjml, { validationLevel: 'soft', ignoreIncludes: true, keepComments: false });
    const [error] = made.errors ?? [];
    if (error) return { fault: inWords(error) };
    return typeof made.html === 'string' ? { html: made.html } : { fault: 'gave no html' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'does not make sense' };
  }
}

/** Its own sentence names the folder of this process, which is nobody's business. */
function inWords({ line, tagName, message = 'does not make sense' }: MjmlError): string {
  const place = [
    ...(line === undefined ? [] : [`line ${String(line)}`]),
    ...(tagName === undefined ? [] : [tagName]),
  ];
  return [...place, message].join(': ');
}
