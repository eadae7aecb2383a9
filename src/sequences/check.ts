import { stepsFault, type SequenceStep } from '../core/sequence.js';
import { sequencePlate, type SequencePlate } from '../core/sequence-words.js';
import type { KnownOfPeople } from './known.js';
import type { NeededVariable, StepFault, Verdict } from './verdict.js';
import { neededOf } from './walk.js';

export interface SequenceCheck {
  /** All of it in one sentence. */
  readonly plate: SequencePlate;
  /** `count`: how many people's mail would not be sent, of those that were looked at. `blocks`: it can't be saved. */
  readonly faults: readonly (StepFault & { readonly count: number; readonly blocks: boolean })[];
  /** What templates may read, and of how many people it is known. */
  readonly variables: readonly {
    readonly name: string;
    readonly filled: number;
    readonly of: number;
    readonly example: string | null;
  }[];
}

/** With how many people each of them hits. */
function faultsFor(
  steps: readonly SequenceStep[],
  { faults, variables }: Verdict,
  { of, fields }: KnownOfPeople,
): SequenceCheck['faults'] {
  const shape = stepsFault(steps);
  const part = shape?.field.endsWith('.subject') ? 'subject' : 'body';
  const shapeless = shape
    ? [
        {
          step: shape.step,
          part,
          line: 1,
          sentence: shape.text,
          suggestion: null,
          count: of,
          blocks: true,
        } as const,
      ]
    : [];
  const lacking = neededOf(variables)
    .map((variable) => ({ variable, count: of - (fields.get(variable.name)?.filled ?? 0) }))
    .filter(({ count }) => count > 0);
  return [
    ...shapeless,
    ...faults.map((fault) => ({ ...fault, count: of, blocks: true })),
    ...lacking.map(({ variable, count }) => lackingFault(variable, count, of)),
  ];
}

const lackingFault = ({ name, step, part, line }: NeededVariable, count: number, of: number) => ({
  ...{ step, part, line, count, blocks: false },
  sentence: `${count} of ${of} people have no ${name}; their mail would not be sent`,
  suggestion: `${name} | default: "…"`,
});

/** What may be put into a template, and of how many people it is known. */
function variablesFor({ variables }: Verdict, { of, fields }: KnownOfPeople): SequenceCheck['variables'] {
  const read = variables.map(({ name }) => name).filter((name) => name.startsWith('contact.attributes.'));
  const ofPeople = [...new Set([...fields.keys(), ...read])].map((name) => {
    const { filled = 0, example = null } = fields.get(name) ?? {};
    return { name, filled, of, example };
  });
  const ofAll = [
    'account.name',
    'account.emailAddress',
    'campaign.name',
    'unsubscribeUrl',
    'postalAddress',
  ].map((name) => ({ name, filled: of, of, example: null }));
  return [...ofPeople, ...ofAll];
}

/** What they come to for who writes them. */
export function checkOf(
  steps: readonly SequenceStep[],
  verdict: Verdict,
  known: KnownOfPeople,
): SequenceCheck {
  const faults = faultsFor(steps, verdict, known);
  return { plate: sequencePlate(steps, faults, known.of), faults, variables: variablesFor(verdict, known) };
}
