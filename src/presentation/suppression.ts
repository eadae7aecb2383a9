import { formatId } from '../core/ids.js';
import { SUPPRESSION_REASONS, type Suppression as KnownSuppression } from '../core/suppression.js';
import {
  laneWords,
  notSentWords,
  REASON_WORDS,
  removalWords,
  saidWords,
  suppressionsPlate,
} from '../core/suppression-words.js';
import { forPeople } from '../core/text.js';
import type { SuppressionCounts } from '../store/scripts/suppression-figures.js';
import type {
  Added,
  AddedMany,
  ListedSuppression as KnownListed,
  Willingness as KnownWillingness,
} from '../suppressions/suppressions.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, text, whole, word } from './shape.js';
import { LaneWord, LevelWord } from './words.js';

const shape = {
  email: text('bob@example.org'),
  reason: word(SUPPRESSION_REASONS),
  lanes: nullable(list(LaneWord), 'In which lanes; null: in all.'),
  createdAt: instant(),
  messageId: nullable(Type.String(), 'The message that taught us.', 'msg_4k7q'),
  note: nullable(Type.String(), 'What was said when it was added.', 'asked by letter'),
  actor: nullable(Type.String(), 'Who added it; null: it came of a mail.', 'jonas@example.org'),
};

export const Suppression = Type.Object(shape, { title: 'Suppression' });
export type Suppression = Static<typeof Suppression>;

export const presentSuppression = ({
  address,
  reason,
  lanes,
  createdAt,
  messageId,
  note,
  actor,
}: KnownSuppression): Suppression => ({
  ...{ email: address, reason, lanes, createdAt: iso(createdAt), note, actor },
  messageId: messageId === null ? null : formatId('message', messageId),
});

export const ListedSuppression = Type.Object(
  {
    ...shape,
    said: text('550 5.1.1 no such user', 'What was said, by whoever said it; for people.'),
    notSent: text('all but transactional', 'What does not leave because of it; for people.'),
    ifRemoved: text('Its server said that there is no such mailbox.', 'What could go wrong then.'),
    from: nullable(
      Type.Object({ messageId: text('msg_4k7q'), label: text('Autumn hosts, step 2') }),
      'The mail that it came of, while that is kept.',
    ),
  },
  { title: 'ListedSuppression' },
);

export const presentListed = ({ source, ...suppression }: KnownListed): Static<typeof ListedSuppression> => ({
  ...presentSuppression(suppression),
  said: saidWords(suppression, source?.answer ?? null),
  notSent: notSentWords(suppression),
  ifRemoved: removalWords(suppression),
  from: source && { messageId: formatId('message', source.messageId), label: labelOf(source) },
});

const LONGEST_LABEL = 80;

function labelOf({ campaign, step, topic, subject }: NonNullable<KnownListed['source']>): string {
  const name = campaign ?? topic ?? subject;
  const label = forPeople(name, LONGEST_LABEL) || 'a mail without a subject';
  return campaign !== null && step !== null ? `${label}, step ${step}` : label;
}

export const AddedSuppression = Type.Object(
  { ...shape, cancelled: whole(2, 'Mails that waited for it, and leave no more.') },
  { title: 'AddedSuppression' },
);

export const presentAdded = ({ cancelled, ...suppression }: Added): Static<typeof AddedSuppression> => ({
  ...presentSuppression(suppression),
  cancelled,
});

export const AddedSuppressions = Type.Object(
  {
    sentence: text('2 addresses are not written to any more. 1 waiting mail was cancelled.', 'For people.'),
    added: whole(2),
    known: whole(1, 'Of those: they were on the list before.'),
    cancelled: whole(1, 'Mails that waited for them, and leave no more.'),
    refused: list(
      Type.Object({ index: whole(0, 'From 0.'), why: text('is not an address') }),
      'What is no address; nothing came of these.',
    ),
  },
  { title: 'AddedSuppressions' },
);

const number = (n: number): string => n.toLocaleString('en-GB');

export const presentAddedMany = (done: AddedMany): Static<typeof AddedSuppressions> => ({
  ...done,
  sentence: [
    done.added === 1
      ? '1 address is not written to any more.'
      : `${number(done.added)} addresses are not written to any more.`,
    ...(done.known > 0
      ? [`${number(done.known)} of them ${done.known === 1 ? 'was' : 'were'} on the list before.`]
      : []),
    ...(done.cancelled === 1
      ? ['1 waiting mail was cancelled.']
      : done.cancelled > 0
        ? [`${number(done.cancelled)} waiting mails were cancelled.`]
        : []),
  ].join(' '),
});

export const SuppressionStanding = Type.Object(
  {
    plate: Type.Object({
      level: LevelWord,
      sentence: text('1,284 addresses are not written to. 9 came since yesterday.'),
      evidence: text('Every lane looks here at the last moment. An import never brings anyone back.'),
    }),
    counts: list(Type.Object({ reason: word(SUPPRESSION_REASONS), count: whole(612) })),
    lastWeek: whole(41, 'Added in the last 7 days.'),
    weekBefore: whole(38),
  },
  { title: 'SuppressionStanding' },
);

export const presentStanding = (counts: SuppressionCounts): Static<typeof SuppressionStanding> => ({
  plate: suppressionsPlate(counts),
  counts: SUPPRESSION_REASONS.map((reason) => ({ reason, count: counts.byReason[reason] })),
  lastWeek: counts.lastWeek,
  weekBefore: counts.weekBefore,
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
        because: text('unsubscribed; what is marked transactional still leaves', 'For people.'),
      }),
    ),
  },
  { title: 'Willingness' },
);
export type Willingness = Static<typeof Willingness>;

export const presentWillingness = ({ address, lanes }: KnownWillingness): Willingness => ({
  email: address,
  sentence: sentenceOf(address, lanes),
  lanes: lanes.map(({ since, ...lane }) => ({
    ...lane,
    since: presentInstant(since),
    because: laneWords(lane),
  })),
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
  return `We write to ${address} ${where}: ${first.reason === null ? '' : REASON_WORDS[first.reason]}${exempt}.`;
}
