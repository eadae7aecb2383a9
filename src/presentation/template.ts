import type { Page } from '../core/page.js';
import { templatesPlate } from '../core/template-words.js';
import type {
  TemplateCheck as MadeCheck,
  TemplateHead as KnownHead,
  TemplateStanding as KnownStanding,
} from '../templates/desk.js';
import type {
  Template as KnownTemplate,
  TemplateDetail as KnownDetail,
  TemplatePreview as MadePreview,
} from '../templates/templates.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { countRemoteImages } from './remote-images.js';
import { flag, instant, list, nextCursor, nullable, text, textsByName, whole, word } from './shape.js';
import { LevelWord } from './words.js';

const direction = word(['ltr', 'rtl'], { description: 'How the letters of its locale run.' });
const fallbackLocale = nullable(
  Type.String(),
  'What readers of other locales get; null: no mail, and `template_missing_locale`.',
  'en',
);

export const Template = Type.Object(
  {
    id: text('open-seat'),
    version: text('v1'),
    locale: text('en'),
    subject: text('A seat is open: {{ courseTitle }}', 'Liquid.'),
    html: nullable(Type.String(), 'Liquid; what is put in is escaped.', '<p>{{ courseTitle }}</p>'),
    text: nullable(Type.String(), 'Null: it is made of the html.'),
    mjml: nullable(Type.String(), 'What the html was made of, if it was.'),
    fallbackLocale,
    direction,
    variables: list(
      Type.Object({ name: text('courseTitle'), required: flag(true, 'Without it there is no mail.') }),
      'What it reads.',
    ),
    isUsed: flag(true, 'Mail has left with it: it never changes again.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Template' },
);

export const presentTemplate = ({
  createdAt,
  updatedAt,
  ...template
}: KnownTemplate): Static<typeof Template> => ({
  ...template,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

export const TemplateDetail = Type.Object(
  {
    id: text('open-seat'),
    version: text('v1'),
    fallbackLocale,
    versions: list(text('v1'), 'All of them, newest first.'),
    locales: list(Template, 'The texts of this version.'),
  },
  { title: 'TemplateDetail' },
);

export const presentTemplateDetail = ({
  locales,
  ...detail
}: KnownDetail): Static<typeof TemplateDetail> => ({ ...detail, locales: locales.map(presentTemplate) });

export const TemplatePreview = Type.Object(
  {
    subject: nullable(Type.String(), 'Null, as the parts are, if there would be no mail.', 'A seat is open'),
    html: nullable(Type.String(), undefined, '<p>Linear Algebra</p>'),
    text: nullable(Type.String(), undefined, 'Linear Algebra'),
    locale: nullable(Type.String(), 'The one that was chosen.', 'en'),
    direction,
    headers: textsByName({
      ...{
        From: 'Harbour Rooms <box@example.org>',
        To: 'Ada <reader@example.org>',
        Subject: 'A seat is open',
      },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    remoteImages: whole(0, 'How many its html would fetch from elsewhere.'),
    faults: list(
      Type.Object({
        code: text('template_missing_variable'),
        message: text('room is not known of this recipient, and the html needs it', 'For people.'),
      }),
      'Why a mail would not leave.',
    ),
  },
  { title: 'TemplatePreview' },
);

export const presentTemplatePreview = (preview: MadePreview): Static<typeof TemplatePreview> => ({
  ...preview,
  remoteImages: countRemoteImages(preview.html),
});

const plateOf = (sentence: string, evidence: string) =>
  Type.Object({ level: LevelWord, sentence: text(sentence), evidence: text(evidence) });

const TemplateHead = Type.Object(
  {
    id: text('open-seat'),
    version: text('v3', 'The newest.'),
    versions: whole(3, 'How many there are.'),
    locales: list(text('en'), 'Of the newest.'),
    topics: whole(4, 'How many topics the last 1,000 events are about that name it.'),
    updatedAt: instant(),
  },
  { title: 'TemplateHead' },
);
export const TemplateHeads = Type.Object(
  {
    plate: plateOf('3 templates.', 'The last 1,000 events name 2 of them.'),
    items: list(TemplateHead),
    nextCursor: nextCursor(),
  },
  { title: 'TemplateHeads' },
);

export const presentHeads = ({ items, nextCursor: next }: Page<KnownHead>): Static<typeof TemplateHeads> => ({
  plate: templatesPlate(items, next !== null),
  items: items.map(({ updatedAt, ...head }) => ({ ...head, updatedAt: iso(updatedAt) })),
  nextCursor: next,
});

const missing = list(
  Type.Object({ locale: text('it'), count: whole(30), died: whole(0, 'Mails that died of it.') }),
  'Locales that people read and no text serves, the most read first.',
);

export const TemplateStanding = Type.Object(
  {
    usedBy: Type.Object({
      topics: whole(4, 'Those of the last 1,000 events that name it.'),
      subscriptions: whole(8_516, 'Active ones of these topics.'),
      isMore: flag(false, 'There are more than were counted.'),
    }),
    versions: list(
      Type.Object({
        version: text('v3'),
        createdAt: instant(),
        isUsed: flag(true, 'Mail has left with it: it never changes again.'),
        sentence: text('2 events in 7 days ask for it still', 'For people.'),
      }),
      'The newest few, newest first.',
    ),
    matrix: list(
      Type.Object({
        locale: text('ar'),
        cells: list(
          word(['whole', 'faulty', 'none']),
          'Of each of these versions. `faulty`: it needs what some of the last events lack.',
        ),
      }),
    ),
    events: list(
      Type.Object({ id: text('evt_4k7q'), topic: text('section:09214'), at: instant() }),
      'The last ones that name it, newest first.',
    ),
    missing,
  },
  { title: 'TemplateStanding' },
);

export const presentTemplateStanding = ({
  versions,
  events,
  ...standing
}: KnownStanding): Static<typeof TemplateStanding> => ({
  ...standing,
  versions: versions.map(({ createdAt, ...version }) => ({ ...version, createdAt: iso(createdAt) })),
  events: events.map(({ at, ...event }) => ({ ...event, at: iso(at) })),
});

export const TemplateCheck = Type.Object(
  {
    plate: plateOf(
      'Arabic has a fault: 23 mails died of it, 389 people could be hit.',
      'Line 4 wants sectionIndx; events bring sectionIndex.',
    ),
    texts: list(
      Type.Object({
        locale: text('ar'),
        language: text('Arabic'),
        direction,
        readers: whole(412, 'Active subscriptions that get this text.'),
        alsoFor: list(text('ar-EG'), 'Locales that get it because there is none of their own.'),
        verdict: text('All 5 variables are in the events.', 'For people; where nothing is wrong.'),
        faults: list(
          Type.Object({
            part: word(['subject', 'html', 'text', 'mjml']),
            line: whole(4),
            sentence: text('no sectionIndx in the events', 'For people.'),
            name: nullable(Type.String(), 'What it reads that is not there.', 'sectionIndx'),
            suggestion: nullable(Type.String(), 'What may be meant.', 'sectionIndex'),
            count: whole(412, 'How many people could be hit.'),
            blocks: flag(true, 'It should not be saved like this.'),
          }),
        ),
      }),
    ),
    variables: list(
      Type.Object({
        name: text('courseTitle'),
        filled: whole(20, 'How many of the last events have it.'),
        of: whole(20),
        example: nullable(Type.String(), undefined, 'Linear Algebra'),
      }),
      'What may be put into them.',
    ),
  },
  { title: 'TemplateCheck' },
);

export const presentTemplateCheck = (check: MadeCheck): Static<typeof TemplateCheck> => check;
