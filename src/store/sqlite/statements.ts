import type { StatementSyncInstance } from '@photostructure/sqlite';

/** Of each half. Everything that a busy server asks fits into one. */
const HALF = 200;

/**
 * Prepared statements by their text, at most two halves of them: a text that is made anew with every question must not
 * fill the memory. What was used lately is in the young half. When that is full it becomes the old one, and what
 * nobody has asked for since goes. So whatever every message needs stays, and finding it costs one look.
 *
 * A statement that goes while somebody holds it still works: its memory is given back when nobody does.
 */
export class Statements {
  #young = new Map<string, StatementSyncInstance>();
  #old = new Map<string, StatementSyncInstance>();

  constructor(private readonly make: (sql: string) => StatementSyncInstance) {}

  get(sql: string): StatementSyncInstance {
    const known = this.#young.get(sql);
    if (known) return known;
    const statement = this.#old.get(sql) ?? this.make(sql);
    if (this.#young.size === HALF) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(sql, statement);
    return statement;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
