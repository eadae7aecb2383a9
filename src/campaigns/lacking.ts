import type { Action } from '../core/message.js';
import { judgeSteps, type NeededVariable } from '../sequences/verdict.js';
import type { Prospect } from '../store/scripts/plan-pages.js';
import type { SequenceStep } from '../store/scripts/sequences.js';
import type { RenderPool } from '../templates/render-pool.js';

/** Something without which a step says nothing to a person: his mail would not be sent. */
export interface Needed {
  /** `contact.attributes.company`. */
  readonly name: string;
  /** The first step that reads it, and what that one does. */
  readonly step: number;
  readonly action: Action;
}

/** What the templates of these steps can't do without. */
export async function neededBy(
  pool: RenderPool,
  steps: readonly SequenceStep[],
  workspaceId: number,
): Promise<readonly Needed[]> {
  if (steps.length === 0) return [];
  const { variables } = await judgeSteps(pool, steps, workspaceId);
  const found = new Map<string, Needed>();
  for (const variable of variables) {
    const action = steps.find(({ order }) => order === variable.step)?.action;
    if (action && isOfPerson(variable) && !found.has(variable.name))
      found.set(variable.name, { name: variable.name, step: variable.step, action });
  }
  return [...found.values()];
}

/** The attributes as a whole are there, whatever is in them. */
const isOfPerson = ({ name, required }: NeededVariable): boolean =>
  required && name.startsWith('contact.') && name !== 'contact.attributes';

/** Counts who lacks what, person by person. */
export class Lacking {
  readonly #counts = new Map<string, number>();

  constructor(private readonly needed: readonly Needed[]) {}

  /** Whether attributes have to be read for it. */
  get asksForAttributes(): boolean {
    return this.needed.some(({ name }) => name.startsWith('contact.attributes.'));
  }

  look(prospect: Prospect, reachable: readonly Action[]): void {
    for (const { name, action } of this.needed) {
      if (lacks(prospect, name, action, reachable)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    }
  }

  /** Those that are lacked most first. */
  get found(): readonly (Needed & { readonly count: number })[] {
    return this.needed
      .flatMap((each) => ({ ...each, count: this.#counts.get(each.name) ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count);
  }
}

/** Whether a step of this kind would reach this person, and could not say what it has to. */
export const lacks = (
  prospect: Prospect,
  name: string,
  action: Action,
  reachable: readonly Action[],
): boolean => reachable.includes(action) && !isKnown(prospect, name);

/** As a template sees a person: an empty text is not there. */
function isKnown(prospect: Prospect, name: string): boolean {
  const [, field = '', ...path] = name.split('.');
  if (field !== 'attributes') {
    const plain: Readonly<Record<string, string | null>> = {
      ...{ email: prospect.email, name: prospect.name },
      ...{ linkedinId: prospect.linkedinId, timezone: prospect.timezone },
    };
    return field === 'id' || isFilled(plain[field]);
  }
  let value: unknown = prospect.attributes ?? {};
  for (const key of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
  return isFilled(value);
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
