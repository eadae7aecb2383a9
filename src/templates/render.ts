import { type Template } from 'liquidjs';
import { lineFault } from '../core/headers.js';
import { directionOf } from '../core/locale.js';
import { faultOf } from './faults.js';
import { ENGINES } from './language.js';
import type { ParsedTemplate } from './parsed.js';
import type { Part, Rendered, Scope, Setting, TemplateFault } from './source.js';

const LONGEST_SUBJECT = 998;
const LARGEST_PART = 1_000_000;
const MOST_DIRECTIONS = 500;

const directions = new Map<string, 'ltr' | 'rtl'>();

/** What filters go by, and what every template may read beside its variables. */
export function globalsOf({ locale, timezone }: Setting) {
  let direction = directions.get(locale);
  if (direction === undefined) {
    if (directions.size >= MOST_DIRECTIONS) directions.clear();
    direction = directionOf(locale);
    directions.set(locale, direction);
  }
  return { locale, timezone, direction };
}

/** All of it, for one mail. */
export function renderWhole(
  { parts, madeText, faults }: ParsedTemplate,
  setting: Setting,
  own: Scope,
): Rendered {
  const [fault] = faults;
  if (fault) return { fault };
  const globals = globalsOf(setting);
  const scope = { ...setting.variables, ...own };
  const mail: Partial<Record<Part, string>> = {};
  for (const [part, { nodes }] of parts) {
    const text = renderNodes(part, nodes, scope, globals);
    if (typeof text !== 'string') return { fault: text };
    mail[part] = text;
  }
  return finished(mail, madeText !== undefined);
}

export function renderNodes(
  part: Part,
  nodes: Template[],
  scope: Scope,
  globals: object,
): string | TemplateFault {
  try {
    return String(ENGINES[part].renderSync(nodes, scope, { globals }));
  } catch (error) {
    return faultOf(error, part);
  }
}

/** What may leave as it is, and why something may not. */
export function finished(mail: Partial<Record<Part, string>>, isTextMade: boolean): Rendered {
  for (const [part, text] of Object.entries(mail) as [Part, string][]) {
    if (text.length > LARGEST_PART) return { fault: { ...TOO_LARGE, part } };
  }
  if (mail.subject !== undefined) {
    mail.subject = mail.subject.trim();
    const fault = subjectFault(mail.subject);
    if (fault !== undefined) {
      return { fault: { code: 'template_bad_subject', message: `the subject ${fault}`, part: 'subject' } };
    }
  }
  // Tags that stood on lines of their own have left those empty.
  if (isTextMade && mail.text !== undefined) mail.text = mail.text.replace(/\n{3,}/g, '\n\n').trim();
  return mail;
}

/** Refused, never cleaned: a subject that was silently changed is not the one that somebody wrote. */
const subjectFault = (subject: string): string | undefined =>
  subject.length > LONGEST_SUBJECT ? `is longer than ${LONGEST_SUBJECT} letters` : lineFault(subject);

const TOO_LARGE = {
  code: 'template_output_too_large',
  message: 'the mail would be larger than a million letters',
} as const;
