import { describe, expect, test, vi } from 'vitest';
import { Slots } from '#pillarbox/engine/slots';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { databases } from '../databases.js';
import { ScriptedServer } from '../smtp/scripted-server.js';
import { Carrier } from './carrier.js';
import { aMail, type Post } from './post.js';
import { postsOn, type Posts } from './posts.js';
import { Tarpit } from './tarpit.js';

type Workspace = Post['box']['home'];

const CONCURRENCY = 20;
const OPTIONS = {
  concurrency: CONCURRENCY,
  secret: 'a secret of some length',
  allowPrivateHosts: true,
  graceSeconds: 0,
};
/** More than the worker has slots, and more than it lends. */
const STUCK_MAILS = 60;
const MAILS = 100;

const workspaceOf = async ({ box }: Post, name: string): Promise<Workspace> =>
  box.workspace(await box.store.transaction(ensureWorkspace(box.store, name, 1)));

async function anAccount(workspace: Workspace, name: string, url: string): Promise<string> {
  const emailAddress = `${name}@example.org`;
  const transport = { kind: 'smtp', url } as const;
  return (await workspace.accounts.create({ name, emailAddress, transport, maxConnections: 20 })).id;
}

const putMany = async ({ outbox }: Workspace, accountId: string, many: number): Promise<void> => {
  const mails = Array.from({ length: many }, (_, n) => aMail({ to: `r${n}@example.org`, accountId }));
  expect((await outbox.enqueueMany(mails)).accepted).toBe(many);
};

describe.each(databases)('a worker on $name beside servers that say nothing', (database) => {
  const onPosts = postsOn(database);

  /** Every mail of the healthy account leaves while the tarpit still holds each connection it was given. */
  const beside =
    (
      act: (scene: {
        post: Post;
        tarpit: Tarpit;
        healthy: ScriptedServer;
        healthyUrl: string;
      }) => Promise<void>,
    ) =>
    async (posts: Posts): Promise<void> => {
      const tarpit = await Tarpit.start('hall');
      const healthy = await ScriptedServer.start();
      const healthyUrl = `smtp://127.0.0.1:${healthy.port}?tls=none`;
      try {
        await act({ post: await posts.start(new Carrier(), OPTIONS), tarpit, healthy, healthyUrl });
      } finally {
        await posts.close();
        await tarpit.close();
        await healthy.close();
      }
    };

  const leaves = async (healthy: ScriptedServer, tarpit: Tarpit, many: number) => {
    await expect.poll(() => healthy.dots).toBe(many);
    expect(tarpit.ended).toBe(0);
  };

  test(
    'lends another account its share of the slots, however little time has passed [T20]',
    onPosts(
      beside(async ({ post, tarpit, healthy, healthyUrl }) => {
        // No send is ever old enough to count as silent and leave its slot: only its share helps who comes late.
        const silence = vi.spyOn(Slots.prototype, 'freeSilent').mockReturnValue(0);
        try {
          const { home } = post.box;
          for (const name of ['stuck1', 'stuck2', 'stuck3']) {
            await putMany(home, await anAccount(home, name, tarpit.url), STUCK_MAILS);
          }
          await expect.poll(() => tarpit.holds).toBeGreaterThanOrEqual(CONCURRENCY);
          await putMany(home, await anAccount(home, 'good', healthyUrl), MAILS);
          await leaves(healthy, tarpit, MAILS);
          expect(tarpit.holds).toBeLessThanOrEqual(2 * CONCURRENCY);
        } finally {
          silence.mockRestore();
        }
      }),
    ),
  );

  test(
    'sends what another account of the workspace has, round after round [T20]',
    onPosts(
      beside(async ({ post, tarpit, healthy, healthyUrl }) => {
        const { home } = post.box;
        const good = await anAccount(home, 'good', healthyUrl);
        for (const name of ['stuck1', 'stuck2', 'stuck3']) {
          await putMany(home, await anAccount(home, name, tarpit.url), STUCK_MAILS);
        }
        await expect.poll(() => tarpit.holds).toBeGreaterThanOrEqual(CONCURRENCY);
        await putMany(home, good, MAILS);
        await leaves(healthy, tarpit, MAILS);
        // With another that hangs, which has all that the first three have left of their slots.
        const taken = tarpit.taken;
        await putMany(home, await anAccount(home, 'stuck4', tarpit.url), STUCK_MAILS);
        await expect.poll(() => tarpit.taken).toBeGreaterThan(taken);
        await putMany(home, good, MAILS);
        await leaves(healthy, tarpit, 2 * MAILS);
        expect(tarpit.holds).toBeLessThanOrEqual(6 * CONCURRENCY);
      }),
    ),
  );

  test(
    'sends what another workspace has, whichever and however many of them hang [T20]',
    onPosts(
      beside(async ({ post, tarpit, healthy, healthyUrl }) => {
        for (const tenant of ['one', 'two', 'three', 'four']) {
          const workspace = await workspaceOf(post, tenant);
          for (const name of ['a', 'b', 'c']) {
            await putMany(workspace, await anAccount(workspace, name, tarpit.url), STUCK_MAILS);
          }
          await expect.poll(() => tarpit.holds).toBeGreaterThanOrEqual(CONCURRENCY);
        }
        const { home } = post.box;
        await putMany(home, await anAccount(home, 'good', healthyUrl), MAILS);
        await leaves(healthy, tarpit, MAILS);
        expect(tarpit.holds).toBeLessThanOrEqual(6 * CONCURRENCY);
      }),
    ),
  );

  test(
    'sends what another workspace has beside fifty accounts that hang',
    onPosts(
      beside(async ({ post, tarpit, healthy, healthyUrl }) => {
        const crowd = await workspaceOf(post, 'crowd');
        for (let n = 0; n < 50; n += 1) {
          await putMany(crowd, await anAccount(crowd, `stuck${n}`, tarpit.url), 10);
        }
        await expect.poll(() => tarpit.holds).toBeGreaterThanOrEqual(CONCURRENCY);
        const { home } = post.box;
        await putMany(home, await anAccount(home, 'good', healthyUrl), MAILS);
        await leaves(healthy, tarpit, MAILS);
        expect(tarpit.holds).toBeLessThanOrEqual(6 * CONCURRENCY);
      }),
    ),
  );
});
