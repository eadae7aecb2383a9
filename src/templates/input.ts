import { invalidInput } from '../core/errors.js';
import { canonicalLocale } from '../core/locale.js';
import { shapeFault } from '../shapes/fault.js';
import { fieldOf, plainCopy } from '../shapes/plain.js';
import { Compile, Type, type Static, type TSchema } from '../vendor/typebox.js';
import { LARGEST_TEMPLATE } from './source.js';

const closed = { additionalProperties: false } as const;
/** Null and left out are the same. */
const maybe = <T extends TSchema>(shape: T) => Type.Optional(Type.Union([shape, Type.Null()]));
const Id = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });
const Version = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$' });
const Locale = Type.String({ minLength: 2, maxLength: 35 });
const Body = maybe(Type.String({ maxLength: LARGEST_TEMPLATE }));

export const TemplateInput = Type.Object(
  {
    id: Id,
    version: Version,
    locale: Locale,
    subject: Type.String({ minLength: 1, maxLength: 2_000 }),
    html: Body,
    text: Body,
    /** Instead of `html`, which is made of it. */
    mjml: Body,
    /** Which locale readers of others get; null: none. Left out: as it is. */
    fallbackLocale: Type.Optional(Type.Union([Locale, Type.Null()])),
  },
  closed,
);
export type TemplateInput = Static<typeof TemplateInput>;

/** What one locale says, of a version that is meant elsewhere. */
const Text = Type.Object(
  {
    locale: Locale,
    subject: Type.String({ maxLength: 2_000 }),
    html: Body,
    text: Body,
    mjml: Body,
  },
  closed,
);
const MOST_TEXTS = 50;
/** A draft of three parts, and a payload. */
const LARGEST_PREVIEW = 4 * LARGEST_TEMPLATE;
const Fallback = Type.Optional(Type.Union([Locale, Type.Null()]));

/** A whole version at once: nobody ever sees half of it. */
export const VersionInput = Type.Object(
  {
    version: Version,
    /** Only if there is no such version yet. */
    isNew: Type.Optional(Type.Boolean()),
    fallbackLocale: Fallback,
    texts: Type.Array(Text, { maxItems: MOST_TEXTS }),
  },
  closed,
);
export type VersionInput = Static<typeof VersionInput>;

/** As they are being written: a subject may be empty for a moment. */
export const CheckInput = Type.Object(
  {
    id: Id,
    version: Type.Optional(Version),
    fallbackLocale: Fallback,
    texts: Type.Array(Text, { minItems: 1, maxItems: MOST_TEXTS }),
  },
  closed,
);
export type CheckInput = Static<typeof CheckInput>;

const Draft = Type.Object(
  { subject: Type.String({ maxLength: 2_000 }), html: Body, text: Body, mjml: Body },
  closed,
);

export const PreviewInput = Type.Object(
  {
    id: Id,
    version: Type.Optional(Version),
    locale: Locale,
    eventId: Type.Optional(Type.String({ maxLength: 40 })),
    payload: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Instead of what is saved. */
    draft: Type.Optional(Draft),
  },
  closed,
);
export type PreviewInput = Static<typeof PreviewInput>;

export const TestInput = Type.Object(
  {
    ...PreviewInput.properties,
    /** An address of one's own. */
    to: Type.String({ maxLength: 320 }),
    /** Left out: the workspace's first that sends email. */
    accountId: Type.Optional(Type.String({ maxLength: 40 })),
  },
  closed,
);
export type TestInput = Static<typeof TestInput>;

const shape = Compile(TemplateInput);
const previewShape = Compile(PreviewInput);
const checkShape = Compile(CheckInput);
const versionShape = Compile(VersionInput);

export interface ReadTemplate extends Omit<TemplateInput, 'html' | 'text' | 'mjml' | 'fallbackLocale'> {
  readonly html: string | null;
  readonly text: string | null;
  readonly mjml: string | null;
  /** Undefined: as it is. */
  readonly fallbackLocale: string | null | undefined;
}

/** Throws `invalid_input` with the field; what the parts say is looked at elsewhere. */
export function readTemplateInput(given: unknown): ReadTemplate {
  if (!shape.Check(given)) throw shapeFault(shape.Errors(given), 'template');
  const { html = null, text = null, mjml = null, fallbackLocale } = given;
  if (html !== null && mjml !== null) throw invalidInput('html', 'is made of mjml; give one of the two');
  if (html === null && mjml === null && text === null)
    throw invalidInput('text', 'is missing, and so is html: one of the two is needed');
  return {
    ...{ ...given, html, text, mjml },
    locale: readLocale('locale', given.locale),
    fallbackLocale: fallbackLocale == null ? fallbackLocale : readLocale('fallbackLocale', fallbackLocale),
  };
}

export function readPreviewInput(input: unknown): PreviewInput {
  const read = plainCopy(input, LARGEST_PREVIEW);
  if ('fault' in read) throw invalidInput(fieldOf(read.fault.path, 'preview'), read.fault.text);
  const given = read.value;
  if (!previewShape.Check(given)) throw shapeFault(previewShape.Errors(given), 'preview');
  if (given.eventId !== undefined && given.payload !== undefined)
    throw invalidInput('payload', 'is that of the event; give one of the two');
  return { ...given, locale: readLocale('locale', given.locale) };
}

/** A text with its gaps filled in. */
export type WholeText = Pick<ReadTemplate, 'locale' | 'subject' | 'html' | 'text' | 'mjml'>;

export interface ReadCheck extends Omit<CheckInput, 'texts'> {
  readonly texts: readonly WholeText[];
}

export function readCheckInput(given: unknown): ReadCheck {
  if (!checkShape.Check(given)) throw shapeFault(checkShape.Errors(given), 'check');
  return { ...given, ...readFallback(given), texts: readTexts(given.texts) };
}

export interface ReadVersion extends Omit<VersionInput, 'texts'> {
  readonly texts: readonly WholeText[];
}

export function readVersionInput(given: unknown): ReadVersion {
  if (!versionShape.Check(given)) throw shapeFault(versionShape.Errors(given), 'version');
  return { ...given, ...readFallback(given), texts: readTexts(given.texts) };
}

const readFallback = ({ fallbackLocale }: Pick<VersionInput, 'fallbackLocale'>) =>
  fallbackLocale == null ? {} : { fallbackLocale: readLocale('fallbackLocale', fallbackLocale) };

function readTexts(texts: VersionInput['texts']): readonly WholeText[] {
  const seen = new Set<string>();
  return texts.map(({ html = null, text = null, mjml = null, subject, locale: tag }, index) => {
    const locale = readLocale(`texts.${index}.locale`, tag);
    if (seen.has(locale)) throw invalidInput(`texts.${index}.locale`, 'is there twice');
    seen.add(locale);
    return { locale, subject, html: mjml === null ? html : null, text, mjml };
  });
}

function readLocale(field: string, tag: string): string {
  const locale = canonicalLocale(tag);
  if (locale === undefined) throw invalidInput(field, 'is not a language tag such as en or fr-CA');
  return locale;
}
