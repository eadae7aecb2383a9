import { afterTheGate, BUSY, Carrier, failed, inDoubt, TOO_LARGE, type Conduct } from '../engine/carrier.js';
import type { Office } from './office.js';

const FATES: Record<string, Conduct> = {
  dead: () => failed(TOO_LARGE),
  busy: () => failed(BUSY),
  held: (...args) => afterTheGate(() => inDoubt())(...args),
};

/** A carrier that does with a mail as the part before the `@` says; with any other as usual. */
export const fatefulCarrier = (): Carrier =>
  new Carrier((message, gate, nth) => FATES[message.mail.to.email.split('@')[0]!]?.(message, gate, nth));

/** A mail of that fate, sent inline; `waiting` is only queued, for an hour from now. */
export async function aMailThatIs(
  fate: 'sent' | 'dead' | 'held' | 'busy' | 'waiting',
  office: Office,
  over: Record<string, unknown> = {},
): Promise<string> {
  const later = new Date((await office.box.now()) + 3_600_000).toISOString();
  const mail = {
    to: `${fate}@example.org`,
    subject: `Booked and ${fate}`,
    text: 'See you on Monday.',
    onDoubt: 'hold',
    ...(fate === 'waiting' && { mode: 'queue', sendAt: later }),
    ...over,
  };
  const { status, data, text } = await office.call(office.admin, 'POST', '/api/outbox', mail);
  if (status > 202) throw new Error(text);
  return String(data['id']);
}
