import { invalidInput } from '../core/errors.js';
import type { Script } from '../store/script.js';
import { alsoElsewhere } from '../store/scripts/campaign-figures.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { knownKeys, readProspects, type Prospect } from '../store/scripts/plan-pages.js';
import { suppressionsOf } from '../store/scripts/suppression-list.js';
import type { Store } from '../store/store.js';
import { lacks, type Needed } from './lacking.js';
import { firstKey, reachableBy, type PageFacts } from './page.js';
import { readWorld, type World } from './world.js';

/** What a warning of the dry run is about, so that those whom it concerns can be shown or left out. */
export const CONCERNS = ['known', 'suppressed', 'unreachable', 'others'] as const;
const LACKS = 'lacks:';

/** One of the words above, or what somebody lacks: `lacks:contact.attributes.company`. */
export type Concern =
  { readonly about: (typeof CONCERNS)[number] } | { readonly about: 'lacks'; readonly name: string };

export const lackOf = (name: string): string => `${LACKS}${name}`;

/** Throws `invalid_input`. */
export function readConcern(text: string): Concern {
  if (text.startsWith(LACKS)) return { about: 'lacks', name: text.slice(LACKS.length) };
  const about = CONCERNS.find((each) => each === text);
  if (!about)
    throw invalidInput('concern', `should be one of ${CONCERNS.join(', ')}, or ${lackOf('contact.name')}`);
  return { about };
}

const PEOPLE_AT_ONCE = 500;

export interface Concerned {
  readonly contactIds: readonly number[];
  /** Everybody up to this position was looked at; undefined: everybody. */
  readonly through: number | undefined;
}

/** The first so many whom it concerns, in their order, of those who are not planned yet. */
export function* concernedBy(
  store: Store,
  campaign: CampaignRow,
  concern: Concern,
  needed: readonly Needed[],
  { after, limit, now }: { readonly after: number; readonly limit: number; readonly now: number },
): Script<Concerned> {
  const world = yield* readWorld(store, campaign, now);
  const found: Prospect[] = [];
  for (let from = Math.max(after, campaign.planned_through); from < campaign.enrolled;) {
    const { prospects, through } = yield* readProspects(store, campaign, from, PEOPLE_AT_ONCE, {
      ...{ lock: false, attributes: concern.about === 'lacks' },
    });
    found.push(...(yield* among(store, campaign, world, concern, needed, prospects)));
    if (found.length >= limit) {
      const own = found.slice(0, limit);
      return { contactIds: own.map(({ contactId }) => contactId), through: own.at(-1)?.position };
    }
    from = through;
  }
  return { contactIds: found.map(({ contactId }) => contactId), through: undefined };
}

function* among(
  store: Store,
  campaign: CampaignRow,
  world: World,
  concern: Concern,
  needed: readonly Needed[],
  prospects: readonly Prospect[],
): Script<readonly Prospect[]> {
  if (concern.about === 'others') {
    const elsewhere = yield* alsoElsewhere(
      store,
      campaign.id,
      prospects.map(({ contactId }) => contactId),
    );
    return prospects.filter(({ contactId }) => elsewhere.has(contactId));
  }
  const facts = yield* readFacts(store, campaign, world, prospects);
  return prospects.filter((prospect) => {
    const key = firstKey(world, prospect);
    if (key !== undefined && facts.known.has(key)) return concern.about === 'known';
    const reachable = reachableBy(prospect, facts);
    if (concern.about === 'lacks')
      return needed.some(
        ({ name, action }) => name === concern.name && lacks(prospect, name, action, reachable),
      );
    const barred = prospect.email !== null && facts.suppressed.has(prospect.email);
    if (concern.about === 'suppressed') return barred;
    return (
      concern.about === 'unreachable' &&
      !barred &&
      !world.steps.every(({ action }) => reachable.includes(action) && canSend(world, action))
    );
  });
}

const canSend = ({ accounts }: World, action: string): boolean =>
  [...accounts.values()].some(({ account }) => (account.type === 'email') === (action === 'email'));

/** Who of these has had the sequence, and who must not be written to. */
export function* readFacts(
  store: Store,
  { workspace_id }: CampaignRow,
  world: World,
  prospects: readonly Prospect[],
): Script<PageFacts> {
  const addresses = prospects.flatMap(({ email }) => email ?? []);
  const errand = { lane: 'campaign', transactional: false } as const;
  return {
    known: yield* knownKeys(
      store,
      workspace_id,
      prospects.flatMap((each) => firstKey(world, each) ?? []),
    ),
    suppressed: new Set((yield* suppressionsOf(store, workspace_id, addresses, errand)).keys()),
  };
}
