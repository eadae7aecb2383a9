import { randomUUID } from 'node:crypto';
import { domainOf } from '../core/address.js';
import type { Mail } from '../core/mail.js';
import type { SendError } from '../core/report.js';
import { reportOfThrow, saneReport } from '../core/sane-report.js';
import type { Transport } from '../transport/transport.js';

/** What became of a mail that no database knows of. Nobody will try it again. */
export type UnrecordedResult =
  | { readonly delivered: true; readonly recorded: false; readonly messageId: string }
  | { readonly delivered: false; readonly recorded: false; readonly error: SendError };

/** One try without a record, for callers who would rather send than be safe while the database is down. */
export async function sendUnrecorded(
  transport: Transport,
  mail: Mail,
  now: number,
): Promise<UnrecordedResult> {
  const id = randomUUID();
  const messageId = `<${id}@${domainOf(mail.from.email)}>`;
  let left = false;
  const gate = () => {
    left = true;
    return Promise.resolve(true);
  };
  const outgoing = { id, action: 'email', messageId, date: now, dedupeKey: id, mail } as const;
  const report = await transport
    .send(outgoing, gate)
    .then((answer) => saneReport(answer, left))
    .catch((error: unknown) => reportOfThrow(transport.kind, error, left));
  if (report.status === 'sent') return { delivered: true, recorded: false, messageId };
  return { delivered: false, recorded: false, error: report.error };
}
