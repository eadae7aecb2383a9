import type { Description } from '../../core/simulation.js';
import { SENDING_DEFAULTS, type SendingSettings } from '../../core/sending.js';
import type { SequenceStep } from '../../core/sequence.js';
import { insertMany } from '../bulk.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { ensureAccount, ensureWorkspace } from './accounts.js';
import { insertCampaign } from './campaigns.js';
import { addSequence } from './sequences.js';
import { writeSettings } from './settings.js';

/** The same in every run: who describes the same sees the same. */
const SEED = 1;
const columns = (...names: readonly string[]) => names.map((name) => ({ name, type: 'text' }) as const);

/** A workspace with one campaign that nobody has made, as a draft. */
export function* makeDescribed(
  store: Store,
  { people, steps, accounts, quota, delayDays, timezone }: Description,
  now: number,
): Script<{ readonly workspaceId: number; readonly campaignId: number }> {
  const workspaceId = yield* ensureWorkspace(store, 'simulated', now);
  const sending: SendingSettings = { ...SENDING_DEFAULTS, timezone, dailyQuota: accounts * quota };
  yield* writeSettings(store, workspaceId, 'sending', sending);
  const accountIds: number[] = [];
  for (let n = 1; n <= accounts; n += 1)
    accountIds.push(yield* addAccount(store, workspaceId, n, quota, now));
  const sequence = yield* addSequence(
    store,
    workspaceId,
    { name: 'described', steps: Array.from({ length: steps }, (_, n) => stepOf(n + 1, delayDays)) },
    now,
  );
  const campaignId = yield* insertCampaign(
    store,
    {
      ...{ workspaceId, name: 'described', sequenceId: sequence.id, accountIds, terms: '{}' },
      ...{ stopOnReply: true, seed: SEED },
    },
    now,
  );
  yield* addPeople(store, { workspaceId, campaignId, people }, now);
  return { workspaceId, campaignId };
}

function* addAccount(
  store: Store,
  workspaceId: number,
  number: number,
  quota: number,
  now: number,
): Script<number> {
  const wanted = {
    ...{ name: `account ${number}`, emailAddress: `account${number}@example.org` },
    ...{ displayName: null, transport: '{}' },
  };
  const { id } = yield* ensureAccount(store, workspaceId, wanted, now);
  const sending = JSON.stringify({ dailyLimitEmails: quota });
  yield* ask(store.db.updateTable('accounts').set({ sending }).where('id', '=', id));
  return id;
}

const stepOf = (order: number, delayDays: number): SequenceStep => ({
  ...{ order, delayDays: order === 1 ? 0 : delayDays, delayUnit: 'days', action: 'email' },
  ...{ subject: order === 1 ? 'Hello' : null, body: 'Hello', bodyText: null },
});

function* addPeople(
  store: Store,
  { workspaceId, campaignId, people }: { workspaceId: number; campaignId: number; people: number },
  now: number,
): Script<void> {
  const numbers = Array.from({ length: people }, (_, n) => n + 1);
  yield* insertMany(
    store,
    'contacts',
    columns('id', 'workspace_id', 'email', 'created_at', 'updated_at'),
    numbers.map((n) => [n, workspaceId, `person${n}@example.org`, now, now]),
  );
  yield* insertMany(
    store,
    'enrolments',
    columns('campaign_id', 'contact_id', 'workspace_id', 'position', 'state', 'enrolled_at', 'changed_at'),
    numbers.map((n) => [campaignId, n, workspaceId, n, 'active', now, now]),
  );
  yield* askOne(
    store.db.updateTable('campaigns').set({ enrolled: people }).where('id', '=', campaignId).returning('id'),
  );
}
