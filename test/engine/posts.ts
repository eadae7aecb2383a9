import type { PillarboxOptions } from 'pillarbox';
import type { databases } from '../databases.js';
import type { Carrier } from './carrier.js';
import { Post } from './post.js';

/** Where the tables are. */
export type Place = Pick<PillarboxOptions, 'databaseUrl'>;

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

/** For a `describe`: makes the body of a test that has posts of its own, closed whatever happens. */
export function postsOn(database: (typeof databases)[number]) {
  return (act: (posts: Posts) => Promise<void>) => async (): Promise<void> => {
    const own = await database.ready();
    const posts = new Posts({ databaseUrl: own.url });
    const failures: unknown[] = [];
    // What went wrong first is what the test is about.
    for (const step of [() => act(posts), () => posts.close(), () => own.drop()]) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
}
