import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { freshDatabase } from '../postgres.js';
import { Carrier } from './carrier.js';
import { aMail } from './post.js';
import { Posts } from './posts.js';

/** Every table that a move or a decision writes to. */
const TABLES = ['messages', 'due', 'leases', 'outcomes', 'attempts', 'accounts', 'channels', 'suppressions'];

/**
 * From here on every seventh write fails as if the database had chosen it as a victim, now of a deadlock, now of a
 * serialization failure. What was counted stays counted: sequences are not rolled back.
 */
async function injectVictims(client: pg.Client): Promise<() => Promise<number>> {
  await client.query(`
    create sequence public.writes; create sequence public.victims;
    create function public.choose_victim() returns trigger language plpgsql as $$ begin
      if nextval('public.writes') % 7 = 0 then
        if nextval('public.victims') % 2 = 0 then raise exception 'injected' using errcode = '40P01'; end if;
        raise exception 'injected' using errcode = '40001';
      end if;
      return null;
    end $$`);
  for (const table of TABLES) {
    await client.query(`create trigger victims after insert or update or delete on pillarbox.${table}
      for each statement execute function public.choose_victim()`);
  }
  return async () => {
    const { rows } = await client.query<{ n: string }>('select last_value as n from public.victims');
    return Number(rows[0]!.n);
  };
}

describe('PostgreSQL that chooses victims', () => {
  test('mail flows and people decide as if nothing had happened [F24]', async () => {
    const database = await freshDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const posts = new Posts({ databaseUrl: database.url });
    try {
      const post = await posts.start(new Carrier());
      const victims = await injectVictims(client);
      const ids: string[] = [];
      for (let n = 0; n < 40; n += 1) {
        ids.push(await post.put({ to: `r${String(n)}@example.org` }));
        await post.box.suppress(`s${String(n)}@example.org`);
        if (n % 10 === 0) {
          await post.box.pause('a person wants it');
          const { id } = await post.box.outbox.enqueue(aMail());
          await post.box.messages.cancel(id);
          await post.box.resume();
        }
      }
      for (const id of ids) {
        await post.becomes('sent', id);
        expect(post.carrier.copiesOf(id)).toBe(1);
      }
      expect(await victims()).toBeGreaterThan(40);
    } finally {
      await posts.close();
      await client.end();
      await database.drop();
    }
  });
});
