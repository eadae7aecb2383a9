import type { databases } from '../databases.js';
import { postsOn } from '../engine/posts.js';
import { Office } from './office.js';

type Over = Parameters<typeof Office.open>[1];

/** For a `describe`: makes the body of a test that has an office of its own, closed whatever happens. */
export function officesOn(database: (typeof databases)[number]) {
  const onPosts = postsOn(database);
  return (act: (office: Office) => Promise<void>, over?: Over) =>
    onPosts(async ({ place }) => {
      const office = await Office.open(place, over);
      try {
        await act(office);
      } finally {
        await office.close();
      }
    });
}
