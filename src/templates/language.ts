import { Liquid, type FilterImplOptions, type FS } from 'liquidjs';
import { numberText, timeText, type Place, type TimeKind } from './formats.js';
import { LARGEST_TEMPLATE, type Part } from './source.js';

/**
 * Liquid, as far as it is offered. What is not named here is taken out of the engine, so that a template which uses it
 * is refused when it is saved: whatever reads files, prints without escaping, evaluates a text as an expression, or
 * answers differently on the next try.
 */
export const TAGS = [
  ...['assign', 'break', 'capture', 'case', 'comment', 'continue', 'cycle'],
  ...['echo', 'for', 'if', 'raw', 'unless', '#'],
] as const;

export const FILTERS = [
  ...['abs', 'append', 'at_least', 'at_most', 'capitalize', 'ceil', 'compact', 'concat', 'default'],
  ...['divided_by', 'downcase', 'escape', 'escape_once', 'first', 'floor', 'join', 'last', 'lstrip', 'map'],
  ...['minus', 'modulo', 'newline_to_br', 'plus', 'prepend', 'remove', 'remove_first', 'replace'],
  ...['replace_first', 'reverse', 'round', 'rstrip', 'size', 'slice', 'sort', 'split', 'strip'],
  ...['strip_newlines', 'sum', 'times', 'truncate', 'truncatewords', 'uniq', 'upcase', 'url_encode', 'where'],
] as const;

/** Ours: in the locale and zone of the mail. */
export const OWN_FILTERS = ['date', 'time', 'datetime', 'number'] as const;

/** By themselves no promise: what passes them is stopped with its thread. */
const LIMITS = { parseLimit: LARGEST_TEMPLATE, renderLimit: 300, memoryLimit: 2_000_000 };

/** There are none. */
const NO_FILES: FS = {
  readFile: () => Promise.reject(new Error('there are no files')),
  readFileSync: () => {
    throw new Error('there are no files');
  },
  exists: () => Promise.resolve(false),
  existsSync: () => false,
  contains: () => Promise.resolve(false),
  containsSync: () => false,
  resolve: () => '',
};

type Formats = Readonly<Record<(typeof OWN_FILTERS)[number], FilterImplOptions>>;

const time = (kind: TimeKind): FilterImplOptions =>
  function (value: unknown, style?: unknown, zone?: unknown) {
    return timeText(value, kind, this.context.globals as Place, style, zone);
  };

const FORMATS: Formats = {
  date: time('date'),
  time: time('time'),
  datetime: time('datetime'),
  number(value: unknown, digits?: unknown) {
    return numberText(value, this.context.globals as Place, digits);
  },
};

const asItIs: FilterImplOptions = (value: unknown) => value;
/** For a look at what a template needs, with values that were made up. */
const ANYTHING_GOES: Formats = { date: asItIs, time: asItIs, datetime: asItIs, number: asItIs };

function makeEngine(isEscaped: boolean, formats: Formats): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    // What stands in a condition, or before `default`, may be missing.
    lenientIf: true,
    strictFilters: true,
    ownPropertyOnly: true,
    dynamicPartials: false,
    relativeReference: false,
    fs: NO_FILES,
    ...LIMITS,
    ...(isEscaped && { outputEscape: 'escape' as const }),
  });
  keepOnly(engine.tags, TAGS);
  keepOnly(engine.filters, FILTERS);
  for (const name of OWN_FILTERS) engine.registerFilter(name, formats[name]);
  return engine;
}

function keepOnly(all: Record<string, unknown>, names: readonly string[]): void {
  for (const name of Object.keys(all)) if (!names.includes(name)) Reflect.deleteProperty(all, name);
}

type Engines = Readonly<Record<Part, Liquid>>;

function enginesOf(formats: Formats): Engines {
  const plain = makeEngine(false, formats);
  return { subject: plain, html: makeEngine(true, formats), text: plain };
}

export const ENGINES = enginesOf(FORMATS);
export const PROBING_ENGINES = enginesOf(ANYTHING_GOES);
