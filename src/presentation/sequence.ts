import { formatId } from '../core/ids.js';
import { ACTIONS } from '../core/message.js';
import type { Page } from '../core/page.js';
import { DELAY_UNITS } from '../core/sequence.js';
import { countedWords, resultWords, sequencesPlate } from '../core/sequence-words.js';
import type {
  Preview as MadePreview,
  Sequence as KnownSequence,
  SequenceHead as KnownHead,
} from '../sequences/sequences.js';
import type { SequenceCheck as MadeCheck } from '../sequences/check.js';
import type { PeopleWalk as MadeWalk } from '../sequences/walk.js';
import type { StepResults as KnownResults } from '../store/scripts/sequence-figures.js';
import type { VersionHead } from '../store/scripts/sequences.js';
import { Type, type Static } from '../vendor/typebox.js';
import { Attributes } from './contact.js';
import { iso } from './instant.js';
import { flag, instant, list, nextCursor, nullable, text, textsByName, whole, word } from './shape.js';
import { LevelWord } from './words.js';

const Step = Type.Object(
  {
    order: whole(1),
    delayDays: whole(0, 'After the step before it, in `delayUnit`.'),
    delayUnit: word(DELAY_UNITS),
    action: word(ACTIONS),
    subject: nullable(
      Type.String(),
      'Null: it goes on in the thread.',
      'Rooms in autumn, {{ contact.name }}',
    ),
    body: text('<p>Dear {{ contact.name }}, …</p>', 'Html, or a text if it holds no markup; Liquid.'),
    bodyText: nullable(Type.String(), 'Null: it is made of the body.'),
  },
  { title: 'SequenceStep' },
);

const head = {
  id: text('seq_3k'),
  name: text('Autumn'),
  version: whole(1, 'Saving other steps makes the next one.'),
  usedBy: Type.Object(
    { campaigns: whole(2), running: whole(1, 'Of those.') },
    { description: 'The campaigns that say it.' },
  ),
  createdAt: instant(),
  updatedAt: instant(),
};

const SequenceHead = Type.Object(head, { title: 'SequenceHead' });
export const SequenceList = Type.Object(
  {
    plate: Type.Object({
      level: LevelWord,
      sentence: text('12 sequences.'),
      evidence: text('Campaigns that run say 3 of them.'),
    }),
    items: list(SequenceHead),
    nextCursor: nextCursor(),
  },
  { title: 'SequenceList' },
);
export const Sequence = Type.Object({ ...head, steps: list(Step) }, { title: 'Sequence' });

const presentHead = ({ id, name, version, usedBy, createdAt, updatedAt }: KnownHead) => ({
  ...{ id, name, version, usedBy },
  ...{ createdAt: iso(createdAt), updatedAt: iso(updatedAt) },
});

export const presentSequences = ({
  items,
  nextCursor: next,
}: Page<KnownHead>): Static<typeof SequenceList> => ({
  plate: sequencesPlate(items, next !== null),
  items: items.map(presentHead),
  nextCursor: next,
});

export const presentSequence = (known: KnownSequence): Static<typeof Sequence> => ({
  ...presentHead(known),
  steps: known.steps,
});

export const SequenceCheck = Type.Object(
  {
    plate: Type.Object({
      level: LevelWord,
      sentence: text('Five steps over 10 days: 3 mails and 2 on LinkedIn.'),
      evidence: text('Checked against the newest 5,000 contacts there are.'),
    }),
    faults: list(
      Type.Object({
        step: whole(1),
        part: word(['subject', 'body', 'bodyText']),
        line: whole(1),
        sentence: text('there is no filter “upcas”', 'For people.'),
        count: whole(23, 'How many people’s mail would not be sent, of those that were looked at.'),
        blocks: flag(true, 'It can not be saved like this.'),
        suggestion: nullable(Type.String(), 'What may be meant.', 'upcase'),
      }),
    ),
    variables: list(
      Type.Object({
        name: text('contact.attributes.company'),
        filled: whole(77, 'Of how many people it is known.'),
        of: whole(100, 'Of how many that were looked at: the newest.'),
        example: nullable(Type.String(), 'What somebody has.', 'Harbour Rooms'),
      }),
    ),
  },
  { title: 'SequenceCheck' },
);

