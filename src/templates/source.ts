/** What a template is made of, what is put into it, and what comes of it. */
export const PARTS = ['subject', 'html', 'text'] as const;
export type Part = (typeof PARTS)[number];

/** In `html` what is put in is escaped; a subject and a text are taken as they are. Without a `text` one is made of the html. */
export type TemplateSource = Readonly<Partial<Record<Part, string>>>;

/** Plain values only: it travels to another thread. */
export type Scope = Readonly<Record<string, unknown>>;

/** What many mails of one template share: it is sent to the thread once, and what depends on it alone is rendered once. */
export interface Setting {
  readonly variables: Scope;
  /** A canonical language tag; also what `{{ locale }}` says. */
  readonly locale: string;
  /** In which dates and times are said; also what `{{ timezone }}` says. */
  readonly timezone: string;
}

export interface RenderJob {
  readonly source: TemplateSource;
  readonly setting: Setting;
  /** What is this mail's own. Where it names what the setting names, its own counts. */
  readonly own: Scope;
  /** Whose turn it takes, of those that wait: a workspace, for example. Default: its template's own. */
  readonly of?: string | undefined;
}

export const TEMPLATE_FAULTS = {
  template_fault: 'The template does not make sense, or can not be applied to these values.',
  template_missing_variable: 'The template needs something that is not known of this recipient.',
  template_bad_subject: 'The subject would hold a line break or another control character, or be too long.',
  template_output_too_large: 'The mail would be larger than a template may make it.',
  template_too_slow: 'Rendering took too long, and was stopped.',
  template_too_large: 'Rendering took too much memory, and was stopped.',
} as const;
export type TemplateFaultCode = keyof typeof TEMPLATE_FAULTS;

export interface TemplateFault {
  readonly code: TemplateFaultCode;
  /** For people: a whole sentence. */
  readonly message: string;
  readonly part?: Part;
  /** From 1. */
  readonly line?: number;
  /** What was missing: `contact.attributes.company`. */
  readonly variable?: string;
}

export type Rendered = Readonly<Partial<Record<Part, string>>> | { readonly fault: TemplateFault };

export const isFault = (rendered: Rendered): rendered is { readonly fault: TemplateFault } =>
  'fault' in rendered;

/** Of a part, or of all of them together. */
export const LARGEST_TEMPLATE = 200_000;

export interface FoundFault extends TemplateFault {
  readonly part: Part;
  readonly line: number;
  /** What may have been meant. */
  readonly suggestion: string | null;
}

/** Something that a template reads, at the first place where it does. */
export interface ReadVariable {
  /** Dotted: `contact.attributes.company`. */
  readonly name: string;
  readonly part: Part;
  readonly line: number;
  /** Without it there is no mail: it stands under no condition and has no default. */
  readonly required: boolean;
}

export interface Checked {
  readonly faults: readonly FoundFault[];
  readonly variables: readonly ReadVariable[];
  /** The text that is made of the html, where none is given. */
  readonly text: string | null;
}

/** What every template may read, whatever it is told. */
const ALWAYS_THERE = ['locale', 'timezone', 'direction'];

/** What has to come from somewhere. */
export const neededOf = ({ variables }: Checked): { readonly name: string; readonly required: boolean }[] =>
  variables
    .filter(({ name }) => !ALWAYS_THERE.includes(name))
    .map(({ name, required }) => ({ name, required }));
