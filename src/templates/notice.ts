import type { NotificationJob } from '../core/mail-job.js';
import type { Mail } from '../core/mail.js';
import type { Text } from './library.js';

/** A notification as a mail: no machine is to answer it, and one click ends it (RFC 8058). */
export const noticeOf = (
  { subject, html, text }: Text,
  { from, to, links: { unsubscribeUrl } }: Pick<Mail, 'from' | 'to'> & Pick<NotificationJob, 'links'>,
): Mail => ({
  ...{ from, to, subject },
  ...(text !== undefined && { text }),
  ...(html !== undefined && { html }),
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
});
