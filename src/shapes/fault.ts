import { invalidInput, type PillarboxError } from '../core/errors.js';
import type { TLocalizedValidationError } from '../vendor/typebox.js';

/** What is wrong with the shape of something, told by the field that is at fault. `whole`: what to call all of it. */
export function shapeFault(faults: readonly TLocalizedValidationError[], whole: string): PillarboxError {
  // The deepest fault is the one that speaks of what was typed; those above it only say "none of these".
  const [error] = faults
    .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'boolean')
    .sort((a, b) => b.instancePath.length - a.instancePath.length);
  const unknown =
    error?.keyword === 'additionalProperties' ? error.params.additionalProperties[0] : undefined;
  const missing = error?.keyword === 'required' ? error.params.requiredProperties[0] : undefined;
  const path = [...(error?.instancePath.split('/').slice(1) ?? []), unknown ?? missing].filter(
    (part) => part !== undefined,
  );
  const field = path.join('.') || whole;
  if (unknown !== undefined) return invalidInput(field, 'is not a known field');
  if (missing !== undefined) return invalidInput(field, 'is missing');
  return invalidInput(field, error?.message ?? 'has the wrong shape');
}
