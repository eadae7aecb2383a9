import { hash } from 'node:crypto';
import type { Setting, TemplateSource } from './source.js';

/** Templates and settings are known by what they say: whoever brings the same again shares what was made of it. */
const known = new WeakMap<object, { readonly key: string; readonly letters: number }>();

export const keyOf = (it: TemplateSource | Setting): string => lookedUp(it).key;

/** About how much memory it takes. */
export const lettersOf = (it: TemplateSource | Setting): number => lookedUp(it).letters;

function lookedUp(it: object) {
  let found = known.get(it);
  if (!found) {
    const text = JSON.stringify(it);
    found = { key: hash('sha256', text, 'base64url').slice(0, 22), letters: text.length };
    known.set(it, found);
  }
  return found;
}
