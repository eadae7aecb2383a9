import { formatId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import type { Script } from '../store/script.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import {
  readRecentEndings,
  readRecentTries,
  type RecentEnding,
  type RecentTry,
} from '../store/scripts/campaign-recent.js';
import type { Store } from '../store/store.js';

/** One thing that has happened in a campaign. */
export interface Happening {
  readonly at: number;
  /** What it looks like: of a try what became of the mail, of a person who left it `cancelled`. */
  readonly state: State;
  readonly contactId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  /** Null: it is about the person. */
  readonly messageId: string | null;
  readonly step: number | null;
  readonly accountId: string | null;
  /** What a server said, or why the person left it. */
  readonly note: string | null;
}

/** The last tries and the last who left it, newest first. */
export function* recentOf(store: Store, campaign: CampaignRow, limit: number): Script<readonly Happening[]> {
  const accounts = JSON.parse(campaign.account_ids) as readonly number[];
  const tries = yield* readRecentTries(store, campaign.id, accounts, limit);
  const endings = yield* readRecentEndings(store, campaign.id, limit);
  return [...tries.map(ofTry), ...endings.map(ofEnding)]
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit);
}

const ofTry = (found: RecentTry): Happening => ({
  at: found.at,
  state: found.outcome === 'success' ? 'sent' : (found.state ?? 'retry_scheduled'),
  contactId: found.contactId === null ? null : formatId('contact', found.contactId),
  name: found.name,
  email: found.email,
  messageId: formatId('message', found.messageId),
  step: found.step,
  accountId: formatId('account', found.accountId),
  note: found.outcome === 'success' ? null : found.error,
});

const ofEnding = ({ at, contactId, name, email, state }: RecentEnding): Happening => ({
  ...{ at, state: 'cancelled', contactId: formatId('contact', contactId), name, email },
  ...{ messageId: null, step: null, accountId: null, note: state },
});
