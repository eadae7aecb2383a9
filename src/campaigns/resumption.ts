import { readTerms } from '../core/campaign.js';
import { zoneNamed } from '../core/zone.js';
import { giveWay, type Script } from '../store/script.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { readSending } from '../store/scripts/openings.js';
import { readReady } from '../store/scripts/ready-messages.js';
import { readHalted, type HaltedMessage, type HaltedPage } from '../store/scripts/replan.js';
import type { Store } from '../store/store.js';
import { byPerson, movesOf } from './replanning.js';
import type { Outlook } from './resumption-words.js';
import { readWorld } from './world.js';

/** Of more than so many messages nothing is said: each of some ten tries places all of them. */
const MOST_MESSAGES = 20_000;
const PEOPLE_AT_ONCE = 500;
/** Nobody pauses for longer. */
const MOST_DAYS = 370;

interface Person {
  readonly messages: readonly HaltedMessage[];
  readonly sent: number | undefined;
  readonly firstStep: number;
}

/** What its messages come to when they get new times from an instant on. */
interface End {
  readonly lastAt: number;
  readonly late: number;
}

/**
 * Until when a paused campaign may be resumed and still end as planned: its messages are placed as a resume would place them,
 * beside all that is planned meanwhile, for one day after the other, found by halves. Nothing is stored and nobody is
 * locked. Undefined: it can't be known, because people wait who have no times yet, an account of it is paused, or there are
 * too many of them.
 */
export function* resumptionOf(store: Store, campaign: CampaignRow, now: number): Script<Outlook | undefined> {
  const { endAt } = readTerms(campaign.terms);
  const planned = campaign.launched_ends_at;
  if (campaign.state !== 'paused' || campaign.planned_through < campaign.enrolled) return undefined;
  if (planned === null || (yield* readReady(store, campaign.id, 0, 1)).length > 0) return undefined;
  const people = yield* readPeopleWaiting(store, campaign.id);
  if (people === undefined || people.length === 0) return undefined;
  const { timezone } = yield* readSending(store, campaign.workspace_id);
  const zone = zoneNamed(timezone);
  const holdsUntil = endAt ?? zone.dayEnd(planned);
  const end = (from: number) => endOf(store, campaign, people, { now, from, holdsUntil });
  const atOnce = yield* end(now);
  if (!atOnce) return undefined;
  const known = { endsAt: atOnce.lastAt, holdsUntil, isLast: endAt !== null, late: atOnce.late };
  if (atOnce.late > 0) return { ...known, by: null };
  const today = zone.dayOf(now);
  let [holds, harms] = [-1, Math.min(MOST_DAYS, zone.dayOf(holdsUntil) - today + 1)];
  while (harms - holds > 1) {
    yield* giveWay();
    const middle = Math.floor((holds + harms) / 2);
    const then = yield* end(zone.startOf(today + middle + 1));
    if (!then) return undefined;
    if (then.late === 0) holds = middle;
    else harms = middle;
  }
  return { ...known, by: holds < 0 ? null : zone.startOf(today + holds) };
}

function* readPeopleWaiting(store: Store, campaignId: number): Script<readonly Person[] | undefined> {
  const people: Person[] = [];
  let messages = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: HaltedPage = yield* readHalted(store, campaignId, after, PEOPLE_AT_ONCE, { lock: false });
    for (const own of byPerson(page.messages)) {
      const contactId = own[0]?.contactId ?? 0;
      const firstStep = Math.min(...(page.steps.get(contactId) ?? []));
      people.push({ messages: own, sent: page.sent.get(contactId), firstStep });
    }
    messages += page.messages.length;
    if (messages > MOST_MESSAGES) return undefined;
    after = page.last;
    yield* giveWay();
  }
  return people;
}

/** Undefined: there is a message that would get no time. */
function* endOf(
  store: Store,
  campaign: CampaignRow,
  people: readonly Person[],
  { now, from, holdsUntil }: { readonly now: number; readonly from: number; readonly holdsUntil: number },
): Script<End | undefined> {
  const world = yield* readWorld(store, campaign, now);
  // Nothing of an account that is paused leaves, whenever its campaign goes on.
  if ([...world.accounts.values()].some(({ account }) => account.pausedAt !== null)) return undefined;
  const fit = world.fitFor(world.steps);
  let [lastAt, late] = [now, 0];
  for (const [place, { messages, sent, firstStep }] of people.entries()) {
    if (place % PEOPLE_AT_ONCE === 0) yield* giveWay();
    const moves = movesOf(world, fit, messages, sent, firstStep, from);
    if (moves.length < messages.length) return undefined;
    for (const { dueAt } of moves) {
      lastAt = Math.max(lastAt, dueAt);
      if (dueAt >= holdsUntil) late += 1;
    }
  }
  return { lastAt, late };
}
