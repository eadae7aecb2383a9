import { Changes } from './changes.js';

/** What arrived at a far side: one entry a dot, whatever became of the answer. It outlives every worker. */
export class Arrivals<Mail extends { readonly to: string }> {
  readonly delivered: Mail[] = [];
  readonly changes = new Changes();

  copiesOf(to: string): number {
    return this.delivered.filter((mail) => mail.to === to).length;
  }

  /** Resolves as soon as something that arrives makes it true. */
  until(what: string, condition: () => boolean, timeoutMs?: number): Promise<void> {
    return this.changes.until(what, condition, timeoutMs);
  }
}
