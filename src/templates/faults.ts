import { nearest } from '../core/nearest.js';
import { forPeople } from '../core/text.js';
import { FormatError } from './formats.js';
import { FILTERS, OWN_FILTERS, TAGS } from './language.js';
import type { FoundFault, Part, TemplateFault } from './source.js';

/** What the language throws, as far as it is looked at. */
interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly originalError?: Thrown & { readonly variableName?: string };
  readonly token?: { getPosition?(): readonly [number, number] };
}

const LONGEST_SENTENCE = 300;

/** Met while a mail was made. */
export function faultOf(error: unknown, part: Part): TemplateFault {
  const thrown = error as Thrown;
  const line = lineOf(thrown);
  const where = { part, ...(line !== undefined && { line }) };
  const variable = missingIn(thrown);
  if (variable !== undefined) {
    const message = `${variable} is not known of this recipient, and the ${part} needs it`;
    return { code: 'template_missing_variable', message, variable, ...where };
  }
  const words = wordsOf(thrown);
  const limit = limitIn(words);
  return limit
    ? { ...limit, ...where }
    : { code: 'template_fault', message: sentenceOf(thrown).sentence, ...where };
}

/** Met while a template was read. */
export function foundFault(error: unknown, part: Part): FoundFault {
  const thrown = error as Thrown;
  const { sentence, suggestion } = sentenceOf(thrown);
  const limit = limitIn(wordsOf(thrown));
  return {
    code: limit?.code ?? 'template_fault',
    message: limit?.message ?? sentence,
    part,
    line: lineOf(thrown) ?? 1,
    suggestion: suggestion ?? null,
  };
}

/** The name of what is not there. */
export function missingIn(thrown: Thrown): string | undefined {
  for (let cause: Thrown | undefined = thrown; cause; cause = cause.originalError) {
    const { variableName } = cause as { variableName?: unknown };
    if (typeof variableName === 'string') return forPeople(variableName, 100);
  }
  return undefined;
}

/** Wall time and memory, as the language counts them: more of a hint than a verdict. */
function limitIn(words: string): Pick<TemplateFault, 'code' | 'message'> | undefined {
  if (words.startsWith('template render limit')) return { code: 'template_too_slow', message: TOO_SLOW };
  if (words.startsWith('memory alloc limit')) return { code: 'template_output_too_large', message: TOO_MUCH };
  if (words.startsWith('parse length limit'))
    return { code: 'template_fault', message: 'the template is longer than 200,000 letters' };
  if (words === 'Invalid string length') return { code: 'template_output_too_large', message: TOO_MUCH };
  if (words.startsWith('Maximum call stack')) return { code: 'template_fault', message: TOO_DEEP };
  return undefined;
}

const TOO_SLOW = 'rendering took too long';
const TOO_DEEP = 'the template is nested too deeply';
const TOO_MUCH = 'the template makes more text than a mail may hold';

function sentenceOf(thrown: Thrown): { sentence: string; suggestion?: string | undefined } {
  const words = wordsOf(thrown);
  if (isFormatError(thrown)) return { sentence: words };
  const filter = /^undefined filter: (\S+)/.exec(words)?.[1];
  if (filter !== undefined) {
    const name = forPeople(filter, 40);
    return {
      sentence: `there is no filter “${name}”`,
      suggestion: nearest(name, [...FILTERS, ...OWN_FILTERS]),
    };
  }
  const tag = /^tag "([^"]+)" not found/.exec(words)?.[1];
  if (tag !== undefined) {
    const name = forPeople(tag, 40);
    if (/^(?:end|els|when)/.test(name)) return { sentence: `{% ${name} %} closes nothing that is open` };
    return { sentence: `there is no tag “${name}”`, suggestion: nearest(name, TAGS) };
  }
  const unclosed = /^(tag|output) (.{1,80}) not closed/.exec(words);
  if (unclosed) return { sentence: `${forPeople(unclosed[2] ?? '', 60)} is not closed` };
  return { sentence: words };
}

const isFormatError = (thrown: Thrown): boolean =>
  thrown instanceof FormatError || thrown.originalError instanceof FormatError;

/** The library's own words, without the place that it adds to them. */
function wordsOf(thrown: Thrown): string {
  const words =
    (thrown.originalError?.message ?? thrown.message ?? 'something went wrong').split('\n')[0] ?? '';
  return forPeople(words.replace(/, line:\d+, col:\d+$/, ''), LONGEST_SENTENCE);
}

function lineOf({ token }: Thrown): number | undefined {
  try {
    return token?.getPosition?.()[0];
  } catch {
    return undefined;
  }
}
