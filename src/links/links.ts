import { PillarboxError } from '../core/errors.js';
import { linkKeys, readLink, signLink, type Link, type LinkKey } from '../core/link-token.js';

const CONFIRM_MS = 7 * 86_400_000;

/** Where the links of mails lead, and what they say. */
export class Links {
  readonly #keys: readonly LinkKey[];

  /** The first secret signs; links that were signed with a former one are still good. */
  constructor(
    secrets: readonly string[],
    installation: string,
    private readonly publicUrl: string | (() => string),
  ) {
    this.#keys = linkKeys(secrets, installation);
  }

  /** By which a person ends a campaign's mail; it does not expire. Throws `invalid_config` without a secret. */
  unsubscribeUrl(workspaceId: number, contactId: number, campaignId: number): string {
    return this.#url({ purpose: 'unsubscribe', workspaceId, subject: contactId, matter: campaignId });
  }

  /** Of a subscription: one token leads to both pages, and does not expire. Throws `invalid_config` without a secret. */
  subscriptionUrls(
    workspaceId: number,
    subscriptionId: number,
  ): { readonly manageUrl: string; readonly unsubscribeUrl: string } {
    const token = this.#sign({ purpose: 'manage', workspaceId, subject: subscriptionId, matter: 0 });
    return { manageUrl: this.#at('m', token), unsubscribeUrl: this.#at('u', token) };
  }

  /** By which a person says that a subscription is really wanted; good for a week. */
  confirmUrl(workspaceId: number, subscriptionId: number, now: number): string {
    const link = { purpose: 'confirm', workspaceId, subject: subscriptionId, matter: 0 } as const;
    return this.#at('c', this.#sign(link, now + CONFIRM_MS));
  }

  /** Looks like it, and changes nothing: for a preview, and for a test that somebody else reads. */
  sampleUrl(workspaceId: number, contactId: number): string {
    return this.#url({ purpose: 'sample', workspaceId, subject: contactId, matter: 0 });
  }

  /** Leads nowhere, and needs no secret: for a look at a template that is sent to nobody. */
  exampleUrl(page: 'u' | 'm'): string {
    return this.#at(page, 'example');
  }

  /** Undefined: it is none of ours, or too old. */
  read(token: string, now: number): Link | undefined {
    return readLink(this.#keys, token, now);
  }

  #url(link: Link): string {
    return this.#at('u', this.#sign(link));
  }

  #sign(link: Link, expiresAt: number | null = null): string {
    const [key] = this.#keys;
    if (!key) {
      throw new PillarboxError(
        'invalid_config',
        'secret: is needed to sign the links of mails; should be a long random text',
      );
    }
    return signLink(key, link, expiresAt);
  }

  #at(page: 'u' | 'm' | 'c', token: string): string {
    return `${this.#base()}/${page}/${token}`;
  }

  /** Of a service that takes any free port it is known only once it listens. */
  #base(): string {
    return (typeof this.publicUrl === 'string' ? this.publicUrl : this.publicUrl()).replace(/\/$/, '');
  }
}
