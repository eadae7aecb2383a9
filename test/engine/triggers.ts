import { callerOf } from './caller.js';
import type { Place } from './posts.js';

/** Refuses what is written into one table under a condition, as a database does that finds a value wrong. */
export interface Refusal {
  readonly table: 'accounts' | 'attempts' | 'imports' | 'outcomes' | 'suppressions';
  /** Unless it is said, what is inserted. */
  readonly on?: 'update';
  /** In terms of `new`. */
  readonly when: string;
}

/** Plants it, and answers how to take it away. */
export async function refuse(place: Place, { table, on, when }: Refusal): Promise<() => Promise<void>> {
  const { databaseUrl } = place;
  const caller = await callerOf(place);
  const at = databaseUrl.startsWith('sqlite:') ? table : `pillarbox.${table}`;
  const name = `refuse_${table}`;
  const event = on ?? 'insert';
  if (databaseUrl.startsWith('sqlite:')) {
    await caller.run(
      `create trigger ${name} before ${event} on ${at} when ${when} begin select raise(abort, 'planted'); end`,
    );
  } else {
    await caller.run(`create function ${at}_refuse() returns trigger language plpgsql as $$
      begin raise exception 'planted'; end $$`);
    await caller.run(
      `create trigger ${name} before ${event} on ${at} for each row when (${when}) execute function ${at}_refuse()`,
    );
  }
  return async () => {
    await caller.run(
      databaseUrl.startsWith('sqlite:') ? `drop trigger ${name}` : `drop trigger ${name} on ${at}`,
    );
    await caller.end();
  };
}
