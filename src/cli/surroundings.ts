import { AsyncLocalStorage } from 'node:async_hooks';

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string | Uint8Array): unknown;
}

/** What a command line reads and writes. A process is one. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface CommandLine {
  readonly around: Surroundings;
  exitCode: number;
}

const running = new AsyncLocalStorage<CommandLine>();

/** Of the command line that is being run: several in one process do not see each other's. */
export const surroundings = (): Surroundings => running.getStore()?.around ?? process;

/** For a command that has said what it found, and did not throw. */
export function endWith(exitCode: number): void {
  const line = running.getStore();
  if (line) line.exitCode = exitCode;
}

/** Answers the exit code that the work has asked for, which is 0 if it asked for none. */
export async function within(around: Surroundings, work: () => Promise<unknown>): Promise<number> {
  const line: CommandLine = { around, exitCode: 0 };
  await running.run(line, work);
  return line.exitCode;
}
