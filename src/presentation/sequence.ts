import { ACTIONS } from '../core/message.js';
import { DELAY_UNITS } from '../core/sequence.js';
import type {
  Preview as MadePreview,
  Sequence as KnownSequence,
  SequenceHead as KnownHead,
} from '../sequences/sequences.js';
import type { SequenceCheck as MadeCheck } from '../sequences/check.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { instant, list, nullable, text, textsByName, whole, word } from './shape.js';

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
  createdAt: instant(),
  updatedAt: instant(),
};

export const SequenceHead = Type.Object(head, { title: 'SequenceHead' });
export const Sequence = Type.Object({ ...head, steps: list(Step) }, { title: 'Sequence' });

const presentHead = ({ id, name, version, createdAt, updatedAt }: KnownHead) => ({
  ...{ id, name, version },
  ...{ createdAt: iso(createdAt), updatedAt: iso(updatedAt) },
});

export const presentSequenceHead = (known: KnownHead): Static<typeof SequenceHead> => presentHead(known);

export const presentSequence = (known: KnownSequence): Static<typeof Sequence> => ({
  ...presentHead(known),
  steps: known.steps,
});

export const SequenceCheck = Type.Object(
  {
    faults: list(
      Type.Object({
        step: whole(1),
        part: word(['subject', 'body', 'bodyText']),
        line: whole(1),
        sentence: text('there is no filter “upcas”', 'For people.'),
        count: whole(23, 'How many people’s mail would not be sent, of those that were looked at.'),
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

export const presentCheck = ({ faults, variables }: MadeCheck): Static<typeof SequenceCheck> => ({
  faults: faults.map(({ step, part, line, sentence, count, suggestion }) => ({
    ...{ step, part, line, sentence, count, suggestion },
  })),
  variables,
});

export const SequencePreview = Type.Object(
  {
    subject: text('Rooms in autumn, Ada'),
    html: nullable(Type.String(), 'Null for what leaves by LinkedIn.', '<p>Dear Ada, …</p>'),
    text: text('Dear Ada, …'),
    headers: textsByName({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  },
  { title: 'SequencePreview' },
);

export const presentPreview = ({
  subject,
  html,
  text: plain,
  headers,
}: MadePreview): Static<typeof SequencePreview> => ({
  ...{ subject, html, text: plain, headers },
});
