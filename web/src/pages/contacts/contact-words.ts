import type { Contact, Enrolment } from '../../api/types';

/** What to call somebody: never nothing. */
export const nameOf = ({
  name,
  email,
  linkedinId,
  id,
}: Pick<Contact, 'name' | 'email' | 'linkedinId' | 'id'>): string => name ?? email ?? linkedinId ?? id;

export const SUPPRESSION_WORDS: Record<NonNullable<Contact['suppression']>['reason'], string> = {
  hard_bounce: 'its mailbox is gone',
  soft_bounces: 'bounced again and again',
  complaint: 'complained',
  unsubscribed: 'unsubscribed',
  manual: 'suppressed by hand',
};

export const STATUS_WORDS: Record<Enrolment['status'], string> = {
  active: 'in sequence',
  paused: 'paused',
  replied: 'replied',
  bounced: 'bounced',
  unsubscribed: 'unsubscribed',
  complained: 'complained',
  stopped: 'stopped',
  finished: 'finished',
};
