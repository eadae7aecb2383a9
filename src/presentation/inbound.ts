import { INBOUND_KINDS } from '../core/inbound.js';
import type { InboundEffect as Effect } from '../inbound/inbound.js';
import { Type, type Static } from '../vendor/typebox.js';
import { presentInstant } from './instant.js';
import { flag, instant, nullable, whole, word } from './shape.js';

export const InboundEffect = Type.Object(
  {
    kind: word(INBOUND_KINDS),
    duplicate: flag(false, 'It was known, and did nothing more.'),
    messageId: nullable(Type.String(), 'The message that it belongs to.', 'msg_4k7q'),
    contactId: nullable(Type.String(), 'The contact that it is from.', 'con_1'),
    suppressed: flag(false, 'The address is not written to any more.'),
    ended: whole(1, 'In how many campaigns the sequence of this person has ended.'),
    held: whole(0, 'In how many campaigns it is paused.'),
    heldUntil: nullable(instant()),
    cancelled: whole(2, 'Messages that waited, and never leave.'),
    released: whole(0, 'Messages that awaited the acceptance.'),
    resolved: flag(false, 'The message was in doubt, and is now known to have left.'),
  },
  { title: 'InboundEffect' },
);

export const presentInbound = (effect: Effect): Static<typeof InboundEffect> => ({
  ...effect,
  heldUntil: presentInstant(effect.heldUntil),
});
