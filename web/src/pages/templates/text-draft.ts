import type { TemplateCheck, TemplateDetail, TextDraft } from '../../api/templates';

export type Fault = TemplateCheck['texts'][number]['faults'][number];
export type Part = Fault['part'];

export const draftsOf = ({ locales }: Pick<TemplateDetail, 'locales'>): readonly TextDraft[] =>
  locales.map(({ locale, subject, html, text, mjml }) => ({
    // What was made of mjml is made of it again.
    ...{ locale, subject, html: mjml === null ? html : null, text, mjml },
  }));

/** Where its text is written. */
export const sourceOf = ({ html, mjml }: TextDraft): 'mjml' | 'html' | 'text' =>
  mjml !== null ? 'mjml' : html !== null ? 'html' : 'text';

/** Those that differ from what is saved. */
export function changedLocales(saved: readonly TextDraft[], drafts: readonly TextDraft[]): readonly string[] {
  const before = new Map(saved.map((text) => [text.locale, JSON.stringify(text)]));
  return drafts
    .filter((text) => before.get(text.locale) !== JSON.stringify(text))
    .map(({ locale }) => locale);
}

/** v3 → v4; the first that there is not yet. */
export function nextVersion(version: string, known: readonly string[]): string {
  const [, stem = `${version}-`, digits = '1'] = /^(.*?)(\d{1,9})$/.exec(version) ?? [];
  for (let n = Number(digits) + 1; ; n += 1) {
    const next = `${stem}${String(n)}`;
    if (!known.includes(next)) return next;
  }
}

/** With another name in one line, where it stands as a name of its own. */
export function renamed(text: string, line: number, name: string, other: string): string {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const alone = new RegExp(`(?<![\\w.])${literal}(?![\\w])`, 'g');
  return text
    .split('\n')
    .map((each, n) => (n + 1 === line ? each.replace(alone, () => other) : each))
    .join('\n');
}

/** The draft with what a fault suggests in the place of what it found. */
export function mended(draft: TextDraft, { part, line, name, suggestion }: Fault): TextDraft {
  const text = draft[part];
  if (text === null || name === null || suggestion === null) return draft;
  return { ...draft, [part]: renamed(text, part === 'mjml' ? lineWith(text, name) : line, name, suggestion) };
}

/** What is made of mjml has lines of its own, so its name is looked for. */
const lineWith = (text: string, name: string): number =>
  text.split('\n').findIndex((line) => line.includes(name)) + 1;
