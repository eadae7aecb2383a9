import type { Template } from 'liquidjs';
import { foundFault, missingIn } from './faults.js';
import { ENGINES, PROBING_ENGINES } from './language.js';
import { parseTemplate, type ParsedTemplate } from './parsed.js';
import type { Checked, FoundFault, Part, ReadVariable, TemplateSource } from './source.js';

/** More than any mail needs; what comes beyond is not looked at one by one. */
const MOST_VARIABLES = 200;

/** What can be said of a template before there is anybody to write to: does it make sense, and what does it read. */
export function checkTemplate(source: TemplateSource): Checked {
  const parsed = parseTemplate(source);
  const found = variablesIn(parsed);
  const faults = [...parsed.faults];
  const required = new Set<string>();
  if (faults.length === 0) {
    const { lacked, tooSlow } = probe(source, parsed, [...found.keys()]);
    if (tooSlow) faults.push(tooSlow);
    for (const name of lacked) required.add(name);
  }
  const variables = [...found].map(([name, place]) => ({ name, ...place, required: required.has(name) }));
  return { faults, variables, text: parsed.madeText ?? null };
}

type Place = Omit<ReadVariable, 'name' | 'required'>;

/** By their dotted names, each at the first place that reads it. */
function variablesIn({ parts, madeText }: ParsedTemplate): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const [part, { nodes }] of parts) {
    // The lines of a text that was made are nobody's.
    if (part === 'text' && madeText !== undefined) continue;
    for (const variables of Object.values(ENGINES[part].analyzeSync(nodes).globals)) {
      for (const variable of variables) {
        const name = nameOf(variable.segments);
        const { row = 1 } = variable.location as { row?: number };
        if (name !== undefined && found.size < MOST_VARIABLES && !found.has(name)) {
          found.set(name, { part, line: row });
        }
      }
    }
  }
  return found;
}

/** As far as it is written out: what is looked up by another variable is known by where it stands. */
function nameOf(segments: readonly unknown[]): string | undefined {
  const plain: string[] = [];
  for (const segment of segments) {
    if (typeof segment !== 'string') break;
    plain.push(segment);
  }
  return plain.length === 0 ? undefined : plain.join('.');
}

interface Probed {
  /** Those without which there is no mail. */
  readonly lacked: readonly string[];
  readonly tooSlow?: FoundFault;
}

/** Rendered with values that are made up, leaving out one after the other. What takes too long with these always will. */
function probe(source: TemplateSource, parsed: ParsedTemplate, names: readonly string[]): Probed {
  const lacked: string[] = [];
  for (const part of parsed.parts.keys()) {
    const nodes = PROBING_ENGINES[part].parse(source[part] ?? parsed.madeText ?? '');
    // Once with all of them; if something else is wrong with what was made up, that is nobody's fault.
    for (const name of [undefined, ...names]) {
      const error = errorOf(part, nodes, scopeWithout(name, names));
      const fault = error === undefined ? undefined : foundFault(error, part);
      if (fault?.code === 'template_too_slow') return { lacked, tooSlow: fault };
      const lacking = error === undefined ? undefined : missingIn(error);
      if (name !== undefined && lacking !== undefined && `${name}.`.startsWith(`${lacking}.`))
        lacked.push(name);
    }
  }
  return { lacked };
}

function errorOf(part: Part, nodes: Template[], scope: object): object | undefined {
  try {
    PROBING_ENGINES[part].renderSync(nodes, scope);
    return undefined;
  } catch (error) {
    return error as object;
  }
}

interface Tree {
  [name: string]: Tree | string;
}

/** Made-up values for all that is read, but for one. */
function scopeWithout(missing: string | undefined, names: readonly string[]): Tree {
  const scope: Tree = { locale: 'en', timezone: 'UTC', direction: 'ltr' };
  for (const name of names)
    if (missing === undefined || !`${name}.`.startsWith(`${missing}.`)) put(scope, name.split('.'));
  return scope;
}

function put(tree: Tree, [first, ...rest]: readonly string[]): void {
  if (first === undefined) return;
  const below = Object.hasOwn(tree, first) ? tree[first] : undefined;
  const isTree = typeof below === 'object';
  if (rest.length === 0) {
    if (!isTree) define(tree, first, '1');
    return;
  }
  const next: Tree = isTree ? below : {};
  define(tree, first, next);
  put(next, rest);
}

/** Also `__proto__` is only a name. */
const define = (tree: Tree, name: string, value: Tree | string): unknown =>
  Object.defineProperty(tree, name, { value, enumerable: true, configurable: true, writable: true });
