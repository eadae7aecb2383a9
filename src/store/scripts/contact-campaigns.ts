import type { CampaignState, EnrolmentState } from '../../core/campaign.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { messagesOf, type PersonRow } from './campaign-people.js';
import { Question } from './question.js';

/** A campaign in which somebody is, or was. */
export interface InCampaign {
  readonly campaignId: number;
  readonly name: string;
  readonly state: EnrolmentState;
}

/** Of those that a list shows, so many of each. */
const SHOWN = 3;

/** The newest campaigns of each of these people. */
export function* campaignsOfContacts(
  store: Store,
  workspaceId: number,
  contactIds: readonly number[],
): Script<ReadonlyMap<number, readonly InCampaign[]>> {
  const found = new Map<number, InCampaign[]>();
  if (contactIds.length === 0) return found;
  const question = new Question(store);
  const rows = yield* question.rows<InCampaign & { readonly contactId: number }>(
    `select contact_id as "contactId", campaign_id as "campaignId", name, state from (
       select e.contact_id, e.campaign_id, k.name, e.state,
         row_number() over (partition by e.contact_id order by e.campaign_id desc) as place
       from ${store.at('enrolments')} e join ${store.at('campaigns')} k on k.id = e.campaign_id
       where ${question.among('e.contact_id', contactIds)} and e.workspace_id = ${question.bind(workspaceId)}) newest
     where place <= ${String(SHOWN)} order by contact_id, campaign_id desc`,
  );
  for (const { contactId, ...campaign } of rows)
    found.set(contactId, [...(found.get(contactId) ?? []), campaign]);
  return found;
}

/** How far somebody is in a campaign. */
export interface PersonInCampaign extends PersonRow {
  readonly campaignId: number;
  readonly campaign: string;
  readonly campaignState: CampaignState;
}

/** All campaigns of one person, newest first. */
export function* enrolmentsOfContact(
  store: Store,
  workspaceId: number,
  contactId: number,
  { before, limit }: { readonly before: number; readonly limit: number },
): Script<readonly PersonInCampaign[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('enrolments as e')
      .innerJoin('campaigns as k', 'k.id', 'e.campaign_id')
      .select(['e.campaign_id as campaignId', 'e.state', 'e.reason', 'k.name', 'k.state as campaignState'])
      .select(['e.resume_at as resumeAt', 'e.changed_at as changedAt'])
      .where('e.contact_id', '=', contactId)
      .where('e.workspace_id', '=', workspaceId)
      .where('e.campaign_id', '<', before)
      .orderBy('e.campaign_id', 'desc')
      .limit(limit),
  );
  const people: PersonInCampaign[] = [];
  for (const { campaignId, name, campaignState, ...row } of rows) {
    const own = (yield* messagesOf(store, campaignId, [contactId])).get(contactId) ?? [];
    people.push({
      ...{ ...row, contactId, name: null, email: null },
      ...{ campaignId, campaign: name, campaignState },
      ...{ accountId: own[0]?.accountId ?? null, messages: own },
    });
  }
  return people;
}
