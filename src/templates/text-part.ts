import { convert, type Formatter } from 'html-to-text';
import { piecesOf } from './pieces.js';

/**
 * The plain text of a mail, made of its html while both are still templates: whatever is put in later stands in both,
 * and no mail pays for it. Liquid passes through as marks that no html holds.
 */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = /\ue000(\d+)\ue001/g;

const OPTIONS = {
  // Lines are the reader's matter; and a mark must not be broken.
  wordwrap: false,
  formatters: { line, item },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', format: 'skip' },
    // Most tables of mails are there for their looks; each of their cells is read by itself.
    ...['td', 'th', 'ul', 'ol'].map((selector) => ({ selector, format: 'line' })),
    // What stands between two items is Liquid, and no item.
    { selector: 'li', format: 'item' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
  limits: { maxInputLength: 1_000_000, maxDepth: 200 },
} as const;

/** Whose insides nobody reads; what Liquid does in them counts all the same. */
const UNSEEN = [
  ['<!--', '-->'],
  ['<style', '</style>'],
  ['<script', '</script>'],
  ['<title', '</title>'],
] as const;

export function textPartOf(html: string): string {
  const liquid: string[] = [];
  let marked = '';
  for (const piece of piecesOf(html.replace(/[\ue000\ue001]/g, ''))) {
    if (piece.isLiquid) marked += `${OPEN}${liquid.push(piece.text) - 1}${CLOSE}`;
    else marked += piece.text;
  }
  for (const [begins, ends] of UNSEEN) marked = withoutInsides(marked, begins, ends, liquid);
  // Everything counts, also what stands before <html> or in its head.
  const flat = marked.replace(/<\/?(?:html|head|body)\b[^<>]*>|<!doctype[^<>]*>/gi, '');
  const text = convert(flat, OPTIONS);
  return text.replace(MARK, (_mark, index: string) => liquid[Number(index)] ?? '').trim();
}

function line(...[element, walk, builder]: Parameters<Formatter>): void {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
}

function item(...[element, walk, builder]: Parameters<Formatter>): void {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline('- ');
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
}

/** Outputs in there are left out, tags are not: an assignment or a condition reaches further. */
function withoutInsides(html: string, begins: string, ends: string, liquid: readonly string[]): string {
  const lower = html.toLowerCase();
  let kept = '';
  let at = 0;
  for (;;) {
    const begin = lower.indexOf(begins, at);
    const end = begin === -1 ? -1 : lower.indexOf(ends, begin);
    if (end === -1) return kept + html.slice(at);
    kept += html.slice(at, begin) + tagsIn(html.slice(begin, end), liquid);
    at = end + ends.length;
  }
}

const tagsIn = (html: string, liquid: readonly string[]): string =>
  Array.from(html.matchAll(MARK), ([mark, index]) =>
    liquid[Number(index)]?.startsWith('{%') ? mark : '',
  ).join('');
