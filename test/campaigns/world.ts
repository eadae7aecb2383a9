import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from '#pillarbox/core/sending';
import type { Terms } from '#pillarbox/core/campaign';
import { silent } from '#pillarbox/log/log';
import { Planner } from '#pillarbox/campaigns/planner';
import { ask } from '#pillarbox/store/script';
import { ensureAccount } from '#pillarbox/store/scripts/accounts';
import { enrol, insertCampaign, changeCampaign, readCampaign } from '#pillarbox/store/scripts/campaigns';
import { reopen } from '#pillarbox/store/scripts/openings';
import type { SequenceStep } from '#pillarbox/store/scripts/sequences';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import type { Store } from '#pillarbox/store/store';

/** A Monday, before the window opens, in a zone without surprises. */
export const MONDAY = Date.parse('2026-11-16T06:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Place {
  readonly store: Store;
  readonly workspaceId: number;
}

export const step = (order: number, over: Partial<SequenceStep> = {}): SequenceStep => ({
  order,
  delayDays: order === 1 ? 0 : 3,
  delayUnit: 'days',
  action: 'email',
  subject: `Step ${String(order)}`,
  body: 'Hello {{ contact.name }}',
  bodyText: null,
  ...over,
});

export async function makeSequence(
  { store, workspaceId }: Place,
  steps: readonly SequenceStep[],
): Promise<number> {
  return store.transaction(function* () {
    const [row] = yield* ask(
      store.db
        .insertInto('sequences')
        .values({ workspace_id: workspaceId, name: 'Hello', version: 1, created_at: 1, updated_at: 1 })
        .returning('id'),
    );
    yield* ask(
      store.db
        .insertInto('sequence_versions')
        .values({ sequence_id: row!.id, version: 1, steps: JSON.stringify(steps), created_at: 1 }),
    );
    return row!.id;
  });
}

export async function makeContacts(
  { store, workspaceId }: Place,
  count: number,
  over: (n: number) => Partial<{ email: string | null; linkedin_id: string; timezone: string }> = () => ({}),
): Promise<readonly number[]> {
  return store.transaction(function* () {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const [row] = yield* ask(
        store.db
          .insertInto('contacts')
          .values({
            workspace_id: workspaceId,
            email: `person${String(n)}@example.org`,
            name: `Person ${String(n)}`,
            attributes: '{}',
            created_at: 1,
            updated_at: 1,
            ...over(n),
          })
          .returning('id'),
      );
      ids.push(row!.id);
    }
    return ids;
  });
}

export async function makeAccount(
  { store, workspaceId }: Place,
  name: string,
  sending: AccountSending = {},
  type: 'email' | 'linkedin' = 'email',
): Promise<number> {
  return store.transaction(function* () {
    const { id } = yield* ensureAccount(
      store,
      workspaceId,
      { name, emailAddress: `${name}@example.com`, displayName: name, transport: '{}' },
      1,
    );
    yield* ask(
      store.db
        .updateTable('accounts')
        .set({ sending: JSON.stringify(sending), type })
        .where('id', '=', id),
    );
    return id;
  });
}

export async function settle(place: Place, over: Partial<SendingSettings> = {}): Promise<void> {
  const { store, workspaceId } = place;
  await store.transaction(function* () {
    yield* writeSettings(store, workspaceId, 'sending', { ...SENDING_DEFAULTS, ...over });
    yield* reopen(store, { workspaceId });
  });
}

export interface Wanted {
  readonly sequenceId: number | null;
  readonly accountIds: readonly number[];
  readonly contactIds: readonly number[];
  readonly terms?: Partial<Terms>;
}

/** A campaign that runs, with nobody planned yet. */
export async function makeCampaign(place: Place, wanted: Wanted): Promise<number> {
  const { store, workspaceId } = place;
  return store.transaction(function* () {
    const { sequenceId, accountIds, terms = {} } = wanted;
    const id = yield* insertCampaign(
      store,
      {
        ...{ workspaceId, name: 'autumn', sequenceId, accountIds, stopOnReply: true, seed: 7 },
        terms: JSON.stringify(terms),
      },
      MONDAY,
    );
    const campaign = (yield* readCampaign(store, workspaceId, id, { lock: true }))!;
    yield* enrol(store, campaign, wanted.contactIds, MONDAY);
    yield* changeCampaign(store, id, { state: 'running', sequence_version: 1 }, MONDAY);
    return id;
  });
}

export async function add(place: Place, campaignId: number, contactIds: readonly number[]): Promise<void> {
  const { store, workspaceId } = place;
  await store.transaction(function* () {
    const campaign = (yield* readCampaign(store, workspaceId, campaignId, { lock: true }))!;
    yield* enrol(store, campaign, contactIds, MONDAY);
  });
}

export const plannerOf = (store: Store, owner = 'planner'): Planner =>
  new Planner({
    ...{ store, log: silent, owner, leaseMs: 30_000 },
    links: { unsubscribeUrl: () => 'https://mail.example/u/x' },
  });

export interface PlanRowSeen {
  readonly key: string;
  readonly account: number;
  readonly at: number;
  readonly line: number;
  readonly step: number;
  readonly contact: number;
  readonly closes: number | null;
}

/** What is planned, in the order of its times. */
export async function planOf({ store }: Place): Promise<readonly PlanRowSeen[]> {
  return store.read(
    (function* () {
      return (yield {
        sql: `select m.idempotency_key as key, c.account_id as account, d.due_at as at, d.alone as line,
            m.step_number as step, m.contact_id as contact, d.closes_at as closes
          from ${store.at('due')} d join ${store.at('messages')} m on m.id = d.message_id
          join ${store.at('channels')} c on c.id = m.channel_id order by d.due_at, m.id`,
        parameters: [],
      }) as readonly PlanRowSeen[];
    })(),
  );
}

export const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
