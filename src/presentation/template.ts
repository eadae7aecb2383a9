import type {
  Template as KnownTemplate,
  TemplateDetail as KnownDetail,
  TemplatePreview as MadePreview,
} from '../templates/templates.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { flag, instant, list, nullable, text, word } from './shape.js';

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

export const presentTemplatePreview = (preview: MadePreview): Static<typeof TemplatePreview> => preview;
