import type { SequenceStep } from '../store/scripts/sequences.js';
import { piecesOf } from '../templates/pieces.js';
import type { TemplateSource } from '../templates/source.js';

/** A tag or an entity: whoever writes one means html. */
const MARKUP = /<[a-z!/][^<>]{0,2000}>|&(?:[a-z]{2,10}|#\d{1,7}|#x[\da-f]{1,6});/i;

const known = new WeakMap<SequenceStep, TemplateSource>();

/** The template of a step, without a subject that it takes from another one. */
export function sourceOf(step: SequenceStep): TemplateSource {
  let source = known.get(step);
  if (!source) {
    source = makeSource(step);
    known.set(step, source);
  }
  return source;
}

function makeSource({ action, subject, body, bodyText }: SequenceStep): TemplateSource {
  const line = subject === null ? {} : { subject };
  if (action !== 'email') return { ...line, text: body };
  const text = bodyText ?? undefined;
  if (isMarkup(body)) return { ...line, html: body, ...(text !== undefined && { text }) };
  return { ...line, html: withBreaks(body), text: text ?? body };
}

const outside = (body: string): string =>
  piecesOf(body)
    .map(({ isLiquid, text }) => (isLiquid ? '' : text))
    .join('');

const isMarkup = (body: string): boolean => MARKUP.test(outside(body));

/** A body without markup is a text: its lines stay lines, and nothing in it becomes a tag. */
const withBreaks = (body: string): string =>
  piecesOf(body)
    .map(({ isLiquid, text }) => (isLiquid ? text : escaped(text).replace(/\r\n|\r|\n/g, '<br>\n')))
    .join('');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
