import type { SequenceCheck } from '../../api/types';

export type Variable = SequenceCheck['variables'][number];

/** What is being typed of a variable, and where it begins. */
export interface Asked {
  readonly from: number;
  readonly word: string;
}

/** Within `{{ … }}` or `{% … %}`, the word at the caret; undefined: it stands elsewhere. */
export function askedAt(text: string, caret: number): Asked | undefined {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const open = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (open < 0) return undefined;
  const inside = before.slice(open + 2);
  // It is closed again, or a text within quotes or a filter is being typed.
  if (/[}\n]/.test(inside) || /["'][^"']*$/.test(inside.replaceAll(/(["']).*?\1/g, ''))) return undefined;
  if (/\|[^|]*$/.test(inside)) return undefined;
  let begin = inside.length;
  while (begin > 0 && /[\w.]/.test(inside.charAt(begin - 1))) begin -= 1;
  const word = inside.slice(begin);
  return { from: caret - word.length, word };
}

const LONGEST = 500;
const MOST = 8;

/** Those that it may become: by any part of their name, the beginning first. */
export function offersFor(word: string, variables: readonly Variable[]): readonly Variable[] {
  const lower = word.toLowerCase();
  const rank = ({ name }: Variable): number => {
    const at = name.toLowerCase().indexOf(lower);
    return at < 0 ? -1 : at;
  };
  return variables
    .filter((variable) => rank(variable) >= 0 && variable.name !== word)
    .toSorted((a, b) => rank(a) - rank(b) || b.filled - a.filled)
    .slice(0, MOST);
}

/** The text with it, and where the caret is then. It is closed, if it is not. */
export function completed(
  text: string,
  { from, word }: Asked,
  name: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(from + word.length);
  const isVariable = text.lastIndexOf('{{', from) > text.lastIndexOf('{%', from);
  const closed = /^[^\n{]*?\}\}/.test(rest) || !isVariable;
  const gap = text.slice(0, from).endsWith('{') ? ' ' : '';
  const end = closed ? '' : ' }}';
  return {
    text: text.slice(0, from) + gap + name + end + rest,
    caret: from + gap.length + name.length + end.length,
  };
}
