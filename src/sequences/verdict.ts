import { nearest } from '../core/nearest.js';
import type { SequenceStep } from '../core/sequence.js';
import type { RenderPool } from '../templates/render-pool.js';
import type { Checked, Part } from '../templates/source.js';
import { sourceOf } from './body.js';
import { LONGEST_NOTE } from './compose.js';
import { KNOWN_FIELDS } from './scope.js';

/** By the names that people gave them. */
export type StepPart = 'subject' | 'body' | 'bodyText';

export interface StepFault {
  readonly step: number;
  readonly part: StepPart;
  readonly line: number;
  readonly sentence: string;
  readonly suggestion: string | null;
}

/** Something that a step reads of a person, where it does first. */
export interface NeededVariable {
  readonly name: string;
  readonly step: number;
  readonly part: StepPart;
  readonly line: number;
  readonly required: boolean;
}

export interface Verdict {
  readonly faults: readonly StepFault[];
  readonly variables: readonly NeededVariable[];
}

/** What can be said of the templates of these steps before there is anybody to write to. */
export async function judgeSteps(
  pool: RenderPool,
  steps: readonly SequenceStep[],
  workspaceId: number,
): Promise<Verdict> {
  const looked = await Promise.all(
    steps.map(async (step) => ({ step, checked: await pool.check(sourceOf(step), String(workspaceId)) })),
  );
  const faults: StepFault[] = [];
  const variables: NeededVariable[] = [];
  for (const { step, checked } of looked) {
    faults.push(...faultsOf(step, checked), ...noteFault(step));
    for (const { name, part, line, required } of checked.variables) {
      const place = { step: step.order, part: partOf(step, part), line };
      const unknown = unknownName(name);
      if (unknown) faults.push({ ...place, ...unknown });
      else variables.push({ name, ...place, required });
    }
  }
  return { faults: distinct(faults), variables };
}

/** A body without markup is html and text at once: what is wrong with it is told once. */
function distinct(faults: readonly StepFault[]): StepFault[] {
  const known = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return [...known.values()];
}

const faultsOf = (step: SequenceStep, { faults }: Checked): StepFault[] =>
  faults.map(({ part, line, message, suggestion }) => ({
    step: step.order,
    part: partOf(step, part),
    line,
    sentence: isMade(step, part) ? `no plain text can be made of the body (${message}); give one` : message,
    suggestion,
  }));

function partOf(step: SequenceStep, part: Part): StepPart {
  if (part === 'subject') return 'subject';
  if (part === 'html' || step.action !== 'email') return 'body';
  // A body without markup is the text as well.
  return isMade(step, part) || step.bodyText !== null ? 'bodyText' : 'body';
}

const isMade = (step: SequenceStep, part: Part): boolean =>
  part === 'text' && step.bodyText === null && sourceOf(step).text === undefined;

/** A note that says the same to all can be measured now. */
function noteFault({ order, action, body }: SequenceStep): StepFault[] {
  if (action !== 'connection_request' || body.includes('{') || body.length <= LONGEST_NOTE) return [];
  const sentence = `a note may have ${LONGEST_NOTE} letters, and this has ${body.length}`;
  return [{ step: order, part: 'body', line: 1, sentence, suggestion: null }];
}

/** Attributes are whatever people have; all else has a name that is known. */
function unknownName(name: string): Pick<StepFault, 'sentence' | 'suggestion'> | undefined {
  const [root = '', field, ...rest] = name.split('.');
  const fields = Object.hasOwn(KNOWN_FIELDS, root) ? KNOWN_FIELDS[root] : undefined;
  if (!fields) {
    const meant = nearest(root, Object.keys(KNOWN_FIELDS));
    const suggestion = meant === undefined ? null : [meant, field, ...rest].filter(Boolean).join('.');
    return { sentence: `there is no “${root}” here`, suggestion };
  }
  if (field === undefined || fields.includes(field)) return undefined;
  if (fields.length === 0) return { sentence: `${root} is a text and has no “${field}”`, suggestion: root };
  const meant = nearest(field, fields);
  const attribute = root === 'contact' ? `contact.attributes.${field}` : null;
  return {
    sentence: `${root} has no “${field}”`,
    suggestion: meant === undefined ? attribute : [root, meant, ...rest].join('.'),
  };
}
