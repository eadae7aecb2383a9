import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** By which others know what works in this process: where it is, and never the name of one before it. */
export const processName = (): string =>
  `${hostname()}:${String(process.pid)}:${randomBytes(3).toString('hex')}`;
