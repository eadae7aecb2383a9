import { formatId } from '../core/ids.js';
import { SUPPRESSION_REASONS, type Suppression as KnownSuppression } from '../core/suppression.js';
import type { Willingness as KnownWillingness } from '../suppressions/suppressions.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, text, word } from './shape.js';
import { LaneWord } from './words.js';

export const Suppression = Type.Object(
  {
    email: text('bob@example.org'),
    reason: word(SUPPRESSION_REASONS),
    lanes: nullable(list(LaneWord), 'In which lanes; null: in all.'),
    createdAt: instant(),
    messageId: nullable(Type.String(), 'The message that taught us.', 'msg_4k7q'),
  },
  { title: 'Suppression' },
);
export type Suppression = Static<typeof Suppression>;

export const presentSuppression = ({
  address,
  reason,
  lanes,
  createdAt,
  messageId,
}: KnownSuppression): Suppression => ({
  email: address,
  reason,
  lanes,
  createdAt: iso(createdAt),
  messageId: messageId === null ? null : formatId('message', messageId),
});

export const Willingness = Type.Object(
  {
    email: text('bob@example.org'),
    sentence: text('We write to bob@example.org in no lane: unsubscribed.'),
    lanes: list(
      Type.Object({
        lane: LaneWord,
        writes: flag(false, 'Whether we would write.'),
        writesTransactional: flag(true, 'Whether transactional mail would leave all the same.'),
        reason: nullable(word(SUPPRESSION_REASONS), 'Why not; null: we would.', 'unsubscribed'),
        since: nullable(instant(), 'Null also for somebody who was erased.'),
      }),
    ),
  },
  { title: 'Willingness' },
);
export type Willingness = Static<typeof Willingness>;

export const presentWillingness = ({ address, lanes }: KnownWillingness): Willingness => ({
  email: address,
  sentence: sentenceOf(address, lanes),
  lanes: lanes.map(({ since, ...lane }) => ({ ...lane, since: presentInstant(since) })),
});

function sentenceOf(address: string, lanes: KnownWillingness['lanes']): string {
  const shut = lanes.filter(({ writes }) => !writes);
  const [first] = shut;
  if (!first) return `We would write to ${address} in every lane.`;
  const where =
    shut.length === lanes.length ? 'in no lane' : `not in ${shut.map(({ lane }) => lane).join(', ')}`;
  const exempt = shut.some(({ writesTransactional }) => writesTransactional)
    ? '; transactional mail still leaves'
    : '';
  return `We write to ${address} ${where}: ${(first.reason ?? '').replace('_', ' ')}${exempt}.`;
}
