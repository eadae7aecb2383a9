import type { Level } from './terminal.js';

/** What was looked at, and how it is. */
export interface Finding {
  readonly what: string;
  readonly level: Level;
  readonly text: string;
}
