import { nameFault } from '../core/access.js';
import { invalidInput } from '../core/errors.js';
import { ACTIONS } from '../core/message.js';
import {
  DELAY_UNITS,
  LARGEST_SEQUENCE,
  LONGEST_BODY,
  LONGEST_SUBJECT,
  MOST_STEPS,
  stepsFault,
  type SequenceStep,
} from '../core/sequence.js';
import { shapeFault } from '../shapes/fault.js';
import type { NewSequence } from '../store/scripts/sequences.js';
import { Compile, Type, type Static, type TSchema } from '../vendor/typebox.js';

const closed = { additionalProperties: false } as const;
/** Null and left out are the same. */
const maybe = <T extends TSchema>(shape: T) => Type.Optional(Type.Union([shape, Type.Null()]));

export const StepInput = Type.Object(
  {
    order: Type.Integer({ minimum: 1, maximum: MOST_STEPS }),
    /** Of the first step it may be left out. */
    delayDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    delayUnit: Type.Optional(Type.Enum([...DELAY_UNITS])),
    action: Type.Optional(Type.Enum([...ACTIONS])),
    subject: maybe(Type.String({ maxLength: LONGEST_SUBJECT })),
    body: Type.String({ maxLength: LONGEST_BODY }),
    bodyText: maybe(Type.String({ maxLength: LONGEST_BODY })),
  },
  closed,
);
const Steps = Type.Array(StepInput, { minItems: 1, maxItems: MOST_STEPS });

export const SequenceInput = Type.Object({ name: Type.String(), steps: Steps }, closed);
export type SequenceInput = Static<typeof SequenceInput>;

export const StepsInput = Type.Object({ steps: Steps }, closed);
export type StepsInput = Static<typeof StepsInput>;

const shape = Compile(SequenceInput);
const stepsShape = Compile(StepsInput);

/** In their order, and whole. Throws `invalid_input` with the field; templates are looked at elsewhere. */
export function readSequenceInput(given: unknown): NewSequence {
  if (!shape.Check(given)) throw shapeFault(shape.Errors(given), 'sequence');
  const fault = nameFault(given.name);
  if (fault !== undefined) throw invalidInput('name', fault);
  return { name: given.name, steps: readSteps(given) };
}

/** Throws `invalid_input` with the field. */
export function readSteps(given: StepsInput): readonly SequenceStep[] {
  const steps = wholeSteps(given);
  const fault = stepsFault(steps);
  if (fault) throw invalidInput(fault.field, fault.text);
  if (JSON.stringify(steps).length > LARGEST_SEQUENCE) {
    throw invalidInput('steps', `are larger than ${LARGEST_SEQUENCE / 1_000_000} MB together`);
  }
  return inOrder(steps);
}

/** As they were given, each with everything said. Throws `invalid_input` for what is no step at all. */
export function wholeSteps(given: unknown): SequenceStep[] {
  if (!stepsShape.Check(pick(given))) throw shapeFault(stepsShape.Errors(pick(given)), 'steps');
  return (given as StepsInput).steps.map((step, index) => {
    const { order, delayDays, delayUnit = 'days', action = 'email', subject, body, bodyText } = step;
    if (delayDays === undefined && order > 1) throw invalidInput(`steps.${index}.delayDays`, 'is missing');
    return {
      ...{ order, delayDays: delayDays ?? 0, delayUnit, action },
      ...{ subject: subject ?? null, body, bodyText: bodyText ?? null },
    };
  });
}

const pick = (given: unknown): unknown => ({ steps: (given as { steps?: unknown } | null)?.steps });

export const inOrder = (steps: readonly SequenceStep[]): readonly SequenceStep[] =>
  [...steps].sort((a, b) => a.order - b.order);
