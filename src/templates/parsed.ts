import { TagToken, Tokenizer, type Template } from 'liquidjs';
import { foundFault } from './faults.js';
import { ENGINES } from './language.js';
import { PARTS, type FoundFault, type Part, type TemplateSource } from './source.js';
import { textPartOf } from './text-part.js';

export interface ParsedPart {
  readonly nodes: Template[];
  /** Its nodes depend on one another: what one of them does changes what others say. */
  readonly isJoined: boolean;
}

/** A template that has been read, or what was met. */
export interface ParsedTemplate {
  readonly parts: ReadonlyMap<Part, ParsedPart>;
  /** Of the html, because none was given. */
  readonly madeText: string | undefined;
  readonly faults: readonly FoundFault[];
}

const JOINING = new Set(['assign', 'capture', 'cycle', 'break', 'continue']);

export function parseTemplate(source: TemplateSource): ParsedTemplate {
  const parts = new Map<Part, ParsedPart>();
  const faults: FoundFault[] = [];
  for (const part of PARTS) {
    const text = source[part];
    if (text !== undefined) read(part, text);
  }
  // Of what can't be read nothing can be made either.
  const isMade = source.text === undefined && source.html !== undefined && parts.has('html');
  const madeText = isMade ? made(source.html) : undefined;
  if (madeText !== undefined) read('text', madeText);
  return { parts, madeText, faults };

  function read(part: Part, text: string): void {
    try {
      parts.set(part, parsePart(part, text));
    } catch (error) {
      faults.push(foundFault(error, part));
    }
  }

  function made(html: string): string | undefined {
    try {
      return textPartOf(html);
    } catch (error) {
      faults.push(foundFault(error, 'text'));
      return undefined;
    }
  }
}

function parsePart(part: Part, text: string): ParsedPart {
  const engine = ENGINES[part];
  const nodes = engine.parse(text);
  const tokens = new Tokenizer(text, engine.options.operators).readTopLevelTokens(engine.options);
  // `offset: continue` of a loop goes on where another one ended.
  const isJoined = tokens.some(
    (token) => token instanceof TagToken && (JOINING.has(token.name) || token.args.includes('continue')),
  );
  return { nodes, isJoined };
}
