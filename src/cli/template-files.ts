import { basename } from 'node:path';
import { invalidInput } from '../core/errors.js';

const PARTS = ['subject', 'html', 'txt', 'mjml'] as const;
export type PartName = (typeof PARTS)[number];

/** The files of one text, by its name. */
export interface TemplateFiles {
  readonly id: string;
  readonly version: string;
  readonly locale: string;
  readonly parts: Partial<Record<PartName, string>>;
}

/** ID.VERSION.LOCALE.PART: an id may hold dots, the rest not. */
const NAME = /^(.{1,80})\.([^.]{1,40})\.([A-Za-z]{2,8}(?:[-_][A-Za-z\d]{1,8}){0,3})\.([a-z]{2,10})$/;

/** In the order in which they were named. What is no part of a template is left alone, unless nothing else is there. */
export function filesOfTemplates(paths: readonly string[]): readonly TemplateFiles[] {
  const found = new Map<string, TemplateFiles>();
  for (const path of paths) {
    const [, id = '', version = '', locale = '', end] = NAME.exec(basename(path)) ?? [];
    const part = PARTS.find((name) => name === end);
    if (part === undefined) continue;
    const name = `${id}.${version}.${locale}`;
    const files = found.get(name) ?? { id, version, locale, parts: {} };
    files.parts[part] = path;
    found.set(name, files);
  }
  if (found.size === 0)
    throw invalidInput('path', 'holds no template; one is called like open-seat.v1.en.html');
  for (const [name, { parts }] of found)
    if (parts.subject === undefined) throw invalidInput('path', `there is no ${name}.subject`);
  return [...found.values()];
}
