import { afterEach, beforeEach } from 'vitest';
import type { ErrorClass } from '#pillarbox/core/report';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { ask } from '#pillarbox/store/script';
import { ensureAccount, ensureChannel, ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import type { Script } from '#pillarbox/store/script';
import type {
  Claim,
  ClaimedMessage,
  GateEntry,
  NewMessage,
  SettleEntry,
  Store,
} from '#pillarbox/store/store';
import type { FreshDatabase } from '../databases.js';

export const LEASE_MS = 60_000;

/** One workspace with one account and its outbox channel: the least that a message needs. */
export interface Fixture {
  readonly store: Store;
  readonly workspaceId: number;
  readonly accountId: number;
  readonly channelId: number;
}

export async function openFixture(
  url: string,
  options: { leaseMs?: number; clock?: string } = {},
): Promise<Fixture> {
  const store = await openStore({
    databaseUrl: url,
    leaseMs: options.leaseMs ?? LEASE_MS,
    clock: options.clock,
    log: silent,
  });
  return { store, ...(await store.transaction(anAccount(store, 'default'))) };
}

/** For a `describe`: one for each test, on a database of its own. */
export function useFixture(make: () => Promise<FreshDatabase>): Fixture & { readonly url: string } {
  let database: FreshDatabase;
  let fixture: Fixture;
  beforeEach(async () => {
    database = await make();
    fixture = await openFixture(database.url);
  });
  afterEach(async () => {
    await fixture.store.close();
    await database.drop();
  });
  return {
    get url() {
      return database.url;
    },
    get store() {
      return fixture.store;
    },
    get workspaceId() {
      return fixture.workspaceId;
    },
    get accountId() {
      return fixture.accountId;
    },
    get channelId() {
      return fixture.channelId;
    },
  };
}

export function* anAccount(store: Store, workspace: string): Script<Omit<Fixture, 'store'>> {
  const workspaceId = yield* ensureWorkspace(store, workspace, 1);
  const account = { name: 'main', emailAddress: 'box@example.org', displayName: null, transport: '{}' };
  const { id: accountId } = yield* ensureAccount(store, workspaceId, account, 1);
  const channelId = yield* ensureChannel(store, accountId, 'email', 'outbox');
  return { workspaceId, accountId, channelId };
}

export const aMessage = (fixture: Fixture, over: Partial<NewMessage> = {}): NewMessage => ({
  workspaceId: fixture.workspaceId,
  channelId: fixture.channelId,
  lane: 'outbox',
  action: 'email',
  idempotencyKey: null,
  bodyHash: null,
  recipient: 'ada@example.org',
  recipientName: null,
  sender: 'box@example.org',
  subject: 'Hello',
  dueAt: null,
  expiresAt: null,
  retryPolicy: 'outbox',
  doubtPolicy: 'hold',
  transactional: false,
  traceId: null,
  mail: '{}',
  ...over,
});

/** Stores one message and answers its number. */
export async function put(fixture: Fixture, over: Partial<NewMessage> = {}): Promise<number> {
  const [enqueued] = await fixture.store.enqueue([aMessage(fixture, over)]);
  return enqueued!.id;
}

export async function take(
  fixture: Fixture,
  limit = 10,
  over: { owner?: string; alone?: boolean } = {},
): Promise<Claim> {
  const shares = [{ channelId: fixture.channelId, limit }];
  const claim = await fixture.store.claim({
    owner: over.owner ?? 'worker',
    shares,
    alone: over.alone ?? false,
  });
  if (!claim) throw new Error('there was nothing to claim');
  return claim;
}

export const nothingToTake = async (fixture: Fixture, alone = false): Promise<boolean> =>
  (await fixture.store.claim({ owner: 'w', shares: [{ channelId: fixture.channelId, limit: 9 }], alone })) ===
  undefined;

export const asking = ({ lease }: Pick<Claim, 'lease'>, message: ClaimedMessage): GateEntry => ({
  lease,
  message,
});

export const result = (
  claim: Pick<Claim, 'lease'>,
  message: ClaimedMessage,
  over: Partial<SettleEntry> = {},
): SettleEntry => ({
  lease: claim.lease,
  id: message.id,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  event: 'accepted',
  attempts: message.attempts + 1,
  attempt: { outcome: 'success', startedAt: 1, handedAt: 2, worker: 'worker' },
  ...over,
});

export const failedTry = {
  outcome: 'failed',
  startedAt: 1,
  handedAt: null,
  errorClass: 'retryable',
  errorCode: '451',
  error: 'busy',
  worker: 'worker',
} as const;

/** As a settlement notes it. */
export async function noteCause(
  { store, workspaceId }: Fixture,
  cause: { fingerprint: string; transport: string; class: ErrorClass; code: string; sample: string },
): Promise<void> {
  await store.transaction(
    ask(store.db.insertInto('dead_causes').values({ workspace_id: workspaceId, ...cause })),
  );
}

/** Makes every lease run out, as if a lease's time had passed. */
export async function letLeasesRunOut({ store }: Pick<Fixture, 'store'>): Promise<void> {
  await store.transaction(
    (function* () {
      yield { sql: `update ${store.at('leases')} set until = 0`, parameters: [] };
    })(),
  );
}

export async function rows<Row>({ store }: Fixture, sql: string): Promise<readonly Row[]> {
  return store.read(
    (function* () {
      return (yield { sql, parameters: [] }) as readonly Row[];
    })(),
  );
}
