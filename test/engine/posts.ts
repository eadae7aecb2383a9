import type { PillarboxOptions } from 'pillarbox';
import { afterEach, beforeEach } from 'vitest';
import type { FreshDatabase } from '../databases.js';
import type { Carrier } from './carrier.js';
import { Post } from './post.js';

/** For a `describe`: a database of its own for each test, and posts on it that are stopped with it. */
export function usePosts(fresh: () => Promise<FreshDatabase>) {
  let database: FreshDatabase;
  let posts: Post[] = [];

  beforeEach(async () => {
    database = await fresh();
  });

  afterEach(async () => {
    await Promise.all(posts.splice(0).map((post) => post.box.stop()));
    await database.drop();
  });

  const open = async (carrier?: Carrier, options: Partial<PillarboxOptions> = {}): Promise<Post> => {
    const post = await Post.open(database.url, carrier, options);
    posts = [...posts, post];
    return post;
  };

  return {
    get url(): string {
      return database.url;
    },
    /** Without a worker. */
    open,
    /** With a worker. */
    start: async (carrier?: Carrier, options?: Partial<PillarboxOptions>): Promise<Post> => {
      const post = await open(carrier, options);
      await post.box.start();
      return post;
    },
  };
}
