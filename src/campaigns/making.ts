import { randomInt } from 'node:crypto';
import { readTerms, TERMS, type Terms } from '../core/campaign.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import type { Script } from '../store/script.js';
import { presentAccounts } from '../store/scripts/accounts.js';
import { changeCampaign, enrol, insertCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { readContacts } from '../store/scripts/contacts.js';
import { endEnrolments, holdEnrolments, resumeEnrolments } from '../store/scripts/enrolments.js';
import { readSequence } from '../store/scripts/sequences.js';
import type { Store } from '../store/store.js';
import {
  checkTerms,
  idOf,
  readCampaignPatch,
  readNewCampaign,
  type CampaignInput,
  type CampaignPatch,
  type CampaignWish,
} from './input.js';
import type { Planning } from './planning.js';
import { CampaignViews } from './views.js';

const SEEDS = 2 ** 31 - 1;

/** What a campaign is, and who is in it. */
export class CampaignMaking extends CampaignViews {
  constructor(
    store: Store,
    workspaceId: number,
    protected readonly planning: Planning,
  ) {
    super(store, workspaceId);
  }

  /** A draft. Throws `invalid_input` with the field. */
  async create(input: CampaignInput): Promise<string> {
    const wish = readNewCampaign(input);
    const now = await this.store.now();
    const id = await this.store.transaction(() => this.#create(wish, now));
    return formatId('campaign', id);
  }

  *#create(wish: CampaignWish & { readonly name: string }, now: number): Script<number> {
    const { store, workspaceId } = this;
    const { name, sequenceId = null, accountIds = [], stopOnReply = true } = wish;
    const terms = { ...TERMS, ...wish.terms };
    checkTerms(terms);
    yield* this.#checkParts(wish);
    const seed = randomInt(1, SEEDS);
    return yield* insertCampaign(
      store,
      { workspaceId, name, sequenceId, accountIds, terms: JSON.stringify(terms), stopOnReply, seed },
      now,
    );
  }

  /** A draft may change in everything; later what does not change the plan of what has left. */
  async change(id: string, patch: CampaignPatch): Promise<void> {
    const wish = readCampaignPatch(patch);
    const now = await this.store.now();
    await this.store.transaction(() => this.#change(id, wish, now));
  }

  *#change(id: string, wish: CampaignWish, now: number): Script<void> {
    const campaign = yield* this.locked(id);
    const { name, sequenceId, accountIds, stopOnReply } = wish;
    const terms = yield* this.checkChange(campaign, wish);
    yield* changeCampaign(
      this.store,
      campaign.id,
      {
        ...(name !== undefined && { name }),
        ...(sequenceId !== undefined && { sequence_id: sequenceId }),
        ...(accountIds !== undefined && { account_ids: JSON.stringify(accountIds) }),
        ...(stopOnReply !== undefined && { stop_on_reply: stopOnReply ? 1 : 0 }),
        terms: JSON.stringify(terms),
        // What could not go on may be able to now.
        plan_fault: null,
      },
      now,
    );
  }

  /** What it would come to. Throws `invalid_input` or `conflict` with the field. */
  protected *checkChange(campaign: CampaignRow, wish: CampaignWish): Script<Terms> {
    if (campaign.state !== 'draft') refuseLater(campaign, wish);
    const terms = { ...readTerms(campaign.terms), ...wish.terms };
    checkTerms(terms);
    yield* this.#checkParts(wish);
    return terms;
  }

  *#checkParts({ sequenceId, accountIds }: CampaignWish): Script<void> {
    const { store, workspaceId } = this;
    if (sequenceId != null && !(yield* readSequence(store, workspaceId, sequenceId)))
      throw invalidInput('sequenceId', 'is not the id of a known sequence');
    if (!accountIds) return;
    const present = new Set((yield* presentAccounts(store, workspaceId)).map((account) => account.id));
    const unknown = accountIds.findIndex((each) => !present.has(each));
    if (unknown >= 0) throw invalidInput(`accountIds.${unknown}`, 'is not the id of a known account');
  }

  /** Puts people at the end of the line. Those who are in it already are skipped. */
  async enrol(
    id: string,
    contactIds: readonly string[],
  ): Promise<{ readonly enrolled: number; readonly skipped: number }> {
    const numbers = contactIds.map((each, n) => idOf('contact', `contactIds.${n}`, each));
    const now = await this.store.now();
    return this.store.transaction(() => this.#enrol(id, numbers, now));
  }

  *#enrol(
    id: string,
    contactIds: readonly number[],
    now: number,
  ): Script<{ readonly enrolled: number; readonly skipped: number }> {
    const campaign = yield* this.locked(id);
    if (campaign.state === 'stopped') throw conflict(campaign, 'takes nobody any more');
    yield* this.known(contactIds, 'contactIds');
    const enrolled = yield* enrol(this.store, campaign, contactIds, now);
    return { enrolled, skipped: contactIds.length - enrolled };
  }

  protected *known(contactIds: readonly number[], field: string, part = ''): Script<void> {
    const known = new Set(
      (yield* readContacts(this.store, this.workspaceId, contactIds)).map((contact) => contact.id),
    );
    const unknown = contactIds.findIndex((each) => !known.has(each));
    if (unknown >= 0) throw invalidInput(`${field}.${unknown}${part}`, 'is not the id of a known contact');
  }

  /** Takes people out: what waits of theirs is cancelled. */
  async takeOut(id: string, contactIds: readonly string[]): Promise<{ readonly removed: number }> {
    const numbers = contactIds.map((each, n) => idOf('contact', `contactIds.${n}`, each));
    const { id: campaignId } = await this.read(id);
    const now = await this.store.now();
    let removed = 0;
    for (const contactId of new Set(numbers)) {
      const { enrolments } = await this.store.transaction(() =>
        endEnrolments(this.store, this.workspaceId, { contactId, campaignId }, 'stopped', now),
      );
      removed += enrolments.length;
    }
    return { removed };
  }

  /** Pauses one person, or lets him go on. Throws `not_found` if he is not in it, `conflict` if he has ended. */
  async setPerson(id: string, contactId: string, status: 'active' | 'paused'): Promise<void> {
    const campaign = await this.read(id);
    const number = parseId('contact', contactId) ?? notFound('contact', contactId);
    const now = await this.store.now();
    const whom = { contactId: number, campaignId: campaign.id };
    await this.store.transaction(() => this.#setPerson(whom, status, contactId, now));
    if (status === 'active' && campaign.state === 'running') this.planning.soon();
  }

  *#setPerson(
    whom: { readonly contactId: number; readonly campaignId: number },
    status: 'active' | 'paused',
    contactId: string,
    now: number,
  ): Script<void> {
    const { store, workspaceId } = this;
    if (status === 'active') yield* resumeEnrolments(store, workspaceId, whom, now);
    else yield* holdEnrolments(store, workspaceId, whom, { reason: 'paused', until: null }, now);
    const state = yield* this.stateOf(whom);
    if (state === undefined) notFound('contact', contactId);
    if (state !== status)
      throw new PillarboxError('conflict', `this person has ended (${state}) and can't be ${status}`);
  }
}

export const conflict = ({ state }: CampaignRow, remedy: string): PillarboxError =>
  new PillarboxError('conflict', `the campaign is ${state}: ${remedy}`);

/** What has left was planned by these; and what is planned keeps the end that it was planned with. */
function refuseLater(campaign: CampaignRow, { sequenceId, terms }: CampaignWish): void {
  const before = readTerms(campaign.terms);
  const changed = (field: 'timezone' | 'startAt' | 'endAt') =>
    terms[field] !== undefined && terms[field] !== before[field];
  const field =
    sequenceId !== undefined && sequenceId !== campaign.sequence_id
      ? 'sequenceId'
      : (['timezone', 'startAt', 'endAt'] as const).find(changed);
  if (field === undefined) return;
  throw new PillarboxError('conflict', `${field}: can be changed only while the campaign is a draft`, {
    field,
  });
}

function notFound(what: 'campaign' | 'contact', id: string): never {
  throw new PillarboxError('not_found', `there is no ${what} ${id.slice(0, 40)}`);
}
