import type { Mail, Mailbox } from './mail.js';

/** By which a mail program ends it with one click (RFC 8058). */
export const oneClick = (unsubscribeUrl: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${unsubscribeUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** A mailbox as people read it. */
export const mailboxText = ({ email, name }: Mailbox): string =>
  name === undefined ? email : `${name} <${email}>`;

/** What stands above a mail, as people read it. Date and Message-ID are made when it leaves. */
export const headOf = ({
  from,
  to,
  subject,
  unsubscribeUrl,
  headers,
}: Mail): Readonly<Record<string, string>> => ({
  ...{ From: mailboxText(from), To: mailboxText(to), Subject: subject },
  ...(unsubscribeUrl !== undefined && oneClick(unsubscribeUrl)),
  ...headers,
});
