/**
 * What a migration may need beside its statements when there are many rows. On PostgreSQL each part is done beside
 * the traffic, is written down when it is done, and goes on where it was when the process that did it has died.
 */

/** Rows to be changed in steps, each a transaction of its own. A step is done once; a killed one is done again. */
export interface Backfill {
  readonly name: string;
  /** The rows to walk over, by an ascending number. */
  readonly table: string;
  readonly key: string;
  /** How many rows of the table a step looks at. Default 20,000. */
  readonly step?: number;
  /** Changes what is to be changed in the rows with a key above `after`, up to `upTo`. */
  readonly statement: (after: number, upTo: number) => string;
}

/** An index on a table that may be large: built while others write. */
export interface LargeIndex {
  readonly name: string;
  readonly unique?: boolean;
  /** `${at('messages')} (workspace_id, …) where …` */
  readonly on: string;
}
