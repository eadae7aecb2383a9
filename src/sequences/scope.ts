import { formatId } from '../core/ids.js';
import type { Contact } from '../core/contact.js';
import type { Scope } from '../templates/source.js';

/** Of an account, as far as a mail speaks of it. */
export interface Sender {
  readonly id: number;
  readonly name: string;
  readonly emailAddress: string;
  readonly displayName: string | null;
  /** Mails of one workspace wait for each other, and for nobody else's. */
  readonly workspaceId?: number;
}

export interface Occasion {
  readonly id: number | null;
  readonly name: string;
}

/** What a template may read of whom; the attributes of a person are whatever he has. */
export const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  contact: ['id', 'email', 'name', 'linkedinId', 'timezone', 'attributes'],
  account: ['id', 'name', 'emailAddress', 'displayName'],
  campaign: ['id', 'name'],
  unsubscribeUrl: [],
  postalAddress: [],
  locale: [],
  timezone: [],
  direction: [],
};

/** What is not known of a person is not there, an empty text included: a template must say what it does then. */
export const contactScope = (contact: Contact): Scope => {
  const { id, email, emailGiven, name, linkedinId, timezone, attributes } = contact;
  return filled({
    id: formatId('contact', id),
    email: emailGiven ?? email,
    name,
    linkedinId,
    timezone,
    attributes: filled(attributes),
  });
};

/** For a preview there is no campaign: it goes by the name of the sequence. */
export const commonScope = (sender: Sender, occasion: Occasion, postalAddress: string | null): Scope => ({
  account: filled({
    id: formatId('account', sender.id),
    name: sender.name,
    emailAddress: sender.emailAddress,
    displayName: sender.displayName ?? sender.name,
  }),
  campaign: filled({
    id: occasion.id === null ? null : formatId('campaign', occasion.id),
    name: occasion.name,
  }),
  // Missing is told when a campaign is planned; here it is an empty text.
  postalAddress: postalAddress ?? '',
});

const filled = (fields: Readonly<Record<string, unknown>>): Scope =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
