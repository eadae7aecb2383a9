import type { Logger } from 'pino';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/**
 * The log of a process that stays. When nobody can read it any more, because the terminal has hung up or the pipe is
 * shut, it falls silent: pino would try the same line for ever, and the mail in hand would stand still with it.
 */
export async function openLog(level: string, descriptor: number): Promise<Logger> {
  const { destination, pino } = await import('pino');
  const output = destination(descriptor);
  const nothing = () => true;
  output.on('error', () => {
    Object.assign(output, { write: nothing, end: nothing, flushSync: nothing, destroy: nothing });
  });
  return pino({ level }, output);
}
