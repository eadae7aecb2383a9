/** A stretch of a template: what Liquid reads, or what it hands on as it is. */
export interface Piece {
  readonly isLiquid: boolean;
  readonly text: string;
}

const RAW_BEGINS = /^\{%-?\s*raw\s*-?%\}$/;
const RAW_ENDS = /\{%-?\s{0,100}endraw\s{0,100}-?%\}/g;

/** Every `{{ … }}` and `{% … %}`, a raw block as one, and what stands between. Takes one look at each letter. */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (isLiquid: boolean, from: number, to: number) => {
    if (to > from) pieces.push({ isLiquid, text: template.slice(from, to) });
  };
  let at = 0;
  for (;;) {
    const begin = nextOpening(template, at);
    const end = begin === -1 ? -1 : endOf(template, begin);
    if (end === -1) break;
    add(false, at, begin);
    add(true, begin, end);
    at = end;
  }
  add(false, at, template.length);
  return pieces;
}

function nextOpening(template: string, from: number): number {
  for (let at = template.indexOf('{', from); at !== -1; at = template.indexOf('{', at + 1)) {
    const next = template[at + 1];
    if (next === '{' || next === '%') return at;
  }
  return -1;
}

/** -1: it is not closed; the parser will say so. */
function endOf(template: string, begin: number): number {
  if (template[begin + 1] === '{') return endOfOutput(template, begin + 2);
  const close = template.indexOf('%}', begin + 2);
  if (close === -1) return -1;
  if (!RAW_BEGINS.test(template.slice(begin, close + 2))) return close + 2;
  RAW_ENDS.lastIndex = close + 2;
  return RAW_ENDS.test(template) ? RAW_ENDS.lastIndex : -1;
}

/** A quoted text may hold what would close it. */
function endOfOutput(template: string, from: number): number {
  for (let at = from; at < template.length; at += 1) {
    const letter = template[at];
    if (letter === '}' && template[at + 1] === '}') return at + 2;
    if (letter !== '"' && letter !== "'") continue;
    at = template.indexOf(letter, at + 1);
    if (at === -1) return -1;
  }
  return -1;
}
