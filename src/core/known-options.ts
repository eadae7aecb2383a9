import { invalidInput } from './errors.js';

/** The names of all options of a call; the compiler holds it complete. */
export type OptionNames<Options> = Readonly<Record<keyof Required<Options>, true>>;

/**
 * An option that nobody knows is refused, like an unknown field of a mail: taken silently, a misspelt `tx` would be a
 * mail outside of the transaction. Throws `invalid_input` with its name.
 */
export function knownOptions(options: unknown, names: Readonly<Record<string, true>>): void {
  const unknown = unknownOption(options, names);
  if (unknown !== undefined) throw invalidInput(unknown, wordsFor(names));
  if (typeof options !== 'object' || options === null) {
    throw invalidInput('options', 'should be an object, or left out');
  }
}

export const unknownOption = (options: unknown, names: Readonly<Record<string, true>>): string | undefined =>
  typeof options === 'object' && options !== null
    ? Object.keys(options).find((name) => !Object.hasOwn(names, name))
    : undefined;

export const wordsFor = (names: Readonly<Record<string, true>>): string =>
  `is not a known option; there are ${Object.keys(names).join(', ')}`;
