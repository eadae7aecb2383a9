import { InvalidArgumentError } from 'commander';
import { nameFault } from '../core/access.js';

/** Of a workspace or a key. */
export function parseName(text: string): string {
  const fault = nameFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return text;
}
