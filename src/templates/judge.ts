import { jobEventOf } from '../core/mail-job.js';
import { nearest } from '../core/nearest.js';
import type { Checked, Part } from './source.js';

type Values = Readonly<Record<string, unknown>>;

/** What events of late have brought; `sample`: there was none yet, so what one would look like. */
export interface Brought {
  readonly from: 'events' | 'sample' | 'nothing';
  readonly payloads: readonly Values[];
}

export interface BroughtVariable {
  readonly name: string;
  /** In how many of the events that were looked at. */
  readonly filled: number;
  readonly of: number;
  readonly example: string | null;
}

/** By the names that people gave them. */
export type TextPart = Part | 'mjml';

export interface FoundInText {
  readonly part: TextPart;
  readonly line: number;
  readonly sentence: string;
  /** What it reads that is not there. */
  readonly name: string | null;
  readonly suggestion: string | null;
  /** It can't be saved like this; or it could, and what is missing looks like a slip. */
  readonly blocks: boolean;
}

/** What templates may read whatever an event says. */
const ALWAYS = ['recipient', 'recipient.name', 'recipient.email', 'manageUrl', 'unsubscribeUrl'];
const OF_MAIL = ['locale', 'timezone', 'direction'];
const MOST_NAMES = 200;
const DEEPEST = 3;
const LONGEST_EXAMPLE = 60;

/** What a template sees of an event. */
export const seenOf = (payload: Values, at: number): Values =>
  jobEventOf({
    ...{ number: 1, dedupeKey: null, traceId: null, eventAt: at, payload },
    template: { id: '', version: null },
  }).variables;

/** All of it by dotted names, with how many events have it. */
export function broughtVariables({ payloads }: Brought): readonly BroughtVariable[] {
  const found = new Map<string, { filled: number; example: string | null }>();
  for (const payload of payloads) {
    for (const [name, value] of namesIn(payload, '', 1)) {
      const known = found.get(name);
      if (known) known.filled += 1;
      else if (found.size < MOST_NAMES) found.set(name, { filled: 1, example: exampleOf(value) });
    }
  }
  const of = payloads.length;
  return [
    ...[...found].map(([name, { filled, example }]) => ({ name, filled, of, example })),
    ...ALWAYS.filter((name) => name !== 'recipient').map((name) => ({
      ...{ name, filled: of, of, example: null },
    })),
  ];
}

function* namesIn(values: Values, prefix: string, depth: number): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || !/^[\w-]{1,80}$/.test(name)) continue;
    yield [`${prefix}${name}`, value];
    if (typeof value === 'object' && !Array.isArray(value) && depth < DEEPEST)
      yield* namesIn(value as Values, `${prefix}${name}.`, depth + 1);
  }
}

const exampleOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, LONGEST_EXAMPLE)
    : null;

function has(values: Values, name: string): boolean {
  let present: unknown = values;
  for (const field of name.split('.')) {
    if (typeof present !== 'object' || present === null) return false;
    if (!Object.hasOwn(present, field)) {
      // What a list or a text knows of itself.
      return Array.isArray(present) && ['size', 'first', 'last'].includes(field);
    }
    present = (present as Values)[field];
  }
  return present !== null && present !== undefined;
}

/** Of those that it can't do without, the ones that some of the events lack. */
export function lackingOf(
  variables: readonly { readonly name: string; readonly required: boolean }[],
  { payloads }: Brought,
): readonly { readonly name: string; readonly lack: number }[] {
  if (payloads.length === 0) return [];
  return variables
    .filter(({ name, required }) => required && !ALWAYS.includes(name) && !OF_MAIL.includes(name))
    .map(({ name }) => ({ name, lack: payloads.filter((payload) => !has(payload, name)).length }))
    .filter(({ lack }) => lack > 0);
}

/** Everything that is wrong with one text, where it stands. */
export function faultsIn(checked: Checked, isMjml: boolean, brought: Brought): readonly FoundInText[] {
  const place = (part: Part, line: number) =>
    isMjml && part === 'html' ? ({ part: 'mjml', line: 1 } as const) : { part, line };
  const names = broughtVariables(brought).map(({ name }) => name);
  const of = brought.payloads.length;
  const wrong = checked.faults.map(({ part, line, message, suggestion }) => ({
    ...place(part, line),
    ...{ sentence: message, name: null, suggestion, blocks: true },
  }));
  const lacking = lackingOf(checked.variables, brought).map(({ name, lack }): FoundInText => {
    const { part, line } = checked.variables.find((variable) => variable.name === name) ?? {
      ...{ part: 'html' as const, line: 1 },
    };
    const isNowhere = lack === of;
    const suggestion = isNowhere ? (nearest(name, names) ?? null) : null;
    const where = brought.from === 'sample' ? 'the sample' : 'the events';
    return {
      ...place(part, line),
      sentence: isNowhere ? `no ${name} in ${where}` : `${lack} of ${of} events have no ${name}`,
      ...{ name, suggestion },
      // A name that nothing is like may come with an event that nobody has published yet.
      blocks: suggestion !== null,
    };
  });
  return [...wrong, ...lacking];
}