export const presentCheck = ({ plate, faults, variables }: MadeCheck): Static<typeof SequenceCheck> => ({
  plate,
  faults: faults.map(({ step, part, line, sentence, count, blocks, suggestion }) => ({
    ...{ step, part, line, sentence, count, blocks, suggestion },
  })),
  variables,
});

export const AttributesInUse = Type.Object(
  {
    items: list(
      Type.Object({
        name: text('company'),
        sequences: list(Type.Object({ id: text('seq_3k'), name: text('Autumn hosts') })),
      }),
    ),
  },
  { title: 'AttributesInUse' },
);

export const StepResults = Type.Object(
  {
    items: list(
      Type.Object({
        step: whole(1),
        sent: whole(642),
        replied: whole(34, 'People whose first reply came after it, before the next one was sent to them.'),
        sentence: text('642 sent, 34 replied'),
      }),
    ),
    sentence: nullable(
      Type.String(),
      'What they count, if that is not every campaign that says it.',
      'Counted: the newest 34 of its 120 campaigns.',
    ),
  },
  { title: 'StepResults' },
);

export const presentResults = ({ steps, counted, campaigns }: KnownResults): Static<typeof StepResults> => ({
  sentence: countedWords(counted, campaigns),
  items: steps.map((each) => ({ ...each, sentence: resultWords(each.sent, each.replied) })),
});

const maybeContact = (means: string) => nullable(Type.String(), means, 'con_4k7q');

export const PeopleWalk = Type.Object(
  {
    contactId: maybeContact('Whom it is about: the newest, if nobody was asked for.'),
    sentence: text('Person 2 of 1,200'),
    previousId: maybeContact('Who comes before, the newest first.'),
    nextId: maybeContact('Who comes after.'),
    items: list(
      Type.Object({
        id: text('con_4k7q'),
        name: nullable(Type.String(), undefined, 'Ingrid Moreau'),
        email: nullable(Type.String(), undefined, 'ingrid@lakeside.example'),
        linkedinId: nullable(Type.String()),
        attributes: Attributes,
      }),
      'The first 50 of those that are walked through.',
    ),
    lacking: Type.Object({
      count: whole(12, 'Of the newest 5,000 people: whose mail would not be sent.'),
      sentence: text('12 who lack something'),
      firstId: maybeContact('The newest of them.'),
    }),
  },
  { title: 'PeopleWalk' },
);

const contactIdOf = (id: number | null) => (id === null ? null : formatId('contact', id));

export const presentWalk = (walk: MadeWalk): Static<typeof PeopleWalk> => ({
  contactId: contactIdOf(walk.contactId),
  sentence: walk.sentence,
  previousId: contactIdOf(walk.previousId),
  nextId: contactIdOf(walk.nextId),
  items: walk.items.map(({ id, name, email, emailGiven, linkedinId, attributes }) => ({
    ...{ id: formatId('contact', id), name, email: emailGiven ?? email, linkedinId, attributes },
  })),
  lacking: { ...walk.lacking, firstId: contactIdOf(walk.lacking.firstId) },
});

export const SequencePreview = Type.Object(
  {
    subject: text('Rooms in autumn, Ada'),
    html: nullable(Type.String(), 'Null for what leaves by LinkedIn.', '<p>Dear Ada, …</p>'),
    text: text('Dear Ada, …'),
    remoteImages: whole(0, 'How many its html would fetch from elsewhere.'),
    from: text('Mara Lindholm <mara@harbourrooms.example>'),
    accountId: text('acc_1', 'Who would send it.'),
    headers: textsByName({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  },
  { title: 'SequencePreview' },
);

export const presentPreview = (
  { subject, html, text: plain, headers, from, accountId }: MadePreview,
  remoteImages: number,
): Static<typeof SequencePreview> => ({
  ...{ subject, html, text: plain, remoteImages, from, accountId, headers },
});

export const SequenceVersion = Type.Object({ version: whole(3), createdAt: instant() });

export const presentVersion = ({ version, createdAt }: VersionHead): Static<typeof SequenceVersion> => ({
  version,
  createdAt: iso(createdAt),
});
