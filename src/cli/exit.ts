import { PillarboxError } from '../core/errors.js';
import { messageInVariables } from '../service/variables.js';
import { harmless, sayAside } from './terminal.js';

/** 0 is done. */
export const EXIT = { failed: 1, wrongUsage: 2, violations: 3 } as const;

/** PostgreSQL's own codes: what it answers is about the setting or the server, and its words say what. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Says what went wrong, in one line where somebody can act on it, and answers the exit code. */
export function explainFault(error: unknown): number {
  if (error instanceof PillarboxError) {
    sayAside(messageInVariables(error).split('\n').map(harmless).join('\n'));
    return error.code === 'invalid_input' || error.code === 'invalid_config' ? EXIT.wrongUsage : EXIT.failed;
  }
  if (!(error instanceof Error)) {
    sayAside(String(error));
    return EXIT.failed;
  }
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && SQLSTATE.test(code))
    sayAside(`PostgreSQL: ${harmless(error.message)} (${code})`);
  else sayAside(error.stack ?? error.message);
  return EXIT.failed;
}
