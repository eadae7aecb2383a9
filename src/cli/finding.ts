import type { Config } from '../service/config.js';
import type { Level } from './terminal.js';

/** What was looked at, and how it is. */
export interface Finding {
  readonly what: string;
  readonly level: Level;
  readonly text: string;
}

/** What is wrong with variables that can't be used, by their names. Each begins with the name, and is counted once. */
export type Faults = ReadonlyMap<string, string>;

/** What is looked with. */
export interface Known {
  /** Without those that can't be used, as if they had not been set. */
  readonly config: Config;
  readonly faults: Faults;
  /** Whether mail servers may be connected to. */
  readonly verify: boolean;
}
