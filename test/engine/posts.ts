import type { PillarboxOptions } from 'pillarbox';
import { afterAll } from 'vitest';
import type { databases, FreshDatabase } from '../databases.js';
import { callerOf } from './caller.js';
import type { Carrier } from './carrier.js';
import { Post } from './post.js';

/** Where the tables are. */
export interface Place {
  readonly databaseUrl: string;
  readonly schema?: string;
}

/** The posts of one test, all on the same tables. */
export class Posts {
  readonly #open: Post[] = [];

  constructor(readonly place: Place) {}

  /** Without a worker. */
  async open(carrier?: Carrier, options: Partial<PillarboxOptions> = {}): Promise<Post> {
    const post = await Post.open(this.place, carrier, options);
    this.#open.push(post);
    return post;
  }

  /** With a worker. */
  async start(carrier?: Carrier, options?: Partial<PillarboxOptions>): Promise<Post> {
    const post = await this.open(carrier, options);
    await post.box.start();
    return post;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map(({ box }) => box.stop()));
  }
}

/**
 * For a `describe`: makes the body of a test that has posts of its own, closed whatever happens. On PostgreSQL the
 * tests share a database and each has a schema: making a database takes longer than most of them.
 */
export function postsOn(database: (typeof databases)[number]) {
  let shared: Promise<FreshDatabase> | undefined;
  let schemas = 0;
  afterAll(async () => {
    await (await shared)?.drop();
  });

  const settle = async (): Promise<Place & { readonly leave: () => Promise<void> }> => {
    if (database.name === 'SQLite') {
      const own = await database.fresh();
      return { databaseUrl: own.url, leave: () => own.drop() };
    }
    shared ??= hasty(database.fresh());
    schemas += 1;
    const schema = `box_${schemas}`;
    return { databaseUrl: (await shared).url, schema, leave: () => Promise.resolve() };
  };

  return (act: (posts: Posts) => Promise<void>) => async (): Promise<void> => {
    const { leave, ...place } = await settle();
    const posts = new Posts(place);
    const failures: unknown[] = [];
    // What went wrong first is what the test is about.
    for (const step of [() => act(posts), () => posts.close(), leave]) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
}

/** The server does not crash in these tests: a commit need not wait for the disk. */
async function hasty(fresh: Promise<FreshDatabase>): Promise<FreshDatabase> {
  const database = await fresh;
  const caller = await callerOf({ databaseUrl: database.url });
  const name = new URL(database.url).pathname.slice(1);
  await caller.run(`alter database ${name} set synchronous_commit to off`);
  await caller.end();
  return database;
}
