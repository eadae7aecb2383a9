import { createHash } from 'node:crypto';
import { canonicalAddress, parseAddress } from '../../core/address.js';
import { PillarboxError } from '../../core/errors.js';
import { subscriptionsAnywhere, type Subscription } from '../../store/scripts/subscriptions.js';
import type { Service } from '../service.js';
import { subscriberWordsIn } from './subscriber-words.js';

const HOUR_MS = 3_600_000;
const MOST_WORKSPACES = 20;
/** Asked for at once in this process; who comes after them may ask again. */
const MOST_AT_ONCE = 100;

/**
 * Mails people the link to the page about their mails: one mail an hour from each sender who writes to an address,
 * however often and wherever it is asked for.
 */
export class LinkMails {
  #underWay = 0;

  constructor(private readonly service: Service) {}

  /** Says nothing of what comes of it. */
  ask(email: string): void {
    const parsed = parseAddress(email.trim());
    if ('fault' in parsed || this.#underWay >= MOST_AT_ONCE) return;
    this.#underWay += 1;
    this.#send(canonicalAddress(parsed.address))
      .catch((error: unknown) => this.service.log.warn({ error }, 'a link could not be mailed'))
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  async #send(contact: string): Promise<void> {
    const { store } = this.service.box;
    const known = await store.read(subscriptionsAnywhere(store, contact, MOST_WORKSPACES));
    for (const subscription of known) await this.#sendOne(subscription);
  }

  /** Of one workspace; its page leads to the others of the same address there. */
  async #sendOne({ id, workspaceId, contact, contactGiven, name, locale }: Subscription): Promise<void> {
    const { box } = this.service;
    const { outbox, settings } = await box.workspace(workspaceId);
    const profile = await settings.profile();
    const { words } = subscriberWordsIn(locale ?? profile.defaultLocale);
    const { manageUrl } = box.links.subscriptionUrls(workspaceId, id);
    const put = (text: string) =>
      text.replaceAll('{sender}', () => profile.name).replaceAll('{link}', manageUrl);
    const hour = Math.floor((await box.store.now()) / HOUR_MS);
    // No address in it: keys stay when mails are forgotten.
    const who = createHash('sha256').update(contact).digest('base64url').slice(0, 22);
    try {
      await outbox.enqueue(
        {
          to: { email: contactGiven ?? contact, ...(name !== null && name !== '' && { name }) },
          subject: put(words.linkSubject),
          text: put(words.linkMail),
          headers: { 'Auto-Submitted': 'auto-replied' },
          transactional: true,
        },
        { idempotencyKey: `link:${who}:${hour}` },
      );
    } catch (error) {
      // It was asked for before, when the words were others.
      if (!(error instanceof PillarboxError && error.code === 'idempotency_conflict')) throw error;
    }
  }
}
